//! What a bench is asked for: every argument is checked and parsed once, here.

use std::path::PathBuf;

use anyhow::{Context, Error, anyhow, bail};
use derate_host::bench::{Emulated, Products, Streams, banks_named};
use derate_host::cuda::CudaName;
use derate_host::measure::Repeat;
use derate_host::oracle::Element;
use derate_host::xrt::{XrtName, check_installed};
use derate_model::measurement::KernelKind;
use derate_model::operator::{Attention, OperatorKind, Shape};
use derate_model::quantity::ParseQuantity;
use derate_model::units::{Bytes, Hertz};
use derate_model::{Encoding, Platform, Precision};

use crate::args::{Bench, BenchKind, Format};
use crate::commands::platform;
use crate::output;

/// Bytes that a stream moves if no size is given.
const SIZE: u64 = 64 << 20;
const PLATFORM: &str = "u280";
const PORT_BITS: u32 = 512;
/// Each port takes a thread, and no machine has more threads.
const MOST_PORTS: usize = 1024;

/// One run of `derate bench`.
pub(super) struct BenchRequest {
    pub(super) work: BenchWork,
    pub(super) repeat: Repeat,
    pub(super) out: Option<PathBuf>,
    pub(super) format: Format,
}

/// What runs, and where.
pub(super) enum BenchWork {
    /// Operators on a processor or a GPU.
    Operators(OperatorWork),
    /// Copies, reads or writes of this machine's memory.
    CpuStreams { kind: KernelKind, sizes: Vec<u64>, threads: usize },
    /// Copies within a GPU's memory.
    GpuCopies { gpu: CudaName, sizes: Vec<u64> },
    /// Kernels on an emulated card.
    Emulated { on: Emulated, work: CardWork },
    /// Kernels on a card behind XRT, or in its emulation.
    Xrt(XrtWork),
}

/// Operators in every shape and precision.
pub(super) struct OperatorWork {
    pub(super) kind: OperatorKind,
    /// `cpu` or `cuda:0`.
    pub(super) device: String,
    pub(super) threads: Option<usize>,
    pub(super) shapes: Vec<Shape>,
    pub(super) precisions: Vec<Encoding>,
    /// Whether what the device cannot run is left out with a note.
    pub(super) is_sweep: bool,
    /// Whether the machine's own roofs are measured beside each run.
    pub(super) is_compared: bool,
}

/// A kernel of a card, with its operands.
pub(super) enum CardWork {
    Products(Products),
    Streams(Streams),
}

/// A kernel of a design that XRT loads.
pub(super) struct XrtWork {
    pub(super) name: XrtName,
    pub(super) design: PathBuf,
    pub(super) platform: Platform,
    pub(super) ports: Option<usize>,
    pub(super) work: CardWork,
}

/// The device of `--device`.
enum DeviceName<'a> {
    Emulator,
    Cpu,
    /// Its name is parsed where it is opened.
    Gpu(&'a str),
    Xrt(XrtName),
}

impl BenchRequest {
    /// Checks and parses all arguments; no device is opened yet.
    pub(super) fn from_args(args: &Bench) -> Result<Self, Error> {
        check_files(args)?;
        if let Some(ports) = args.ports.filter(|&ports| ports > MOST_PORTS) {
            bail!("--ports {ports}: no card has more than {MOST_PORTS}; give fewer");
        }
        let kind = KernelKind::from(args.kind);
        let device = parse_device(args)?;
        check_options(args, kind, &device)?;
        let repeat = Repeat {
            repetitions: usize::from(args.repetitions),
            warm_up: usize::from(args.warm_up),
        };
        let work = match device {
            DeviceName::Cpu | DeviceName::Gpu(_) => machine_work(args, kind, &device)?,
            DeviceName::Emulator => emulated_work(args, kind, repeat)?,
            DeviceName::Xrt(name) => xrt_work(args, kind, name, repeat)?,
        };
        Ok(Self { work, repeat, out: args.out.clone(), format: args.format })
    }

    /// Whether it runs kernels that are not derate's.
    pub(super) fn has_own_kernels(&self) -> bool {
        matches!(&self.work, BenchWork::Emulated { on, .. } if !on.sources.is_empty())
    }
}

impl From<BenchKind> for KernelKind {
    fn from(kind: BenchKind) -> Self {
        match kind {
            BenchKind::Memcpy => Self::Memcpy,
            BenchKind::Read => Self::Read,
            BenchKind::Write => Self::Write,
            BenchKind::Gemm => Self::Gemm,
            BenchKind::Gemv => Self::Gemv,
            BenchKind::Attention => Self::Attention,
            BenchKind::Mlp => Self::Mlp,
        }
    }
}

/// Refuses an output that could not be written at the end, and options of a kernel without its source.
fn check_files(args: &Bench) -> Result<(), Error> {
    let compiles = !args.preprocess.include.is_empty() || !args.preprocess.define.is_empty();
    if args.source.is_empty() && (compiles || args.kernel.is_some()) {
        bail!("-I, -D and --kernel are for a kernel of --source: name its file, too");
    }
    let Some(out) = &args.out else { return Ok(()) };
    if out.is_dir() {
        bail!("--out {}: that is a folder; name a file", out.display());
    }
    output::is_no_input(out, args.source.iter().chain(&args.xclbin))?;
    output::may_replace(out, output::Written::Measurement)?;
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("--out {}: there is no folder {}: make it first", out.display(), folder.display());
    }
    Ok(())
}

fn parse_device(args: &Bench) -> Result<DeviceName<'_>, Error> {
    match args.device_name() {
        "emu" => Ok(DeviceName::Emulator),
        "cpu" => Ok(DeviceName::Cpu),
        gpu if CudaName::is_meant(gpu) => Ok(DeviceName::Gpu(gpu)),
        other => other.parse().map(DeviceName::Xrt).map_err(|_| {
            anyhow!(
                "--device {other}: there is no such device; give emu, cpu, cuda:0 for the first GPU, or xrt:0 for the first card"
            )
        }),
    }
}

/// Refuses options that the kernel or the device does not have.
fn check_options(args: &Bench, kind: KernelKind, device: &DeviceName<'_>) -> Result<(), Error> {
    let is_machine = matches!(device, DeviceName::Cpu | DeviceName::Gpu(_));
    if args.causal && kind != KernelKind::Attention {
        bail!("--causal is for attention");
    }
    if args.backward && kind != KernelKind::Mlp {
        bail!("--backward is for mlp");
    }
    if kind.operator().is_none() {
        if !args.shape.is_empty() || args.sweep {
            bail!("--shape and --sweep are for operators: a stream has --size");
        }
        if !args.precision.is_empty() {
            bail!("--precision is for operators: a stream moves words, whatever is in them");
        }
    } else if !args.size.is_empty() {
        bail!("--size is for streams: a product has --shape");
    } else if !is_machine && kind != KernelKind::Gemm {
        bail!(
            "{kind} has no kernel for --device {}: it runs on cpu and cuda:0",
            args.device_name()
        );
    } else if !is_machine && args.sweep {
        bail!("--sweep is for cpu and cuda:0: on {} give each --shape", args.device_name());
    }
    let for_cards = [
        args.banks.is_some(),
        args.clock.is_some(),
        !args.source.is_empty(),
        args.xclbin.is_some(),
        args.platform.is_some(),
        args.port_bits.is_some(),
    ];
    if is_machine && for_cards.contains(&true) {
        bail!(
            "--banks, --clock, --source, --xclbin, --platform and --port-bits are for a card: {} has none of them",
            args.device_name()
        );
    }
    Ok(())
}

fn machine_work(
    args: &Bench,
    kind: KernelKind,
    device: &DeviceName<'_>,
) -> Result<BenchWork, Error> {
    if let Some(operator) = kind.operator() {
        return Ok(BenchWork::Operators(OperatorWork {
            kind: operator,
            device: args.device_name().to_owned(),
            threads: args.ports,
            shapes: parse_shapes(args, operator)?,
            precisions: parse_precisions(&args.precision)?,
            is_sweep: args.sweep || is_all(&args.precision),
            is_compared: is_all(&args.precision),
        }));
    }
    let sizes = parse_sizes(&args.size)?;
    let DeviceName::Gpu(gpu) = device else {
        return Ok(BenchWork::CpuStreams { kind, sizes, threads: args.ports.unwrap_or(1) });
    };
    if kind != KernelKind::Memcpy {
        bail!("{kind} has no kernel for a GPU: memcpy, gemv, gemm, attention and mlp run there");
    }
    if args.ports.is_some() {
        bail!("--ports is for cards and processors: a GPU has none to give");
    }
    Ok(BenchWork::GpuCopies { gpu: gpu.parse()?, sizes })
}

fn emulated_work(args: &Bench, kind: KernelKind, repeat: Repeat) -> Result<BenchWork, Error> {
    if args.xclbin.is_some() {
        bail!("--xclbin is for --device xrt:0: the emulator runs derate's kernels, or --source");
    }
    let (platform, banks) = find_card(args)?;
    let clock = args.clock.as_deref().map(Hertz::parse_quantity).transpose();
    let on = Emulated {
        platform,
        clock: clock.map_err(|error| anyhow!("--clock: {error}"))?,
        sources: args.source.clone(),
        include: args.preprocess.include.clone(),
        defines: args.preprocess.options().macros()?,
    };
    Ok(BenchWork::Emulated { on, work: card_work(args, kind, banks, repeat)? })
}

fn xrt_work(
    args: &Bench,
    kind: KernelKind,
    name: XrtName,
    repeat: Repeat,
) -> Result<BenchWork, Error> {
    // A missing installation is reported first: no other option repairs it.
    check_installed()?;
    let design = args.xclbin.clone().with_context(|| {
        format!(
            "--device {name} needs --xclbin FILE: build one with hls/Makefile for a card, or with `derate emu xclbin` for software emulation"
        )
    })?;
    if args.banks.is_some() || args.clock.is_some() || !args.source.is_empty() {
        bail!("--banks, --clock and --source are for the emulator: on {name} the design decides");
    }
    let (platform, banks) = find_card(args)?;
    let work = card_work(args, kind, banks, repeat)?;
    Ok(BenchWork::Xrt(XrtWork { name, design, platform, ports: args.ports, work }))
}

fn find_card(args: &Bench) -> Result<(Platform, Vec<usize>), Error> {
    let platform: Platform = platform::find_card(args.platform.as_deref().unwrap_or(PLATFORM))?;
    let named = platform.memory.bank.as_deref().unwrap_or("HBM");
    let banks = banks_named(&platform, args.banks.as_deref().unwrap_or(named));
    let banks = banks.map_err(|error| anyhow!("--banks: {error}"))?.collect();
    Ok((platform, banks))
}

fn card_work(
    args: &Bench,
    kind: KernelKind,
    banks: Vec<usize>,
    repeat: Repeat,
) -> Result<CardWork, Error> {
    let kernel = args.kernel.clone();
    if kind != KernelKind::Gemm {
        return Ok(CardWork::Streams(Streams {
            kind,
            kernel,
            sizes: parse_sizes(&args.size)?,
            ports: args.ports.unwrap_or(32),
            port_bits: args.port_bits.unwrap_or(PORT_BITS),
            banks,
            repeat,
        }));
    }
    let ports = args.ports.unwrap_or(3);
    if ports == 0 || !ports.is_multiple_of(3) {
        bail!(
            "--ports {ports}: a product takes three ports in each compute unit; give a multiple of 3"
        );
    }
    if let Some(bits) = args.port_bits {
        bail!("--port-bits {bits} is for streams: the ports of a product have 512 bit");
    }
    let element = parse_element(&args.precision)?;
    let extents = parse_shapes(args, OperatorKind::Gemm)?.into_iter().filter_map(|shape| {
        let Shape::Gemm { m, n, k } = shape else { return None };
        Some([m, n, k])
    });
    let sizes = extents.collect();
    Ok(CardWork::Products(Products { element, kernel, sizes, units: ports / 3, banks, repeat }))
}

/// The one type that a kernel of a card multiplies.
fn parse_element(words: &[String]) -> Result<Element, Error> {
    match *parse_precisions(words)? {
        [own] => match own.plain() {
            Some(Precision::FP32) => Ok(Element::Fp32),
            Some(Precision::BF16) => Ok(Element::Bf16),
            Some(Precision::INT8) => Ok(Element::Int8),
            _ => bail!(
                "--precision {own}: derate has no such kernel for a card; give fp32, bf16 or int8"
            ),
        },
        _ => bail!(
            "--precision: a card's kernel multiplies one type; give one, and run the others after it"
        ),
    }
}

/// The five precisions of a table of all, from the widest: integers of 4 bits in groups of 128.
const ALL: [&str; 5] = ["fp16", "fp8", "nvfp4", "int8", "int4-g128"];

fn is_all(words: &[String]) -> bool {
    words.iter().any(|word| word == "all")
}

/// Each precision once; FP32 if none is given.
fn parse_precisions(words: &[String]) -> Result<Vec<Encoding>, Error> {
    if words.is_empty() {
        return Ok(vec![Precision::FP32.into()]);
    }
    let mut precisions: Vec<Encoding> = Vec::with_capacity(words.len());
    let each = words.iter().flat_map(|word| match word.as_str() {
        "all" => ALL.to_vec(),
        one => vec![one],
    });
    for word in each {
        let precision = match word {
            "fp8-e5m2" => Some(Precision::FP8_E5M2.into()),
            word => Encoding::parse(word),
        };
        let precision = precision.ok_or_else(|| {
            anyhow!(
                "--precision: `{word}` is not a precision: give all, or fp32, fp16, bf16, int8 and others with commas between; on a processor weights in fp8, fp8-e5m2, mxfp8, mxfp4, nvfp4, nf4 and int4-g128, too"
            )
        })?;
        if !precisions.contains(&precision) {
            precisions.push(precision);
        }
    }
    Ok(precisions)
}

fn parse_sizes(texts: &[String]) -> Result<Vec<u64>, Error> {
    if texts.is_empty() {
        return Ok(vec![SIZE]);
    }
    texts.iter().map(|text| parse_size(text)).collect()
}

fn parse_size(text: &str) -> Result<u64, Error> {
    let bytes = Bytes::parse_quantity(text).map_err(|error| anyhow!("--size: {error}"))?.0;
    if bytes.fract() != 0.0 || bytes > (1_u64 << 50) as f64 {
        bail!("--size {text}: give a whole number of bytes that a memory can hold");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    Ok(bytes as u64)
}

/// The shapes of `--shape` or of the ladder, each once.
fn parse_shapes(args: &Bench, kind: OperatorKind) -> Result<Vec<Shape>, Error> {
    let given = match (args.sweep, args.shape.is_empty()) {
        (true, _) => kind.sweep_shapes(),
        (false, true) => vec![kind.default_shape()],
        (false, false) => args
            .shape
            .iter()
            .map(|text| Shape::parse(kind, text).map_err(|error| anyhow!("--shape: {error}")))
            .collect::<Result<_, _>>()?,
    };
    let mut shapes = Vec::with_capacity(given.len());
    for mut shape in given {
        match &mut shape {
            Shape::Attention(own) if args.causal => {
                *own = Attention { causal: true, ..*own };
                own.check_heads().map_err(|error| anyhow!("--shape: {error}"))?;
                // A ladder has both forms of a shape.
                if shapes.contains(&shape) {
                    continue;
                }
            }
            Shape::Mlp(own) if args.backward => own.backward = true,
            _ => {}
        }
        shapes.push(shape);
    }
    Ok(shapes)
}
