//! Kernels on a card: emulated, behind XRT, or in XRT's emulation.

use derate_model::load;
use std::process::Command;

use anyhow::Error;
use derate_host::bench::{
    Emulated, Outcome as BenchOutcome, emulated_product, emulated_streams, xrt_product, xrt_streams,
};
use derate_host::swemu::leads_a_session;
use derate_host::xrt::{Card, RunMode, check_ready};

use super::request::{CardWork, XrtWork};
use crate::commands::emu;
use crate::output::Outcome;
use crate::session;

pub(super) fn run_emulated(
    on: &Emulated,
    work: &CardWork,
    progress: &mut dyn FnMut(&str),
) -> Result<BenchOutcome, Error> {
    Ok(match work {
        CardWork::Products(products) => emulated_product(on, products, progress)?,
        CardWork::Streams(streams) => emulated_streams(on, streams, progress)?,
    })
}

/// Runs this bench again in a session of its own: if something goes wrong, XRT's emulation signals its whole process group,
/// which must not be the caller's. `None` if this process may run it.
pub(super) fn run_in_session() -> Result<Option<Outcome>, Error> {
    if leads_a_session() || check_ready()? == RunMode::Card {
        return Ok(None);
    }
    let this = session::program()?;
    let mut again = Command::new(&this);
    again.args(["emu", "program", "--"]).arg(&this).args(session::words());
    emu::run::run_in_session(&mut again, "the bench").map(Some)
}

pub(super) fn run_on_xrt(
    on: XrtWork,
    progress: &mut dyn FnMut(&str),
) -> Result<BenchOutcome, Error> {
    check_ready()?;
    let XrtWork { name, design, platform, ports, work } = on;
    let card = Card::open(name, &design, &load::read_bytes(&design)?, &platform)?;
    Ok(match work {
        CardWork::Products(products) => xrt_product(&card, &platform, products, ports, progress)?,
        CardWork::Streams(streams) => xrt_streams(&card, &platform, streams, ports, progress)?,
    })
}
