//! An access to external memory is no burst, or a port is left narrow.
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
//! Each access that is no burst waits for the memory anew, some hundred cycles for a few bytes, and a port of 32 bits
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
use serde::Serialize;

use super::cases::{Case, file, labels, named, names, top};
use super::evidence;
use super::repeats::{Said, key, once};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// Bits of one pseudo channel of HBM.
const WIDE: u64 = 256;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct Bursts {
    file: String,
    accesses: Vec<String>,
    reasons: BTreeMap<String, usize>,
    narrow_ports: Vec<String>,
    not_widened: usize,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    once(analysis.build.reports.iter().filter_map(|report| finding(analysis, report)))
}

fn finding(analysis: &Analysis, report: &Report) -> Option<Said> {
    let missed =
        |burst: &&Burst| matches!(burst.verdict, BurstVerdict::Failed | BurstVerdict::Missed);
    let bursts: Vec<&Burst> = listed(report)
        .into_iter()
        .filter(missed)
        .filter(|burst| !is_inferred(report, burst))
        .collect();
    let accesses: Vec<Case> = bursts.iter().map(|burst| access(burst)).collect();
    let ports: Vec<Case> = report.ports.iter().filter_map(narrow).collect();
    let message = match (accesses.len(), ports.len()) {
        (0, 0) => return None,
        (0, ports) => format!("{} left narrow", are(ports, "port")),
        (accesses, 0) => format!("{} no burst", are(accesses, "access")),
        (accesses, ports) => {
            format!("{} no burst, and {} left narrow", are(accesses, "access"), are(ports, "port"))
        }
    };
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for burst in &bursts {
        let code = burst.code.as_ref().map_or("no number", |code| code.value.as_str());
        *reasons.entry(code.to_owned()).or_default() += 1;
    }
    let not_widened =
        listed(report).iter().filter(|burst| burst.verdict == BurstVerdict::NotWidened).count();
    let mut notes = Vec::new();
    if !accesses.is_empty() {
        let reasons: Vec<String> =
            reasons.iter().map(|(code, times)| format!("{code} {times}x")).collect();
        notes.push(format!(
            "{}; reasons: {}",
            named(accesses.iter().map(|case| case.name.as_str())),
            reasons.join(", ")
        ));
    }
    if not_widened > 0 {
        notes.push(format!("{} not be made wider", could(not_widened)));
    }
    let (access_names, port_names) = (names(&accesses), names(&ports));
    let mut cases = accesses;
    cases.extend(ports);
    let file = file(&analysis.sources, &cases);
    let keys = cases.iter().map(|case| key(&[top(report), &case.name, &case.label.text])).collect();
    let finding = Finding {
        code: "report/burst",
        level: Level::Warning,
        subject: file.clone(),
        message: format!("in `{}` {message}", top(report)),
        labels: labels(&cases),
        notes,
        help: "copy in order into a local buffer, one bundle an array, and let the port be wide: \
               `max_widen_bitwidth=512` or `ap_uint<512>`"
            .to_owned(),
        evidence: evidence(&Bursts {
            file,
            accesses: access_names,
            reasons,
            narrow_ports: port_names,
            not_widened,
        }),
        fixes: Vec::new(),
    };
    Some(Said { keys, weight: 0, finding })
}

/// What is the same in two places of a burst; `None` where the report does not say.
fn said(word: Option<&Located<String>>) -> Option<&str> {
    word.map(|word| word.value.as_str())
}

/// Each once: since 2022.2 one table lists what was missed, and another one all accesses, with their directions.
fn listed(report: &Report) -> Vec<&Burst> {
    let same = |a: &Burst, b: &Burst| {
        (&a.interface.value, a.verdict) == (&b.interface.value, b.verdict)
            && said(a.variable.as_ref()) == said(b.variable.as_ref())
            && said(a.loop_name.as_ref()) == said(b.loop_name.as_ref())
            && said(a.code.as_ref()) == said(b.code.as_ref())
    };
    let mut known: BTreeMap<&str, Vec<&Burst>> = BTreeMap::new();
    let mut all: Vec<&Burst> = Vec::new();
    // Those with a direction say more.
    let (full, short): (Vec<&Burst>, Vec<&Burst>) =
        report.bursts.iter().partition(|burst| burst.direction.is_some());
    for burst in full.into_iter().chain(short) {
        let beside = known.entry(&burst.interface.value).or_default();
        let repeated = beside.iter().any(|other| {
            let place = said(other.location.as_ref()) == said(burst.location.as_ref())
                && said(other.direction.as_ref()) == said(burst.direction.as_ref());
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
                && said(other.variable.as_ref()) == said(burst.variable.as_ref())
                && said(other.location.as_ref()) == said(burst.location.as_ref())
                && said(other.direction.as_ref()) == said(burst.direction.as_ref())
        })
}

fn are(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), if number == 1 { "is" } else { "are" })
}

fn could(number: usize) -> String {
    format!("{} could", count(number, "access"))
}

fn access(burst: &Burst) -> Case {
    let word = burst.variable.as_ref().unwrap_or(&burst.interface);
    let why = burst.reason.as_ref().map_or("the tool gives no reason", |reason| &reason.value);
    let code = burst.code.as_ref().map(|code| format!(" ({})", code.value)).unwrap_or_default();
    let name = match &burst.loop_name {
        Some(one) => format!("{} in {}", word.value, one.value),
        None => word.value.clone(),
    };
    Case::new(name, Label::new(word.span, format!("no burst: {why}{code}")))
}

fn narrow(port: &MemoryPort) -> Option<Case> {
    let bits = port.bits.as_ref()?;
    let width = bits.value.known().filter(|width| *width < WIDE)?;
    let source = port.source_bits.as_ref()?.value.known()?;
    if width != source {
        return None;
    }
    let text = format!("`{}` is {width} bits wide, as is one element", port.name.value);
    Some(Case::new(port.name.value.clone(), Label::new(bits.span, text)))
}
