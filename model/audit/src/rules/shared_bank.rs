//! Several arguments are pinned to the same memory bank.
//!
//! ## What it does
//!
//! Looks in the v++ configuration for HBM and DDR banks to which `sp=` pins more than one argument, alone or within a
//! range such as `HBM[0:3]`. A memory without a number is not judged: which bank v++ takes is unknown then.
//!
//! ## Why it matters
//!
//! A bank serves one access at a time. Two ports on one channel of HBM have half of its bandwidth each, and ports on
//! one range meet in the same banks unless their buffers are placed apart. The card's bandwidth is that of all banks at
//! once.
//!
//! ## Example
//!
//! ```ini
//! sp=vadd_1.in1:HBM[0:3]
//! sp=vadd_1.in2:HBM[0:3]
//! ```
//!
//! ## How to fix
//!
//! Give each argument that is accessed at the same time a bank of its own. Where the arguments are of one `m_axi`
//! bundle or are used one after another, set the rule's level to `off` or `note` in `[audit.levels]`.

use std::collections::BTreeMap;

use derate_hls::{BankRange, FileId, MemoryPin};
use serde::Serialize;
use serde_json::json;

use super::occurrences::{Occurrence, first_labels};
use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// More banks than any card has: a range beyond is a slip, and not gone through.
const BANKS: u64 = 1024;

/// So many groups are named.
const GROUPS: usize = 3;

const CODE: &str = "connectivity/shared-bank";

/// Neighbouring banks that the same arguments share.
#[derive(Clone, Debug, Serialize)]
struct Shared {
    banks: String,
    arguments: Vec<String>,
    #[serde(skip)]
    pins: Vec<usize>,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some((file, connectivity)) = &analysis.build.connectivity else { return Vec::new() };
    let pins = &connectivity.memory;
    // A group is reported at its first pin.
    let place = |one: &Shared| one.pins.first().and_then(|&at| pins.get(at)).map(|pin| pin.span);
    let shared = find_shared(pins).into_iter().filter_map(|one| Some((place(&one)?, one)));
    let groups =
        AllowGroups::new(analysis, CODE).split_allowed(shared.collect(), |(span, _)| *span);
    groups
        .into_iter()
        .filter_map(|group| {
            let shared: Vec<Shared> = group.into_iter().map(|(_, one)| one).collect();
            make_finding(analysis, *file, pins, &shared)
        })
        .collect()
}

fn make_finding(
    analysis: &Analysis,
    file: FileId,
    pins: &[MemoryPin],
    shared: &[Shared],
) -> Option<Finding> {
    let first = shared.first()?;
    let cases: Vec<Occurrence> = first
        .pins
        .iter()
        .map(|&at| {
            let pin = &pins[at];
            Occurrence::new(
                argument_name(pin),
                Label::new(pin.span, format!("here on {}", pin.banks.value)),
            )
        })
        .collect();
    let mut notes: Vec<String> = shared
        .iter()
        .take(GROUPS)
        .map(|one| {
            format!(
                "{}: {}",
                one.banks,
                super::occurrences::list_names(one.arguments.iter().map(String::as_str))
            )
        })
        .collect();
    if shared.len() > GROUPS {
        notes.push(format!("and {} more", count(shared.len() - GROUPS, "group")));
    }
    notes.push("arguments of one m_axi bundle share their port in any case".to_owned());
    let file = analysis.sources.name(file).to_owned();
    Some(
        Finding::new(CODE, Level::Warning, file.clone())
            .with_message(match shared.len() {
                1 => format!("{} share {}", count(first.arguments.len(), "argument"), first.banks),
                many => format!(
                    "{} of banks are shared by several arguments; the first: {} on {}",
                    count(many, "group"),
                    count(first.arguments.len(), "argument"),
                    first.banks
                ),
            })
            .with_labels(first_labels(&cases))
            .with_notes(notes)
            .with_help("pin each argument that is accessed at the same time to a bank of its own")
            .with_evidence(json!({ "file": file, "shared": shared })),
    )
}

/// Banks with more than one argument; neighbours with the same arguments are one range.
fn find_shared(pins: &[MemoryPin]) -> Vec<Shared> {
    let mut on: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    for (at, pin) in pins.iter().enumerate() {
        let banks = &pin.banks.value;
        let (Some(first), Some(last)) = (banks.first, banks.last) else { continue };
        let judged = matches!(banks.memory.as_str(), "HBM" | "DDR");
        if !judged || banks.count().is_none_or(|number| number > BANKS) {
            continue;
        }
        for bank in first..=last {
            let here = on.entry((&banks.memory, bank)).or_default();
            // An argument that is pinned twice does not share with itself.
            if here.iter().all(|&other| argument_name(&pins[other]) != argument_name(pin)) {
                here.push(at);
            }
        }
    }
    let mut groups: Vec<(BankRange, Vec<usize>)> = Vec::new();
    for ((memory, bank), here) in on.into_iter().filter(|(_, here)| here.len() > 1) {
        match groups.last_mut() {
            Some((range, same))
                if *same == here
                    && range.memory == memory
                    && range.last.and_then(|last| last.checked_add(1)) == Some(bank) =>
            {
                range.last = Some(bank);
            }
            _ => {
                let range =
                    BankRange { memory: memory.to_owned(), first: Some(bank), last: Some(bank) };
                groups.push((range, here));
            }
        }
    }
    groups
        .into_iter()
        .map(|(range, pinned)| Shared {
            banks: range.to_string(),
            arguments: pinned.iter().map(|&at| argument_name(&pins[at])).collect(),
            pins: pinned,
        })
        .collect()
}

fn argument_name(pin: &MemoryPin) -> String {
    format!("{}.{}", pin.unit.value, pin.argument.value)
}
