//! A memory bank or an SLR that the card does not have.
//!
//! ## What it does
//!
//! Holds the banks of `sp=` (`HBM`, `DDR` and `PLRAM`, alone or as a range) and the dies of `slr=` in the v++ configuration
//! against the banks and SLRs of the platform file. Both are counted from 0. Other memories (`HOST`, names of a platform's
//! own), and those that the platform file does not count, are not judged: a card may have what its file leaves out.
//!
//! ## Why it matters
//!
//! v++ refuses such a configuration once all kernels are compiled; and a bandwidth that counts the banks of the
//! configuration counts some that do not exist.
//!
//! ## Example
//!
//! `sp=gemm_1.a:HBM[32]` on a card with 32 pseudo channels: the last one is `HBM[31]`.
//!
//! ## How to fix
//!
//! Name a bank that exists, or the right card under `[platform]`. `platforminfo` lists what a shell has.

use derate_hls::{FileId, MemoryPin, SlrPin};
use serde_json::json;

use super::occurrences::{Occurrence, first_labels, list_names};
use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::Platform;
use derate_units::figures::count;

/// Memories that every shell calls by these names.
const JUDGED: [&str; 3] = ["HBM", "DDR", "PLRAM"];

const CODE: &str = "connectivity/not-on-card";

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some((file, connectivity)) = &analysis.build.connectivity else { return Vec::new() };
    let platform = &analysis.platform;
    let banks = connectivity.memory.iter().filter_map(|pin| find_absent_bank(platform, pin));
    let slrs = connectivity.slr.iter().filter_map(|pin| find_absent_slr(platform, pin));
    let absent = banks
        .map(|(case, source)| Absent { case, source, die: false })
        .chain(slrs.map(|(case, source)| Absent { case, source, die: true }));
    let groups =
        AllowGroups::new(analysis, CODE).split_allowed(absent.collect(), |one| one.case.label.span);
    groups.into_iter().map(|absent| make_finding(analysis, *file, absent)).collect()
}

/// A bank or a die that is not there.
struct Absent<'a> {
    case: Occurrence,
    /// The source for what the card has.
    source: &'a str,
    die: bool,
}

fn make_finding(analysis: &Analysis, file: FileId, absent: Vec<Absent<'_>>) -> Finding {
    let platform = &analysis.platform;
    let mut notes: Vec<String> = Vec::new();
    for one in &absent {
        if !notes.iter().any(|known| known == one.source) {
            notes.push(one.source.to_owned());
        }
    }
    let of = |die| absent.iter().filter(move |one| one.die == die);
    let [banks, slrs]: [Vec<String>; 2] =
        [false, true].map(|die| of(die).map(|one| one.case.name.clone()).collect());
    let cases: Vec<Occurrence> = absent.into_iter().map(|one| one.case).collect();
    let file = analysis.sources.name(file).to_owned();
    Finding::new(CODE, Level::Error, file.clone())
        .with_message(format!(
            "{} {} not have: {}",
            count(cases.len(), "pin"),
            if cases.len() == 1 {
                format!("names what {} does", platform.name)
            } else {
                format!("name what {} does", platform.name)
            },
            list_names(cases.iter().map(|case| case.name.as_str()))
        ))
        .with_labels(first_labels(&cases))
        .with_notes(notes)
        .with_help(
            "name a bank or SLR that exists, or the card that is meant under [platform]; \
                    `platforminfo` lists what a shell has",
        )
        .with_evidence(json!({
            "file": file,
            "platform": platform.name,
            "banks": banks,
            "slrs": slrs,
        }))
}

/// A pin to a bank that the card does not have, and the source for what it has.
fn find_absent_bank<'a>(platform: &'a Platform, pin: &MemoryPin) -> Option<(Occurrence, &'a str)> {
    let banks = &pin.banks.value;
    if !JUDGED.contains(&banks.memory.as_str()) {
        return None;
    }
    let known = platform.banks.iter().find(|known| known.memory == banks.memory)?;
    let last = known.count.value.saturating_sub(1);
    let beyond = banks.last.is_some_and(|bank| bank > last);
    beyond.then(|| {
        let text = format!("{} ends with {}[{last}]", platform.name, banks.memory);
        let case = Occurrence::new(banks.to_string(), Label::new(pin.banks.span, text));
        (case, known.count.source.as_str())
    })
}

fn find_absent_slr<'a>(platform: &'a Platform, pin: &SlrPin) -> Option<(Occurrence, &'a str)> {
    let slrs = platform.slr.as_ref()?;
    let last = slrs.value - 1.0;
    let there = super::slr_crossing::slr_number(pin).is_some_and(|slr| slr as f64 <= last);
    (!there).then(|| {
        let text = format!("{} has SLR0 to SLR{last}", platform.name);
        (
            Occurrence::new(pin.slr.value.clone(), Label::new(pin.slr.span, text)),
            slrs.source.as_str(),
        )
    })
}
