//! `derate bench KIND`.

mod operators;
pub(crate) mod out;

use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, anyhow, bail};
use derate_host::bench::{
    Element, Emulated, Outcome as Bench, Products, Repeat, Streams, banks_named, emulated_product,
    emulated_streams, rounded, xrt_product, xrt_streams,
};
use derate_host::cpu;
use derate_host::cuda::{CudaName, Gpu, copies};
use derate_host::swemu::leads_a_session;
use derate_host::xrt::{Card, Mode, XrtName, installed, ready};
use derate_model::measurement::Kind;
use derate_model::operator::{OperatorKind, Shape};
use derate_model::quantity::ParseQuantity;
use derate_model::units::{Bytes, BytesPerSecond, Hertz};
use derate_model::{Platform, Precision, present};
use derate_reports::Level;

use crate::args::{self, BenchKind, Format};
use crate::commands::emu;
use crate::includes::defines;
use crate::output::{self, Outcome};
use crate::read;

const SIZE: u64 = 64 << 20;
/// A thread each, so no more than a machine has threads.
const MOST_PORTS: usize = 1024;
const PLATFORM: &str = "u280";
const PORT_BITS: u32 = 512;

pub(crate) fn run(args: &args::Bench) -> Result<Outcome, Error> {
    // What cannot be written at the end is better known before.
    if let Some(out) = args.out.as_ref().filter(|out| out.is_dir()) {
        bail!("--out {}: that is a folder; name a file", out.display());
    }
    let compiles = !args.preprocess.include.is_empty() || !args.preprocess.define.is_empty();
    if args.source.is_empty() && (compiles || args.kernel.is_some()) {
        bail!("-I, -D and --kernel are for a kernel of --source: name its file, too");
    }
    if let Some(ports) = args.ports.filter(|&ports| ports > MOST_PORTS) {
        bail!("--ports {ports}: no card has more than {MOST_PORTS}; give fewer");
    }
    if let Some(out) = &args.out {
        output::is_no_input(out, args.source.iter().chain(&args.xclbin))?;
        output::may_replace(out, output::Written::Measurement)?;
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            bail!(
                "--out {}: there is no folder {}: make it first",
                out.display(),
                folder.display()
            );
        }
    }
    check_operator(args)?;
    if is_machine(args) && kind(args).operator().is_some() {
        return operators::run(args);
    }
    if let Some(outcome) = apart(args)? {
        return Ok(outcome);
    }
    let watched = std::io::stderr().is_terminal();
    let mut progress = |text: &str| {
        if watched {
            output::progress(text);
        }
    };
    let done = match args.device.as_str() {
        "emu" => emulated(args, &mut progress),
        "cpu" => machine(args, &mut progress),
        other if CudaName::is_meant(other) => on_gpu(args, &mut progress),
        other => match other.parse() {
            Ok(name) => on_xrt(args, name, &mut progress),
            Err(_) => Err(anyhow!(
                "--device {other}: there is no such device; give emu, cpu, cuda:0 for the first GPU, or xrt:0 for the first card"
            )),
        },
    };
    progress("");
    let mut done = done?;
    done.measurement.command = Some(command());
    let right = done
        .measurement
        .runs
        .iter()
        .all(|run| run.check.as_ref().is_some_and(|check| check.passed));
    if let Some(out) = &args.out {
        out::write(out, &done.measurement)?;
        output::note(&format!("wrote {}", out.display()));
    }
    match args.format {
        Format::Json => {
            output::put_json(&done.measurement)?;
            if let Some(said) = present::wrong(&done.measurement) {
                output::note(&said);
            }
            done.findings
                .iter()
                .for_each(|one| output::note(&format!("finding: {}", one.sentence())));
            done.notes.iter().for_each(|one| output::note(&format!("note: {one}")));
        }
        Format::Text => {
            let is_bound = done.modelled.iter().any(|modelled| modelled.is_bound);
            let document = present::measurement(&done.measurement, &notes(&done), is_bound);
            output::put_document(&document)?;
        }
    }
    Ok(if right && done.findings.is_empty() { Outcome::Clean } else { Outcome::Refused })
}

/// What the emulator knows beside the measurement.
fn notes(done: &Bench) -> Vec<(Level, String)> {
    let mut notes = Vec::new();
    // The few sums of a read make no copy of it.
    let one_way = matches!(done.measurement.kernel, Kind::Read | Kind::Write);
    for modelled in done.modelled.iter().filter(|_| !one_way) {
        if let Some(best) = &modelled.at_best {
            let gigabytes = |rate: BytesPerSecond| rate.0 / 1e9;
            notes.push((
                Level::Note,
                format!(
                    "Channels are read and written at once: by what is published of copies it is between {:.1} and \
                     {:.1} GB/s.",
                    gigabytes(modelled.bandwidth.value),
                    gigabytes(best.value)
                ),
            ));
        }
    }
    notes.extend(done.notes.iter().map(|one| (Level::Note, one.clone())));
    notes.extend(done.findings.iter().map(|one| (Level::Error, format!("{}.", one.sentence()))));
    notes
}

/// The words of this run, for whoever wants to see it again.
pub(crate) fn command() -> String {
    derate_model::predict::command(std::env::args().skip(1))
}

fn kind(args: &args::Bench) -> Kind {
    match args.kind {
        BenchKind::Memcpy => Kind::Memcpy,
        BenchKind::Read => Kind::Read,
        BenchKind::Write => Kind::Write,
        BenchKind::Gemm => Kind::Gemm,
        BenchKind::Gemv => Kind::Gemv,
        BenchKind::Attention => Kind::Attention,
        BenchKind::Mlp => Kind::Mlp,
    }
}

/// Whether it is no card's, but a whole machine: a processor or a GPU.
fn is_machine(args: &args::Bench) -> bool {
    args.device == "cpu" || CudaName::is_meant(&args.device)
}

/// What only operators have, and only a processor runs.
fn check_operator(args: &args::Bench) -> Result<(), Error> {
    let kind = kind(args);
    if args.causal && kind != Kind::Attention {
        bail!("--causal is for attention");
    }
    if kind.operator().is_some() {
        if !args.size.is_empty() {
            bail!("--size is for streams: a product has --shape");
        }
        let machine = is_machine(args);
        if !machine && kind != Kind::Gemm {
            let also = if kind == Kind::Gemv { " and cuda:0" } else { "" };
            bail!("{kind} has no kernel for --device {}: it runs on cpu{also}", args.device);
        }
        if !machine && args.sweep {
            bail!("--sweep is for cpu and cuda:0: on {} give each --shape", args.device);
        }
        return Ok(());
    }
    if !args.shape.is_empty() || args.sweep {
        bail!("--shape and --sweep are for operators: a stream has --size");
    }
    if !args.precision.is_empty() {
        bail!("--precision is for operators: a stream moves words, whatever is in them");
    }
    Ok(())
}

/// The precisions that are asked for; FP32 where none is.
fn precisions(args: &args::Bench) -> Result<Vec<Precision>, Error> {
    if args.precision.is_empty() {
        return Ok(vec![Precision::FP32]);
    }
    let mut all = Vec::with_capacity(args.precision.len());
    for word in &args.precision {
        let one = Precision::parse(word).ok_or_else(|| {
            anyhow!("--precision: `{word}` is no known precision: give fp32, fp16, bf16 or int8")
        })?;
        if !all.contains(&one) {
            all.push(one);
        }
    }
    Ok(all)
}

/// The one type that a kernel of a card multiplies.
fn element(args: &args::Bench) -> Result<Element, Error> {
    match *precisions(args)? {
        [Precision::FP32] => Ok(Element::Fp32),
        [Precision::BF16] => Ok(Element::Bf16),
        [Precision::INT8] => Ok(Element::Int8),
        [other] => bail!(
            "--precision {}: derate has no such kernel for a card; give fp32, bf16 or int8",
            other.key()
        ),
        _ => bail!(
            "--precision: a card's kernel multiplies one type; give one, and run the others after it"
        ),
    }
}

fn sizes(args: &args::Bench) -> Result<Vec<u64>, Error> {
    if args.size.is_empty() {
        return Ok(vec![SIZE]);
    }
    let one = |text: &String| {
        let bytes = Bytes::parse_quantity(text).map_err(|error| anyhow!("--size: {error}"))?.0;
        if bytes.fract() != 0.0 || bytes > (1_u64 << 50) as f64 {
            bail!("--size {text}: give a whole number of bytes that some memory could hold");
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked above"
        )]
        Ok(bytes as u64)
    };
    args.size.iter().map(one).collect()
}

fn shapes(args: &args::Bench) -> Result<Vec<[u64; 3]>, Error> {
    let shapes = operators::shapes(args, OperatorKind::Gemm)?;
    let extents = shapes.into_iter().filter_map(|shape| match shape {
        Shape::Gemm { m, n, k } => Some([m, n, k]),
        _ => None,
    });
    Ok(extents.collect())
}

fn repeat(args: &args::Bench) -> Repeat {
    Repeat { repetitions: usize::from(args.repetitions), warm_up: usize::from(args.warm_up) }
}

fn card(args: &args::Bench) -> Result<(Platform, Vec<usize>), Error> {
    let platform: Platform = super::platform::card(args.platform.as_deref().unwrap_or(PLATFORM))?;
    let named = platform.memory.bank.as_deref().unwrap_or("HBM");
    let banks = banks_named(&platform, args.banks.as_deref().unwrap_or(named));
    let banks = banks.map_err(|error| anyhow!("--banks: {error}"))?;
    Ok((platform, banks.collect()))
}

fn products(args: &args::Bench, banks: Vec<usize>) -> Result<Products, Error> {
    let ports = args.ports.unwrap_or(3);
    if ports == 0 || !ports.is_multiple_of(3) {
        bail!(
            "--ports {ports}: a product takes three ports in each compute unit; give a multiple of 3"
        );
    }
    if let Some(bits) = args.port_bits {
        bail!("--port-bits {bits} is for streams: the ports of a product have 512 bit");
    }
    let element = element(args)?;
    let (kernel, sizes, units, repeat) =
        (args.kernel.clone(), shapes(args)?, ports / 3, repeat(args));
    Ok(Products { element, kernel, sizes, units, banks, repeat })
}

fn streams(args: &args::Bench, banks: Vec<usize>) -> Result<Streams, Error> {
    Ok(Streams {
        kind: kind(args),
        kernel: args.kernel.clone(),
        sizes: sizes(args)?,
        ports: args.ports.unwrap_or(32),
        port_bits: args.port_bits.unwrap_or(PORT_BITS),
        banks,
        repeat: repeat(args),
    })
}

fn emulated(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
    if args.xclbin.is_some() {
        bail!("--xclbin is for --device xrt:0: the emulator runs derate's kernels, or --source");
    }
    let (platform, banks) = card(args)?;
    let clock = args.clock.as_ref().map(|text| Hertz::parse_quantity(text)).transpose();
    let clock = clock.map_err(|error| anyhow!("--clock: {error}"))?;
    let on = Emulated {
        platform,
        clock,
        sources: args.source.clone(),
        include: args.preprocess.include.clone(),
        defines: defines(&args.preprocess)?,
    };
    Ok(if kind(args) == Kind::Gemm {
        emulated_product(&on, &products(args, banks)?, progress)?
    } else {
        emulated_streams(&on, &streams(args, banks)?, progress)?
    })
}

/// This bench again, in a session of its own: XRT's emulations signal their whole process group when something goes wrong, and
/// that must not be the caller's. `None` where there is nothing to be kept from it.
fn apart(args: &args::Bench) -> Result<Option<Outcome>, Error> {
    let Ok(name) = args.device.parse::<XrtName>() else { return Ok(None) };
    // What only an installation mends comes first, then this command, then what is around it.
    installed()?;
    design(args, name)?;
    if leads_a_session() || ready()? == Mode::Card {
        return Ok(None);
    }
    let this = std::env::current_exe()?;
    let mut again = Command::new(&this);
    again.args(["emu", "program", "--"]).arg(&this).args(std::env::args_os().skip(1));
    emu::run::wait(&mut again, "the bench").map(Some)
}

/// The design that a device of XRT loads.
fn design(args: &args::Bench, name: XrtName) -> Result<&Path, Error> {
    args.xclbin.as_deref().with_context(|| {
        format!(
            "--device {name} needs --xclbin FILE: build one with hls/Makefile for a card, or with `derate emu xclbin` for software emulation"
        )
    })
}

fn on_xrt(
    args: &args::Bench,
    name: XrtName,
    progress: &mut dyn FnMut(&str),
) -> Result<Bench, Error> {
    if args.banks.is_some() || args.clock.is_some() || !args.source.is_empty() {
        bail!("--banks, --clock and --source are for the emulator: on {name} the design decides");
    }
    ready()?;
    let (platform, banks) = card(args)?;
    let path = design(args, name)?;
    let card = Card::open(name, path, &read::bytes(path)?, &platform)?;
    Ok(if kind(args) == Kind::Gemm {
        xrt_product(&card, &platform, products(args, banks)?, args.ports, progress)?
    } else {
        xrt_streams(&card, &platform, streams(args, banks)?, args.ports, progress)?
    })
}

/// Refuses what is of a card.
fn is_no_card(args: &args::Bench) -> Result<(), Error> {
    let of_a_card = [
        args.banks.is_some(),
        args.clock.is_some(),
        !args.source.is_empty(),
        args.xclbin.is_some(),
        args.platform.is_some(),
        args.port_bits.is_some(),
    ];
    if of_a_card.contains(&true) {
        bail!(
            "--banks, --clock, --source, --xclbin, --platform and --port-bits are of a card: {} has none of them",
            args.device
        );
    }
    Ok(())
}

fn machine(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
    is_no_card(args)?;
    let (threads, repeat) = (args.ports.unwrap_or(1), repeat(args));
    let setup = cpu::Machine { bytes: sizes(args)?, threads, repeat };
    let measurement = cpu::streams(kind(args), &setup, progress)?;
    let mut notes = rounded(&setup.bytes, &measurement);
    notes.extend(cpu::notes(&measurement, setup.threads));
    notes.extend(cpu::build_note());
    Ok(Bench { measurement, findings: Vec::new(), modelled: Vec::new(), notes })
}

/// Copies within a GPU's memory.
fn on_gpu(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
    is_no_card(args)?;
    if kind(args) != Kind::Memcpy {
        bail!("{} has no kernel for a GPU: memcpy, gemv and gemm run there", kind(args));
    }
    if args.ports.is_some() {
        bail!("--ports is of cards and processors: a GPU has none to give");
    }
    let gpu = Gpu::open(args.device.parse()?)?;
    let measurement = copies(&gpu, &sizes(args)?, repeat(args), progress)?;
    Ok(Bench { measurement, findings: Vec::new(), modelled: Vec::new(), notes: Vec::new() })
}
