//! Streams of this machine's memory, and copies within a GPU's.

use anyhow::{Error, bail};
use derate_host::bench::{Outcome as Bench, rounded};
use derate_host::cpu;
use derate_host::cuda::{Gpu, copies};
use derate_model::measurement::Kind;

use super::asked::{is_no_card, kind, repeat, sizes};
use crate::args;

/// Copies, reads or writes of this machine's memory.
pub(super) fn streams(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
    is_no_card(args)?;
    let (threads, repeat) = (args.ports.unwrap_or(1), repeat(args));
    let setup = cpu::Machine { bytes: sizes(args)?, threads, repeat };
    let measurement = cpu::streams(kind(args), &setup, progress)?;
    let mut notes = rounded(&setup.bytes, &measurement);
    notes.extend(cpu::notes(&measurement, setup.threads));
    notes.extend(cpu::crowd_note(setup.threads));
    notes.extend(cpu::build_note());
    Ok(Bench { measurement, findings: Vec::new(), modelled: Vec::new(), notes })
}

/// Copies within a GPU's memory.
pub(super) fn on_gpu(args: &args::Bench, progress: &mut dyn FnMut(&str)) -> Result<Bench, Error> {
    is_no_card(args)?;
    if kind(args) != Kind::Memcpy {
        bail!(
            "{} has no kernel for a GPU: memcpy, gemv, gemm, attention and mlp run there",
            kind(args)
        );
    }
    if args.ports.is_some() {
        bail!("--ports is of cards and processors: a GPU has none to give");
    }
    let gpu = Gpu::open(args.device().parse()?)?;
    let measurement = copies(&gpu, &sizes(args)?, repeat(args), progress)?;
    Ok(Bench { measurement, findings: Vec::new(), modelled: Vec::new(), notes: Vec::new() })
}
