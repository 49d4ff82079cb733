//! A compute unit is in another SLR than the memory or the unit that it is connected to.
//!
//! ## What it does
//!
//! Takes the units that `slr=` of the v++ configuration places, and compares their SLR with that of the banks to which
//! `sp=` pins their arguments (the platform file says where: all of the U280's HBM is on SLR0), and with that of the
//! units to which `stream_connect=` ties them. A crossing to memory is a warning; it is a note where the platform file assumes
//! the SLR of the bank, as is a crossing between units alone. A unit
//! that no `slr=` places, a memory without a number, and a bank whose SLR the platform file does not say are not judged.
//!
//! ## Why it matters
//!
//! A wire between dies takes a large part of a 300 MHz period, and there are only so many. A wide AXI port that crosses costs
//! registers and clock frequency; the clock that an analysis claims is then not the one that the design reaches.
//!
//! ## Example
//!
//! ```ini
//! slr=gemm_1:SLR2
//! sp=gemm_1.a:HBM[0]
//! ```
//!
//! ## How to fix
//!
//! Place the unit beside its memory; or, where it does not fit there, cross with a stream instead of a memory port and take
//! the clock from the link report.

use std::collections::BTreeMap;

use derate_hls::{BankRange, Connectivity, MemoryPin, Span, StreamLink};
use serde::Serialize;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_machine::Platform;
use derate_units::Provenance;

pub(super) fn check_project(input: &AuditInput<'_>, platform: &Platform) -> Vec<Finding> {
    let Some((_, connectivity)) = &input.build.connectivity else { return Vec::new() };
    let placed = place_units(platform, connectivity);
    let pins = connectivity.memory.iter();
    let pins = pins.filter_map(|pin| report_memory(platform, &placed, pin));
    let links = connectivity.streams.iter();
    pins.chain(links.filter_map(|link| report_stream(&placed, link))).collect()
}

/// Where `slr=` puts each unit; one that it puts in two places, or on a die that the card does not have, is in none.
fn place_units<'a>(platform: &Platform, connectivity: &'a Connectivity) -> BTreeMap<&'a str, u64> {
    let slrs = platform.slr.as_ref().map_or(f64::INFINITY, |slrs| slrs.value);
    let mut placed: BTreeMap<&str, Option<u64>> = BTreeMap::new();
    for pin in &connectivity.slr {
        let slr = pin.number().filter(|slr| (*slr as f64) < slrs);
        placed
            .entry(&pin.unit.value)
            .and_modify(|known| *known = known.filter(|known| Some(*known) == slr))
            .or_insert(slr);
    }
    placed.into_iter().filter_map(|(unit, slr)| Some((unit, slr?))).collect()
}

/// The SLR of all banks of a range, where it is one.
fn slr_of_banks(platform: &Platform, banks: &BankRange) -> Option<u64> {
    let known = platform.banks.iter().find(|known| known.memory == banks.memory)?;
    let (first, last) = (banks.first?, banks.last?);
    if last >= known.count.value {
        return None;
    }
    let slr = known.slr_of(first)?;
    (first..=last).all(|bank| known.slr_of(bank) == Some(slr)).then_some(slr)
}

/// Where one end is, and the other.
#[derive(Debug, Serialize)]
struct Crossing {
    kind: &'static str,
    from: String,
    from_slr: u64,
    to: String,
    to_slr: u64,
}

fn report_crossing(crossing: &Crossing, level: Level, span: Span) -> Finding {
    let Crossing { kind, from, from_slr, to, to_slr } = crossing;
    Finding::new("connectivity/slr-crossing", level, from.clone())
        .by_file()
        .with_message(format!("{kind} `{from}` crosses from SLR{from_slr} to {to} on SLR{to_slr}"))
        .with_label(span, format!("from SLR{from_slr} to {to} on SLR{to_slr}"))
        .with_help(
            "place the unit in the SLR of its memory, or take the clock from the link report",
        )
        .with_evidence(crossing)
}

/// The finding on an argument whose memory is on another SLR: a note where that is assumed.
fn report_memory(
    platform: &Platform,
    placed: &BTreeMap<&str, u64>,
    pin: &MemoryPin,
) -> Option<Finding> {
    let (from_slr, banks) = (*placed.get(pin.unit.value.as_str())?, &pin.banks.value);
    let to_slr = slr_of_banks(platform, banks).filter(|slr| *slr != from_slr)?;
    let from = format!("{}.{}", pin.unit.value, pin.argument.value);
    let to = banks.to_string();
    let known = platform.banks.iter().find(|known| known.memory == banks.memory);
    let source = known.and_then(|known| known.slr.as_ref());
    let assumed = source.is_none_or(|figure| figure.provenance == Provenance::Assumed);
    let note = source.map(|figure| {
        let lead = format!("the SLR of {} is assumed: ", banks.memory);
        format!("{}{}", if assumed { &lead } else { "" }, figure.source)
    });
    let crossing = Crossing { kind: "argument", from, from_slr, to, to_slr };
    let level = if assumed { Level::Note } else { Level::Warning };
    Some(report_crossing(&crossing, level, pin.span).with_notes(note))
}

fn report_stream(placed: &BTreeMap<&str, u64>, link: &StreamLink) -> Option<Finding> {
    let unit = |end: &str| end.split_once('.').and_then(|(unit, _)| placed.get(unit)).copied();
    let (from_slr, to_slr) = (unit(&link.from.value)?, unit(&link.to.value)?);
    let (from, to) = (link.from.value.clone(), link.to.value.clone());
    let crossing = Crossing { kind: "stream", from, from_slr, to, to_slr };
    (from_slr != to_slr).then(|| report_crossing(&crossing, Level::Note, link.span))
}
