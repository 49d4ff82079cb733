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

use derate_hls::{MemoryPin, SlrPin, Span};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_machine::Platform;

/// Memories that every shell calls by these names.
const JUDGED: [&str; 3] = ["HBM", "DDR", "PLRAM"];

pub(super) fn check_project(input: &AuditInput<'_>, platform: &Platform) -> Vec<Finding> {
    let Some((_, connectivity)) = &input.build.connectivity else { return Vec::new() };
    let banks = connectivity.memory.iter().filter_map(|pin| find_absent_bank(platform, pin));
    let slrs = connectivity.slr.iter().filter_map(|pin| find_absent_slr(platform, pin));
    banks.chain(slrs).map(|absent| report_absent(platform, absent)).collect()
}

/// A bank or an SLR that is not there.
struct Absent<'a> {
    kind: &'static str,
    name: String,
    span: Span,
    /// What the card has, and the source for that.
    there: String,
    source: &'a str,
}

fn report_absent(platform: &Platform, absent: Absent<'_>) -> Finding {
    let Absent { kind, name, span, there, source } = absent;
    let card = &platform.name;
    Finding::new("connectivity/not-on-card", Level::Error, name.clone())
        .by_file()
        .with_message(format!("{card} does not have `{name}`"))
        .with_label(span, there)
        .with_note(source)
        .with_help(
            "name a bank or SLR that exists, or the card that is meant under [platform]; \
             `platforminfo` lists what a shell has",
        )
        .with_evidence(json!({ "platform": card, "kind": kind, "name": name }))
}

/// A pin to a bank that the card does not have.
fn find_absent_bank<'a>(platform: &'a Platform, pin: &MemoryPin) -> Option<Absent<'a>> {
    let banks = &pin.banks.value;
    if !JUDGED.contains(&banks.memory.as_str()) {
        return None;
    }
    let known = platform.find_banks_below(&banks.memory, banks.last?)?;
    let last = known.count.value.saturating_sub(1);
    Some(Absent {
        kind: "bank",
        name: banks.to_string(),
        span: pin.banks.span,
        there: format!("{} ends with {}[{last}]", platform.name, banks.memory),
        source: &known.count.source,
    })
}

fn find_absent_slr<'a>(platform: &'a Platform, pin: &SlrPin) -> Option<Absent<'a>> {
    let slrs = platform.find_slrs_below(pin.number())?;
    Some(Absent {
        kind: "slr",
        name: pin.slr.value.clone(),
        span: pin.slr.span,
        there: format!("{} has SLR0 to SLR{}", platform.name, slrs.value - 1.0),
        source: &slrs.source,
    })
}
