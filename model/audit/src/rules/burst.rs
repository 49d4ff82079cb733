//! An access to external memory is not a burst, or a port is narrow.
//!
//! ## What it does
//!
//! Lists the `m_axi` accesses for which the tool says that it inferred no burst, with the numbers of its reasons, and
//! the ports that are as narrow as one element of the source and below 256 bits, which is the width of one pseudo
//! channel of HBM. A port whose widths are not both printed as numbers is not judged. Accesses that could only not be
//! made wider are counted beside them.
//!
//! ## Why it matters
//!
//! Each access without a burst waits for the memory, some hundred cycles for a few bytes, and a port of 32 bits
//! at 300 MHz moves 1.2 GB/s however fast the memory is. A roofline with the card's bandwidth is not that of this
//! kernel.
//!
//! ## Example
//!
//! `Stride is incompatible`, `214-230`; `32 -> 32` under `Data Width (SW->HW)`.
//!
//! ## How to fix
//!
//! Copy in order and in whole lines into a local buffer, give each array that is used at a time a bundle of its own,
//! and set `max_widen_bitwidth=512`, or use `ap_uint<512>` or `hls::vector` in the signature.

use std::collections::BTreeMap;

use derate_hls::{Burst, BurstVerdict, Located, MemoryPort, Report};
use serde_json::json;

use super::occurrences::{Occurrence, file_of, first_labels, list_names, names_of, top_name};
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// Bits of one pseudo channel of HBM.
const WIDE: u64 = 256;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    drop_repeats(analysis.build.reports.iter().filter_map(|report| make_finding(analysis, report)))
}

fn make_finding(analysis: &Analysis, report: &Report) -> Option<ReportFinding> {
    let missed =
        |burst: &&Burst| matches!(burst.verdict, BurstVerdict::Failed | BurstVerdict::Missed);
    let bursts: Vec<&Burst> = list_bursts(report)
        .into_iter()
        .filter(missed)
        .filter(|burst| !is_inferred(report, burst))
        .collect();
    let accesses: Vec<Occurrence> = bursts.iter().map(|burst| access_case(burst)).collect();
    let ports: Vec<Occurrence> = report.ports.iter().filter_map(narrow_port).collect();
    let message = match (accesses.len(), ports.len()) {
        (0, 0) => return None,
        (0, ports) => format!("{} left narrow", count_are(ports, "port")),
        (accesses, 0) => format!("{} no burst", count_are(accesses, "access")),
        (accesses, ports) => {
            format!(
                "{} no burst, and {} left narrow",
                count_are(accesses, "access"),
                count_are(ports, "port")
            )
        }
    };
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for burst in &bursts {
        let code = burst.code.as_ref().map_or("no number", |code| code.value.as_str());
        *reasons.entry(code.to_owned()).or_default() += 1;
    }
    let not_widened = list_bursts(report)
        .iter()
        .filter(|burst| burst.verdict == BurstVerdict::NotWidened)
        .count();
    let mut notes = Vec::new();
    if !accesses.is_empty() {
        let reasons: Vec<String> =
            reasons.iter().map(|(code, times)| format!("{code} {times}x")).collect();
        notes.push(format!(
            "{}; reasons: {}",
            list_names(accesses.iter().map(|case| case.name.as_str())),
            reasons.join(", ")
        ));
    }
    if not_widened > 0 {
        notes.push(format!("{} not be made wider", count_could(not_widened)));
    }
    let (access_names, port_names) = (names_of(&accesses), names_of(&ports));
    let mut cases = accesses;
    cases.extend(ports);
    let file = file_of(&analysis.sources, &cases);
    let keys = cases
        .iter()
        .map(|case| make_key(&[top_name(report), &case.name, &case.label.text]))
        .collect();
    let finding = Finding::new("report/burst", Level::Warning, file.clone())
        .with_message(format!("in `{}` {message}", top_name(report)))
        .with_labels(first_labels(&cases))
        .with_notes(notes)
        .with_help(
            "copy in order into a local buffer, one bundle an array, and let the port be wide: \
               `max_widen_bitwidth=512` or `ap_uint<512>`",
        )
        .with_evidence(json!({
            "file": file,
            "accesses": access_names,
            "reasons": reasons,
            "narrow_ports": port_names,
            "not_widened": not_widened,
        }));
    Some(ReportFinding { keys, weight: 0, finding })
}

/// What is the same in two places of a burst; `None` where the report does not say.
fn word_of(word: Option<&Located<String>>) -> Option<&str> {
    word.map(|word| word.value.as_str())
}

/// Each once: since 2022.2 one table lists what was missed, and another one all accesses, with their directions.
fn list_bursts(report: &Report) -> Vec<&Burst> {
    let same = |a: &Burst, b: &Burst| {
        (&a.interface.value, a.verdict) == (&b.interface.value, b.verdict)
            && word_of(a.variable.as_ref()) == word_of(b.variable.as_ref())
            && word_of(a.loop_name.as_ref()) == word_of(b.loop_name.as_ref())
            && word_of(a.code.as_ref()) == word_of(b.code.as_ref())
    };
    let mut known: BTreeMap<&str, Vec<&Burst>> = BTreeMap::new();
    let mut all: Vec<&Burst> = Vec::new();
    // Those with a direction say more.
    let (full, short): (Vec<&Burst>, Vec<&Burst>) =
        report.bursts.iter().partition(|burst| burst.direction.is_some());
    for burst in full.into_iter().chain(short) {
        let beside = known.entry(&burst.interface.value).or_default();
        let repeated = beside.iter().any(|other| {
            let place = word_of(other.location.as_ref()) == word_of(burst.location.as_ref())
                && word_of(other.direction.as_ref()) == word_of(burst.direction.as_ref());
            same(other, burst) && (place || other.direction.is_some() != burst.direction.is_some())
        });
        if !repeated {
            beside.push(burst);
            all.push(burst);
        }
    }
    all.sort_by_key(|burst| burst.interface.span);
    all
}

/// An access that bursts in an inner loop is a burst, though none was made of the outer loop.
fn is_inferred(report: &Report, burst: &Burst) -> bool {
    burst.variable.is_some()
        && burst.location.is_some()
        && report.bursts.iter().any(|other| {
            other.verdict == BurstVerdict::Inferred
                && other.interface.value == burst.interface.value
                && word_of(other.variable.as_ref()) == word_of(burst.variable.as_ref())
                && word_of(other.location.as_ref()) == word_of(burst.location.as_ref())
                && word_of(other.direction.as_ref()) == word_of(burst.direction.as_ref())
        })
}

fn count_are(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

fn count_could(number: usize) -> String {
    format!("{} could", count(number, "access"))
}

fn access_case(burst: &Burst) -> Occurrence {
    let word = burst.variable.as_ref().unwrap_or(&burst.interface);
    let why = burst.reason.as_ref().map_or("the tool gives no reason", |reason| &reason.value);
    let code = burst.code.as_ref().map(|code| format!(" ({})", code.value)).unwrap_or_default();
    let name = match &burst.loop_name {
        Some(one) => format!("{} in {}", word.value, one.value),
        None => word.value.clone(),
    };
    Occurrence::new(name, Label::new(word.span, format!("no burst: {why}{code}")))
}

fn narrow_port(port: &MemoryPort) -> Option<Occurrence> {
    let bits = port.bits.as_ref()?;
    let width = bits.value.known().filter(|width| *width < WIDE)?;
    let source = port.source_bits.as_ref()?.value.known()?;
    if width != source {
        return None;
    }
    let text = format!("`{}` is {width} bits wide, as is one element", port.name.value);
    Some(Occurrence::new(port.name.value.clone(), Label::new(bits.span, text)))
}
