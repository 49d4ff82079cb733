//! `derate bench KIND`.

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, anyhow, bail};
use derate_host::bench::{
    Element, Emulated, Outcome as Bench, Products, Repeat, Streams, banks_named, emulated_product,
    emulated_streams, rounded, xrt_product, xrt_streams,
};
use derate_host::cpu;
use derate_host::swemu::leads_a_session;
use derate_host::xrt::{Card, Mode, XrtName, installed, ready};
use derate_model::measurement::Kind;
use derate_model::quantity::ParseQuantity;
use derate_model::units::{Bytes, BytesPerSecond, Hertz};
use derate_model::{Platform, present};
use derate_reports::Level;

use crate::args::{self, BenchKind, ElementType, Format};
use crate::commands::emu;
use crate::includes::defines;
use crate::output::{self, Outcome};
use crate::read;

const SIZE: u64 = 64 << 20;
/// A thread each, so no more than a machine has threads.
const MOST_PORTS: usize = 1024;
const PLATFORM: &str = "u280";
const PORT_BITS: u32 = 512;
const SHAPE: [u64; 3] = [512, 512, 512];

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
        other => match other.parse() {
            Ok(name) => on_xrt(args, name, &mut progress),
            Err(_) => Err(anyhow!(
                "--device {other}: there is no such device; give emu, cpu, or xrt:0 for the first card"
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
        let mut bytes = serde_json::to_vec_pretty(&done.measurement)?;
        bytes.push(b'\n');
        fs::write(out, bytes).with_context(|| format!("{} cannot be written", out.display()))?;
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
fn command() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_=./:,".contains(sign);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    let words: Vec<String> = std::iter::once("derate".to_owned()).chain(words).collect();
    words.join(" ")
}

fn kind(args: &args::Bench) -> Kind {
    match args.kind {
        BenchKind::Memcpy => Kind::Memcpy,
        BenchKind::Read => Kind::Read,
        BenchKind::Write => Kind::Write,
        BenchKind::Gemm => Kind::Gemm,
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
    if args.shape.is_empty() {
        return Ok(vec![SHAPE]);
    }
    let one = |text: &String| {
        let extents: Option<Vec<u64>> =
            text.split(['x', 'X']).map(|word| word.trim().parse().ok()).collect();
        let extents = extents.and_then(|extents| <[u64; 3]>::try_from(extents).ok());
        extents.ok_or_else(|| {
            anyhow!("--shape {text}: give rows, columns and terms, such as 512x512x512")
        })
    };
    args.shape.iter().map(one).collect()
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
    if !args.size.is_empty() {
        bail!("--size is for streams: a product has --shape");
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
    let element = match args.element.unwrap_or(ElementType::Fp32) {
        ElementType::Fp32 => Element::Fp32,
        ElementType::Bf16 => Element::Bf16,
        ElementType::Int8 => Element::Int8,
    };
    let (kernel, sizes, units, repeat) =
        (args.kernel.clone(), shapes(args)?, ports / 3, repeat(args));
    Ok(Products { element, kernel, sizes, units, banks, repeat })
}

fn is_no_product(args: &args::Bench) -> Result<(), Error> {
    if args.element.is_some() {
        bail!("--type is for products: a stream moves words, whatever is in them");
    }
    Ok(())
}

fn streams(args: &args::Bench, banks: Vec<usize>) -> Result<Streams, Error> {
    if !args.shape.is_empty() {
        bail!("--shape is for products: a stream has --size");
    }
    is_no_product(args)?;
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

fn machine(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
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
            "--banks, --clock, --source, --xclbin, --platform and --port-bits are of a card: a processor has none of them"
        );
    }
    let setup = cpu::Machine {
        bytes: sizes(args)?,
        products: shapes(args)?,
        threads: args.ports.unwrap_or(1),
        repeat: repeat(args),
    };
    let (measurement, mut notes) = if kind(args) == Kind::Gemm {
        if !args.size.is_empty() {
            bail!("--size is for streams: a product has --shape");
        }
        if args.element.is_some_and(|element| element != ElementType::Fp32) {
            bail!(
                "--type: on a processor only fp32 is measured, which is what ndarray's dot is made for"
            );
        }
        if setup.threads != 1 {
            bail!("--ports: on a processor a product takes one thread");
        }
        (cpu::products(&setup, progress)?, Vec::new())
    } else {
        if !args.shape.is_empty() {
            bail!("--shape is for products: a stream has --size");
        }
        is_no_product(args)?;
        let measurement = cpu::streams(kind(args), &setup, progress)?;
        let mut notes = rounded(&setup.bytes, &measurement);
        notes.extend(cpu::notes(&measurement, setup.threads));
        (measurement, notes)
    };
    notes.extend(cpu::build_note());
    Ok(Bench { measurement, findings: Vec::new(), modelled: Vec::new(), notes })
}
