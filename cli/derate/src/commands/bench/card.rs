//! Kernels on a card: emulated, behind XRT, or in XRT's emulation.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Error, anyhow, bail};
use derate_host::bench::{
    Emulated, Outcome as Bench, Products, Streams, banks_named, emulated_product, emulated_streams,
    xrt_product, xrt_streams,
};
use derate_host::oracle::Element;
use derate_host::swemu::leads_a_session;
use derate_host::xrt::{Card, Mode, XrtName, installed, ready};
use derate_model::measurement::Kind;
use derate_model::operator::{OperatorKind, Shape};
use derate_model::quantity::ParseQuantity;
use derate_model::units::Hertz;
use derate_model::{Platform, Precision};

use super::asked::{kind, precisions, repeat, sizes};
use super::operators;
use crate::args;
use crate::commands::{emu, platform};
use crate::includes::defines;
use crate::output::Outcome;
use crate::read;

const PLATFORM: &str = "u280";
const PORT_BITS: u32 = 512;

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

fn shapes(args: &args::Bench) -> Result<Vec<[u64; 3]>, Error> {
    let shapes = operators::shapes(args, OperatorKind::Gemm)?;
    let extents = shapes.into_iter().filter_map(|shape| match shape {
        Shape::Gemm { m, n, k } => Some([m, n, k]),
        _ => None,
    });
    Ok(extents.collect())
}

fn card(args: &args::Bench) -> Result<(Platform, Vec<usize>), Error> {
    let platform: Platform = platform::card(args.platform.as_deref().unwrap_or(PLATFORM))?;
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

pub(super) fn emulated(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
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
pub(super) fn apart(args: &args::Bench) -> Result<Option<Outcome>, Error> {
    let Ok(name) = args.device().parse::<XrtName>() else { return Ok(None) };
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

pub(super) fn on_xrt(
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
