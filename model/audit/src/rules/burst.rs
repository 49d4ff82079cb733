//! An access to external memory is not a burst, or a port is narrow.
//!
//! ## What it does
//!
//! Lists the `m_axi` accesses for which the tool says that it inferred no burst, with its reason and the number of it, and
//! the ports that are as narrow as one element of the source and below 256 bits, which is the width of one pseudo
//! channel of HBM. What has one cause in a kernel is one finding. A port whose widths are not both printed as numbers is not
//! judged, nor is one of which no access is a burst: that is said of the accesses. An access in an outer loop that bursts in an inner one is a burst. A row without a variable is of a region: it counts
//! where several accesses of the region are to one bundle, and is a note where no loop starts late. `No burst in design` is one finding for all ports.
//!
//! A kernel of 0 cycles computes nothing (`report/empty`) and is not judged. Accesses and ports that move fewer than
//! 512 bytes in a run of the kernel are a note. So are those that take less than 1 % of the top's cycles, and the single access to a lone value outside of the loops: of a top without a latency, its longest known row is taken. A word of a burst counts as
//! one, an access without a burst as 128, and where the words are not known the loop counts. A Zynq-7000 reaches its memory through ports of 64 bits and a Zynq `UltraScale+` through ports of
//! 128: a port that is as wide is not narrow. A narrow port is a note where another process of the dataflow takes half as long again; so it is where the only loop of the kernel copies to or from a `bram` port or a stream of one such word a cycle. Where a process
//! takes about as long, the finding says that streams and processes have to be as wide as the port. Where the greatest width that the tool may choose is 0, widening is off, and the finding says so.
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
//! By the tool's reason. Copy in order and in whole lines into a local buffer; read in every iteration, not under a condition; give
//! each array that is used at a time a bundle of its own. For a wide port set `max_widen_bitwidth=512`, or use `ap_uint<512>` or
//! `hls::vector` in the signature, let lengths be multiples of the words of a line, and unroll the loop: one that moves one element in a
//! cycle gains nothing from a wide port.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    Burst, BurstVerdict, Figure, Located, MemoryPort, OtherStage, Report, find_other_stage,
    find_word_port, is_port_of, list_bursts, list_missed, list_not_widened, top_name, word_of,
};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_advice::{advise_access, advise_lone_value, advise_width};
use derate_machine::PartName;
use derate_project::burst_weight::{LONE_VALUE, find_lone_value, find_small};
use derate_units::figures::{count, grouped, list_few};

/// Bits of one pseudo channel of HBM.
const WIDE: u64 = 256;

/// Names that are given of many.
const NAMED: usize = 6;

/// The number of the reason that a port may not be wider.
const NOT_ALLOWED: &str = "214-353";

/// What has one cause, and costs little or not: all of it, and the reasons why it costs little.
type Causes<'a, T> = BTreeMap<(bool, &'a str), (Vec<&'a T>, BTreeSet<String>)>;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    drop_repeats(input, reports.iter().flat_map(|report| check_report(input, report)))
}

fn check_report(input: &AuditInput<'_>, report: &Report) -> Vec<ReportFinding> {
    let reports = &input.build.reports;
    // It computes nothing, which `report/empty` says.
    let latency = report.top_module().and_then(|top| top.latency.as_ref());
    if latency.is_some_and(|latency| latency.value.known() == Some(0)) {
        return Vec::new();
    }
    let bursts = list_bursts(report);
    if let Some(none) = report_none(report, &bursts) {
        return vec![none];
    }
    // Another form of the report says so.
    let is_none = |other: &Report| other.no_burst.is_some() && top_name(other) == top_name(report);
    if bursts.is_empty() && reports.iter().any(is_none) {
        return Vec::new();
    }
    let is_slow = misses_interval(reports);
    let mut causes: Causes<'_, Burst> = BTreeMap::new();
    let missed = list_missed(reports, report, &bursts);
    for burst in missed.iter().copied() {
        let why = word_of(burst.code.as_ref()).unwrap_or_else(|| reason_of(burst));
        // A region whose loops all start in time loses little.
        let no_late = || (burst.variable.is_none() && !is_slow).then(|| NO_LATE.to_owned());
        let lone = find_lone_value(input.code, reports, report, burst).map(str::to_owned);
        let find_small =
            || find_small((input.code, input.sources), report, &[burst], bits_of(report, burst));
        let small = lone.or_else(find_small).or_else(no_late);
        let (all, reasons) = causes.entry((small.is_some(), why)).or_default();
        all.push(burst);
        reasons.extend(small);
    }
    let accesses =
        causes.into_values().map(|(all, small)| report_accesses(report, &bursts, &all, small));
    let mut narrow: Causes<'_, MemoryPort> = BTreeMap::new();
    let wide = memory_width(report).unwrap_or(WIDE);
    let ports = report.ports.iter();
    for (port, width) in ports.filter_map(|port| Some((port, narrow_width(port, wide)?))) {
        let name = port.name.value.as_str();
        let own = bursts.iter().filter(|burst| is_port_of(name, &burst.interface.value));
        let own: Vec<&Burst> = own.copied().collect();
        // A wider port brings nothing while none of its accesses is a burst, which is said of the accesses.
        let is_said = |one: &&Burst| missed.iter().any(|other| std::ptr::eq(*other, *one));
        if own.iter().any(is_said) && !own.iter().any(|one| is_burst(one)) {
            continue;
        }
        let allowed = port.max_widen_bitwidth.as_ref().and_then(|bits| bits.value.known());
        let why =
            list_not_widened(&bursts, name).first().and_then(|one| word_of(one.code.as_ref()));
        let why = why.or(allowed.filter(|bits| *bits <= width).map(|_| NOT_ALLOWED));
        let left = list_not_widened(&own, name);
        let is_all = left.len() * 2 >= own.len() && !left.is_empty();
        let small = find_small(
            (input.code, input.sources),
            report,
            if is_all { &left } else { &own },
            Some(width),
        );
        let small = small.or_else(|| explain_wait(report, &own)).or_else(|| {
            let port = find_word_port(reports, report, width)?;
            Some(format!(
                "the other end is port `{port}`, which has one word of {width} bits a cycle"
            ))
        });
        let key = (small.is_some(), why.unwrap_or_default());
        let (all, reasons) = narrow.entry(key).or_default();
        all.push(port);
        reasons.extend(small);
    }
    let ports = narrow.into_values().map(|(all, small)| report_ports(report, &bursts, &all, small));
    let mut found: Vec<ReportFinding> = accesses.collect();
    found.extend(ports);
    found
}

fn is_burst(burst: &Burst) -> bool {
    matches!(burst.verdict, BurstVerdict::Inferred | BurstVerdict::NotWidened)
}

/// The longest process of a dataflow beside those with these accesses.
fn find_beside<'a, 'b>(
    report: &'a Report,
    accesses: impl Iterator<Item = &'b Burst>,
) -> Option<OtherStage<'a>> {
    let loops: Option<BTreeSet<&str>> =
        accesses.map(|one| Some(one.loop_name.as_ref()?.value.as_str())).collect();
    find_other_stage(report, &loops.filter(|loops| !loops.is_empty())?)
}

/// Why accesses that another process waits for cost nothing.
fn explain_wait(report: &Report, accesses: &[&Burst]) -> Option<String> {
    let stage = find_beside(report, accesses.iter().copied()).filter(OtherStage::is_longer)?;
    let (cycles, own) = (grouped(stage.cycles as f64), grouped(stage.own as f64));
    Some(format!(
        "it waits for `{}`, which takes {cycles} cycles, and the access {own}",
        stage.name
    ))
}

/// Why accesses of a region cost little.
const NO_LATE: &str = "no loop in the reports starts late for it";

fn memory_width(report: &Report) -> Option<u64> {
    PartName::parse(&report.part.as_ref()?.value)?.memory_port_bits()
}

fn level_of(small: &BTreeSet<String>) -> Level {
    if small.is_empty() { Level::Warning } else { Level::Note }
}

/// No access of any port is a burst.
fn report_none(report: &Report, bursts: &[&Burst]) -> Option<ReportFinding> {
    let span = report.no_burst.filter(|_| !report.ports.is_empty() && bursts.is_empty())?;
    let (name, ports) = (top_name(report), list_ports(&report.ports));
    let narrow = report.ports.iter().filter_map(|port| narrow_width(port, WIDE)).max();
    let number = count(report.ports.len(), "port");
    let finding = new_finding(name, Level::Warning, advise_access(None))
        .with_message(format!("in `{name}` no access of {number} is a burst: {ports}"))
        .with_label(span, "each word is a request of its own")
        .with_notes(narrow.map(|bits| format!("a request moves at most {bits} bits")))
        .with_evidence(
            json!({ "access": null, "reason": "No burst in design", "ports": report.ports.len() }),
        );
    Some(ReportFinding { key: make_key(&[name, "none"]), instance: None, weight: 0, finding })
}

/// Accesses that are no bursts for one reason.
fn report_accesses(
    report: &Report,
    bursts: &[&Burst],
    all: &[&Burst],
    small: BTreeSet<String>,
) -> ReportFinding {
    let (top, first) = (top_name(report), all[0]);
    let code = word_of(first.code.as_ref());
    let mut names: Vec<String> = Vec::new();
    for name in all.iter().map(|burst| name_access(burst)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let text = |burst: &Burst| {
        let number = code.map(|code| format!(" ({code})")).unwrap_or_default();
        format!("no burst: {}{number}", reason_of(burst))
    };
    let message = if let [name] = &names[..] {
        format!("in `{top}` the access to `{name}` is not a burst")
    } else {
        let number = count(all.len(), "access");
        format!("in `{top}` {number} are not bursts: {}", list_names(&names))
    };
    let span = |burst: &Burst| burst.variable.as_ref().unwrap_or(&burst.interface).span;
    let labels = all.iter().take(NAMED).map(|burst| Label::new(span(burst), text(burst)));
    let interface = &first.interface.value;
    let is_lone = small.iter().eq([LONE_VALUE]);
    let help = if is_lone { advise_lone_value() } else { advise_access(code) };
    let finding = new_finding(&names[0], level_of(&small), help)
        .with_message(message)
        .with_labels(labels)
        .with_notes(count_not_widened(bursts, &[interface]))
        .with_notes(small)
        .with_evidence(json!({ "access": names[0], "reason": code, "why": reason_of(first), "accesses": all.len() }));
    let key = make_key(&[top, &names.join(","), &text(first)]);
    ReportFinding { key, instance: None, weight: 0, finding }
}

/// Ports that are left narrow for one reason.
fn report_ports(
    report: &Report,
    bursts: &[&Burst],
    all: &[&MemoryPort],
    small: BTreeSet<String>,
) -> ReportFinding {
    let top = top_name(report);
    let names: Vec<&str> = all.iter().map(|port| port.name.value.as_str()).collect();
    let first = names.first().copied().unwrap_or_default();
    let cause = list_not_widened(bursts, first).first().copied();
    let memory = memory_width(report);
    let wide = memory.unwrap_or(WIDE);
    let widths: BTreeSet<u64> = all.iter().filter_map(|port| narrow_width(port, wide)).collect();
    let width = widths.first().copied().unwrap_or_default();
    let bits: Vec<String> = widths.iter().map(u64::to_string).collect();
    let bits = bits.join(", ");
    let is_off = |port: &&MemoryPort| {
        port.max_widen_bitwidth.as_ref().and_then(|bits| bits.value.known()) == Some(0)
    };
    let off = if all.iter().all(is_off) { ", and widening is off" } else { "" };
    let message = if let [name] = &names[..] {
        format!("in `{top}` port `{name}` is left narrow: {bits} bits{off}")
    } else {
        format!("in `{top}` ports {} are left narrow: {bits} bits{off}", list_names(&names))
    };
    let labels = all.iter().take(NAMED).filter_map(|port| {
        let width = narrow_width(port, wide)?;
        let text = format!("`{}` is {width} bits wide, as is one element", port.name.value);
        Some(Label::new(port.bits.as_ref()?.span, text))
    });
    let own =
        bursts.iter().filter(|one| names.iter().any(|name| is_port_of(name, &one.interface.value)));
    let beside = find_beside(report, own.copied()).filter(OtherStage::is_as_long);
    let beside = beside.filter(|_| small.is_empty()).map(|one| {
        let (cycles, own) = (grouped(one.cycles as f64), grouped(one.own as f64));
        let name = one.name;
        format!(
            "a wide port alone changes nothing: `{name}` takes {cycles} cycles and the access {own}; streams and `{name}` have to move as many words in a cycle"
        )
    });
    let finding = new_finding(first, level_of(&small), advise_width(cause, all, width, memory))
        .with_message(message)
        .with_labels(labels)
        .with_notes(count_not_widened(bursts, &names))
        .with_notes(
            memory
                .filter(|wide| *wide != WIDE)
                .map(|wide| format!("the ports of this part to its memory have {wide} bits")),
        )
        .with_notes(beside)
        .with_notes(small)
        .with_evidence(json!({ "narrow_port": first, "bits": width, "ports": names }));
    let key = make_key(&[top, &names.join(","), &bits]);
    ReportFinding { key, instance: None, weight: 0, finding }
}

/// How many accesses of ports could not be made wider, with the tool's reason.
fn count_not_widened(bursts: &[&Burst], ports: &[&str]) -> Option<String> {
    let mut all: Vec<&Burst> = Vec::new();
    for burst in ports.iter().flat_map(|port| list_not_widened(bursts, port)) {
        if !all.iter().any(|known| std::ptr::eq(*known, burst)) {
            all.push(burst);
        }
    }
    let first = all.first()?;
    let has_own = |port: &&&str| !list_not_widened(bursts, port).is_empty();
    let ports: Vec<&str> = ports.iter().filter(has_own).copied().collect();
    let code = word_of(first.code.as_ref()).map(|code| format!(" ({code})")).unwrap_or_default();
    Some(format!(
        "{} of {} could not be made wider: {}{code}",
        count(all.len(), "access"),
        list_names(&ports),
        reason_of(first)
    ))
}

fn new_finding(subject: &str, level: Level, help: String) -> Finding {
    Finding::new("report/burst", level, subject).by_file().with_help(help)
}

/// Whether a loop starts later than it should.
fn misses_interval(reports: &[Report]) -> bool {
    let modules = reports.iter().flat_map(|report| &report.modules);
    modules.flat_map(derate_hls::Module::all_loops).any(|one| {
        let known = |figure: &Option<Located<Figure>>| figure.as_ref()?.value.known();
        known(&one.ii_achieved).is_some_and(|ii| ii > known(&one.ii_target).unwrap_or(1))
    })
}

fn list_ports(ports: &[MemoryPort]) -> String {
    let names: Vec<&str> = ports.iter().map(|port| port.name.value.as_str()).collect();
    list_names(&names)
}

/// Names in quotes, the first of them.
fn list_names<T: AsRef<str>>(names: &[T]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    list_few(&quoted, NAMED)
}

fn reason_of(burst: &Burst) -> &str {
    word_of(burst.reason.as_ref()).unwrap_or("the tool gives no reason")
}

fn name_access(burst: &Burst) -> String {
    let word = &burst.variable.as_ref().unwrap_or(&burst.interface).value;
    match (&burst.loop_name, &burst.location) {
        (Some(one), _) => format!("{word} in {}", one.value),
        (None, Some(at)) => format!("{word} at {}", at.value),
        (None, None) => word.clone(),
    }
}

/// The bits of a port that is as wide as one element, and below `wide`.
fn narrow_width(port: &MemoryPort, wide: u64) -> Option<u64> {
    let width = port.bits.as_ref()?.value.known().filter(|width| *width < wide)?;
    (width == port.source_bits.as_ref()?.value.known()?).then_some(width)
}

/// The bits of an element that an access moves.
fn bits_of(report: &Report, burst: &Burst) -> Option<u64> {
    let known =
        |figure: &Option<Located<Figure>>| figure.as_ref().and_then(|one| one.value.known());
    let mut ports = report.ports.iter();
    known(&burst.bits).or_else(|| {
        let own = ports.find(|port| is_port_of(&port.name.value, &burst.interface.value))?;
        known(&own.source_bits)
    })
}
