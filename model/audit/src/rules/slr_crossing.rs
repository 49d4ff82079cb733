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

use derate_hls::{Connectivity, FileId, SlrPin};
use serde::Serialize;
use serde_json::json;

use super::occurrences::{Occurrence, first_labels, list_names};
use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::Platform;
use derate_units::Provenance;
use derate_units::figures::count;

const CODE: &str = "connectivity/slr-crossing";

#[derive(Debug, Serialize)]
struct Crossing {
    from: String,
    from_slr: u64,
    to: String,
    to_slr: u64,
}

/// The number of `SLR1`.
pub(super) fn slr_number(pin: &SlrPin) -> Option<u64> {
    let name = pin.slr.value.to_ascii_uppercase();
    name.strip_prefix("SLR")?.parse().ok()
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some((file, connectivity)) = &analysis.build.connectivity else { return Vec::new() };
    let crossings = find_crossings(&analysis.platform, connectivity);
    let groups = AllowGroups::new(analysis, CODE).split_allowed(crossings, |one| one.label.span);
    groups.into_iter().map(|crossings| make_finding(analysis, *file, crossings)).collect()
}

/// Where `slr=` puts each unit; one that it puts in two places, or on a die that the card does not have, is in none.
fn place_units<'a>(platform: &Platform, connectivity: &'a Connectivity) -> BTreeMap<&'a str, u64> {
    let slrs = platform.slr.as_ref().map_or(f64::INFINITY, |slrs| slrs.value);
    let mut placed: BTreeMap<&str, Option<u64>> = BTreeMap::new();
    for pin in &connectivity.slr {
        let slr = slr_number(pin).filter(|slr| (*slr as f64) < slrs);
        placed
            .entry(&pin.unit.value)
            .and_modify(|known| *known = known.filter(|known| Some(*known) == slr))
            .or_insert(slr);
    }
    placed.into_iter().filter_map(|(unit, slr)| Some((unit, slr?))).collect()
}

/// The SLR of all banks of a range, where it is one.
fn slr_of_banks(platform: &Platform, banks: &derate_hls::BankRange) -> Option<u64> {
    let known = platform.banks.iter().find(|known| known.memory == banks.memory)?;
    let (first, last) = (banks.first?, banks.last?);
    if last >= known.count.value {
        return None;
    }
    let slr = known.slr_of(first)?;
    (first..=last).all(|bank| known.slr_of(bank) == Some(slr)).then_some(slr)
}

/// A crossing, and its place.
struct PlacedCrossing {
    crossing: Crossing,
    label: Label,
    /// The source for the memory's SLR, and whether it is assumed; nothing for a stream.
    memory: Option<(String, bool)>,
}

/// Crossings of ports first, then those of streams.
fn find_crossings(platform: &Platform, connectivity: &Connectivity) -> Vec<PlacedCrossing> {
    let placed = place_units(platform, connectivity);
    let mut found = Vec::new();
    for pin in &connectivity.memory {
        let Some(&own) = placed.get(pin.unit.value.as_str()) else { continue };
        let banks = &pin.banks.value;
        let Some(slr) = slr_of_banks(platform, banks).filter(|slr| *slr != own) else {
            continue;
        };
        let from = format!("{}.{}", pin.unit.value, pin.argument.value);
        let text = format!("from SLR{own} to {banks} on SLR{slr}");
        let known = platform.banks.iter().find(|known| known.memory == banks.memory);
        let source = known.and_then(|known| known.slr.as_ref()).map(|figure| {
            if figure.provenance == Provenance::Assumed {
                (format!("the SLR of {} is assumed: {}", banks.memory, figure.source), true)
            } else {
                (figure.source.clone(), false)
            }
        });
        found.push(PlacedCrossing {
            crossing: Crossing { from, from_slr: own, to: banks.to_string(), to_slr: slr },
            label: Label::new(pin.span, text),
            memory: Some(source.unwrap_or((String::new(), true))),
        });
    }
    for link in &connectivity.streams {
        let unit = |end: &str| end.split_once('.').and_then(|(unit, _)| placed.get(unit)).copied();
        let (Some(from_slr), Some(to_slr)) = (unit(&link.from.value), unit(&link.to.value)) else {
            continue;
        };
        if from_slr == to_slr {
            continue;
        }
        let (from, to) = (link.from.value.clone(), link.to.value.clone());
        let label = Label::new(link.span, format!("from SLR{from_slr} to SLR{to_slr}"));
        found.push(PlacedCrossing {
            crossing: Crossing { from, from_slr, to, to_slr },
            label,
            memory: None,
        });
    }
    found
}

fn make_finding(analysis: &Analysis, file: FileId, found: Vec<PlacedCrossing>) -> Finding {
    let (mut memory, mut streams, mut cases) = (Vec::new(), Vec::new(), Vec::new());
    let mut sources: Vec<String> = Vec::new();
    let mut assumed = true;
    for PlacedCrossing { crossing, label, memory: source } in found {
        cases.push(Occurrence::new(crossing.from.clone(), label));
        match source {
            Some((source, is_assumed)) => {
                assumed &= is_assumed;
                if !source.is_empty() && !sources.contains(&source) {
                    sources.push(source);
                }
                memory.push(crossing);
            }
            None => streams.push(crossing),
        }
    }
    let message = match (memory.len(), streams.len()) {
        (0, links) => format!("{} between SLRs", count_crossings(links, "stream")),
        (ports, 0) => {
            format!("{} between SLRs on the way to memory", count_crossings(ports, "argument"))
        }
        (ports, links) => format!(
            "{} between SLRs on the way to memory, and {}",
            count_crossings(ports, "argument"),
            count(links, "stream")
        ),
    };
    // Streams alone leave it a note.
    let level = if assumed { Level::Note } else { Level::Warning };
    let mut notes = vec![list_names(cases.iter().map(|case| case.name.as_str()))];
    notes.extend(sources);
    let file = analysis.sources.name(file).to_owned();
    Finding::new(CODE, level, file.clone())
        .with_message(message)
        .with_labels(first_labels(&cases))
        .with_notes(notes)
        .with_help(
            "place the unit in the SLR of its memory, or take the clock from the link report",
        )
        .with_evidence(json!({ "file": file, "memory": memory, "streams": streams }))
}

fn count_crossings(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "crosses" } else { "cross" })
}
