//! An access to external memory is not a burst, or a port is narrow.
//!
//! ## What it does
//!
//! Lists the `m_axi` accesses for which the tool says that it inferred no burst, with the numbers of its reasons, and
//! the ports that are as narrow as one element of the source and below 256 bits, which is the width of one pseudo
//! channel of HBM. A port whose widths are not both printed as numbers is not judged. Accesses that could only not be
//! made wider are counted beside those of their port. A row without a variable is of a region; its accesses have rows of their own.
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

use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};
use derate_units::figures::count;

/// Bits of one pseudo channel of HBM.
const WIDE: u64 = 256;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    drop_repeats(
        input,
        input.build.reports.iter().flat_map(|report| {
            let bursts = list_bursts(report);
            let not_widened = |interface: &str| {
                let own = bursts.iter().filter(|burst| burst.interface.value == interface);
                let number = own.filter(|burst| burst.verdict == BurstVerdict::NotWidened).count();
                (number > 0).then(|| {
                    format!("{} of `{interface}` could not be made wider", count(number, "access"))
                })
            };
            let accesses = bursts.iter().filter_map(|burst| {
                Some((report_access(input, report, burst)?, &burst.interface.value))
            });
            let ports = report
                .ports
                .iter()
                .filter_map(|port| Some((report_port(report, port)?, &port.name.value)));
            let found: Vec<ReportFinding> = accesses
                .chain(ports)
                .map(|(one, interface)| ReportFinding {
                    finding: one.finding.with_notes(not_widened(interface)),
                    ..one
                })
                .collect();
            found
        }),
    )
}

fn report_access(input: &AuditInput<'_>, report: &Report, burst: &Burst) -> Option<ReportFinding> {
    let missed = matches!(burst.verdict, BurstVerdict::Failed | BurstVerdict::Missed);
    let bursts = is_inferred(report, burst) || is_region_of_bursts(report, burst);
    if !missed || bursts || bursts_within(&input.build.reports, report, burst) {
        return None;
    }
    let word = burst.variable.as_ref().unwrap_or(&burst.interface);
    let why = burst.reason.as_ref().map_or("the tool gives no reason", |reason| &reason.value);
    let code = word_of(burst.code.as_ref());
    let number = code.map(|code| format!(" ({code})")).unwrap_or_default();
    let name = match (&burst.loop_name, &burst.location) {
        (Some(one), _) => format!("{} in {}", word.value, one.value),
        (None, Some(at)) => format!("{} at {}", word.value, at.value),
        (None, None) => word.value.clone(),
    };
    let (top, text) = (top_name(report), format!("no burst: {why}{number}"));
    let key = make_key(&[top, &name, &text]);
    let finding = new_finding(&name)
        .with_message(format!("in `{top}` the access to `{name}` is not a burst"))
        .with_label(word.span, text)
        .with_evidence(json!({ "access": name, "reason": code, "why": why }));
    Some(ReportFinding { key, instance: None, weight: 0, finding })
}

fn report_port(report: &Report, port: &MemoryPort) -> Option<ReportFinding> {
    let bits = port.bits.as_ref()?;
    let width = bits.value.known().filter(|width| *width < WIDE)?;
    if width != port.source_bits.as_ref()?.value.known()? {
        return None;
    }
    let (top, name) = (top_name(report), &port.name.value);
    let text = format!("`{name}` is {width} bits wide, as is one element");
    let key = make_key(&[top, name, &text]);
    let finding = new_finding(name)
        .with_message(format!("in `{top}` port `{name}` is left narrow: {width} bits"))
        .with_label(bits.span, text)
        .with_evidence(json!({ "narrow_port": name, "bits": width }));
    Some(ReportFinding { key, instance: None, weight: 0, finding })
}

fn new_finding(subject: &str) -> Finding {
    Finding::new("report/burst", Level::Warning, subject).by_file().with_help(
        "copy in order into a local buffer, one bundle an array, and let the port be wide: \
         `max_widen_bitwidth=512` or `ap_uint<512>`",
    )
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

/// An access that bursts in an inner loop is a burst, though none was made of the outer loop. The table of the bursts of 2022.1
/// names no variable: its place is enough.
fn is_inferred(report: &Report, burst: &Burst) -> bool {
    let is_same = |one: Option<&Located<String>>, other: Option<&Located<String>>| {
        one.is_none() || word_of(one) == word_of(other)
    };
    burst.variable.is_some()
        && burst.location.is_some()
        && report.bursts.iter().any(|other| {
            other.verdict == BurstVerdict::Inferred
                && other.interface.value == burst.interface.value
                && word_of(other.location.as_ref()) == word_of(burst.location.as_ref())
                && is_same(other.variable.as_ref(), burst.variable.as_ref())
                && (burst.direction.is_none()
                    || is_same(other.direction.as_ref(), burst.direction.as_ref()))
        })
}

/// A row without a variable is of a region whose accesses were not joined to one burst. They have rows of their own.
fn is_region_of_bursts(report: &Report, burst: &Burst) -> bool {
    burst.variable.is_none()
        && burst.location.is_some()
        && report.bursts.iter().any(|other| {
            other.verdict == BurstVerdict::Inferred
                && other.variable.is_some()
                && is_port_of(&other.interface.value, &burst.interface.value)
                && word_of(other.direction.as_ref()) == word_of(burst.direction.as_ref())
        })
}

/// A table that lists a burst of a loop within the one that has none: only the outer one was not widened.
fn bursts_within(reports: &[Report], report: &Report, burst: &Burst) -> bool {
    let (Some(outer), Some(place)) = (&burst.loop_name, &burst.location) else { return false };
    report.bursts.iter().any(|other| {
        let is_inner =
            |inner: &Located<String>| is_loop_within(reports, &outer.value, &inner.value);
        let same_file = |at: &Located<String>| file_of(&at.value) == file_of(&place.value);
        other.verdict == BurstVerdict::Inferred
            && is_port_of(&other.interface.value, &burst.interface.value)
            && other.location.as_ref().is_some_and(same_file)
            && other.loop_name.as_ref().is_some_and(is_inner)
    })
}

/// Whether one port is among several: `m_axi_a2` in `m_axi_a2,a3`, and in `m_axi_a2a3`, as XML has it.
fn is_port_of(port: &str, all: &str) -> bool {
    let (port, all) = (port.trim_start_matches("m_axi_"), all.trim_start_matches("m_axi_"));
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '_');
    all.split(',').any(|one| {
        let one = one.trim();
        one.strip_prefix(port).is_some_and(ends)
            || one.strip_suffix(port).is_some_and(|rest| !rest.ends_with('_'))
    })
}

/// `conv.cpp` of `conv.cpp:33:29`.
fn file_of(place: &str) -> &str {
    place.split(':').next().unwrap_or(place)
}

/// Whether one loop is in another: as some report nests them, or in the name of a flattened one, `outer_inner`.
fn is_loop_within(reports: &[Report], outer: &str, inner: &str) -> bool {
    let called = reports
        .iter()
        .flat_map(|report| &report.modules)
        .filter(|one| one.caller_loop.as_deref() == Some(outer));
    if called.flat_map(derate_hls::Module::all_loops).any(|one| one.name.value.contains(inner)) {
        return true;
    }
    let loops =
        reports.iter().flat_map(|report| &report.modules).flat_map(derate_hls::Module::all_loops);
    let mut loops = loops.filter(|one| outer != inner && one.name.value.contains(outer));
    loops.any(|one| {
        let name = &one.name.value;
        let flattened = name.find(outer).is_some_and(|at| name[at + outer.len()..].contains(inner));
        let mut open: Vec<_> = one.loops.iter().collect();
        while let Some(deeper) = open.pop() {
            if deeper.name.value.contains(inner) {
                return true;
            }
            open.extend(&deeper.loops);
        }
        flattened
    })
}
