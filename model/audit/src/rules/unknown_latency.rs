//! The tool does not know how long the design takes.
//!
//! ## What it does
//!
//! Reads the latency of the top module (of each module in `system_estimate`) and the trip counts of all loops. Where
//! one of them is not a number (`undef`, `?`, `-`), or an end of its range is not (`1 ~ ?`), it names the loops. A range
//! with two ends is known. The range of a type in place of a count (`536870911`, or another part of `2^32` by a step of at most 16) is not: that is a note.
//! Where all trip counts are known, it names the innermost loop whose latency is not. A loop that
//! never ends (`inf`) is a note, and a warning where the source has an end for it. What another report of the same module knows is not unknown: trees leave out figures that
//! the module's own report has. Modules whose names differ in their last numbers only (`load_1`, `load_2`) are mostly
//! instances of one function: what is unknown of them is one finding, with the number of modules. So is what is unknown of several
//! loops of one module: it names the first of them, and the others beside it. What is unknown of the modules in one top is one
//! finding, too, and so is what is unknown of modules in one folder of which no report says what calls them: a loop whose trips are
//! unknown comes first. Loops whose bounds are scalar arguments of the kernel, by the source, are a note: the caller decides. So are those that run until a packet of a stream ends (`TLAST`). A top that starts and ends by itself (`ap_ctrl_none`)
//! has no latency: that is one note for it and all that is in it. What is unknown is a note where a co-simulation of the same solution
//! measured the latency of the top: it names the figure.
//!
//! ## Why it matters
//!
//! No latency can be derived from such a report, and a word that is taken for 0 or for 1 gives one that is wrong. The
//! cause is nearly always a loop whose bound is a variable.
//!
//! ## Example
//!
//! `<Worst-caseLatency>undef</Worst-caseLatency>`, and `<TripCount>1 ~ ?</TripCount>` of a loop over `n` elements.
//!
//! ## How to fix
//!
//! Give the loops fixed bounds, or state them: `#pragma HLS LOOP_TRIPCOUNT min=2048 max=2048`.

mod measured;
mod one_kernel;

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{
    KnownFigures, Module, ModuleCalls, OpenLoop, Report, ReportKind, UnknownFigure, base_of,
    find_unknown, list_open, plain_loop_name, without_number,
};
use derate_project::argument_bounds::{are_arguments, are_packets, judge_endless};
use derate_units::figures::list_few;
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let known = KnownFigures::of_reports(reports);
    let calls = ModuleCalls::of_reports(reports, base_of);
    let open: Vec<Vec<OpenLoop<'_>>> =
        reports.iter().map(|report| list_open(report, &known)).collect();
    let causes = Causes::of_loops(open.iter().flatten());
    let free = list_free(reports, &calls);
    let is_free = |name: &str| free.contains(name);
    let found = reports.iter().zip(&open).flat_map(|(report, open)| {
        let mut found = find_modules(report, &known, &calls, &causes);
        found.retain(|one| !one.instance.as_deref().is_some_and(|name| is_free(base_of(name))));
        let own = open.iter().filter(|one| is_free(one.module));
        let own: BTreeSet<&str> = own.map(|one| one.name).collect();
        found.extend(report_free(report, &own));
        let mut seen = BTreeSet::new();
        let loops = open.iter().filter(|one| !is_free(one.module));
        let loops = loops.filter(|one| causes.is_cause(one, &calls));
        // The loops of one module mostly have one cause.
        let loops = loops.filter(|one| seen.insert((one.module, one.unknown)));
        found.extend(loops.map(|one| report_loop(input, one, &causes, &calls)));
        found
    });
    let mut found = drop_repeats(input, found);
    for finding in &mut found {
        measured::weaken_measured(input, &calls, finding);
    }
    one_kernel::add_causes(input.sources, &calls, found)
}

/// What an unknown loop means, unless a simulation measured it.
const NO_LATENCY: &str = "no latency can be derived from what is unknown";

/// The tops that start and end by themselves, and all that is in them.
fn list_free<'a>(reports: &'a [Report], calls: &ModuleCalls<'a>) -> BTreeSet<&'a str> {
    let free = reports.iter().filter(|report| report.free_running.is_some());
    let tops = free.filter_map(|report| Some(base_of(&report.top.as_ref()?.value)));
    tops.flat_map(|top| std::iter::once(top).chain(calls.within(top))).collect()
}

/// The note for a top that starts and ends by itself.
fn report_free(report: &Report, loops: &BTreeSet<&str>) -> Option<ReportFinding> {
    let (span, top) = (report.free_running?, report.top.as_ref()?.value.as_str());
    let latency = report.top_module().and_then(|top| find_unknown(top.latency.as_ref()));
    if latency.is_none() && loops.is_empty() {
        return None;
    }
    let names: Vec<String> = loops.iter().map(|name| format!("`{name}`")).collect();
    let finding =
        new_finding(top, Level::Note)
            .with_message(format!("`{top}` starts and ends by itself: it has no latency"))
            .with_label(span, "nothing starts it")
            .with_notes((!names.is_empty()).then(|| {
                format!("the trip count of loops in it is unknown: {}", list_few(&names, 6))
            }))
            .with_help(
                "count what it does with one input: its throughput is that of its slowest process",
            )
            .with_evidence(json!({ "module": top, "free_running": true }));
    Some(ReportFinding { key: make_key(&["free", top]), instance: None, weight: 0, finding })
}

/// The modules that have loops of which something is unknown.
struct Causes<'a> {
    /// The loops of each module of which the same is unknown, as the first report has them.
    loops: BTreeMap<(&'a str, UnknownFigure), Vec<&'a str>>,
    /// How often a loop of theirs runs is unknown.
    trips: BTreeSet<&'a str>,
    /// How long a loop of theirs takes is unknown.
    latency: BTreeSet<&'a str>,
}

impl<'a> Causes<'a> {
    fn of_loops(all: impl Iterator<Item = &'a OpenLoop<'a>>) -> Self {
        let mut loops: BTreeMap<(&'a str, UnknownFigure), Vec<&'a str>> = BTreeMap::new();
        let (mut trips, mut latency) = (BTreeSet::new(), BTreeSet::new());
        for one in all {
            let modules =
                if one.unknown == UnknownFigure::Latency { &mut latency } else { &mut trips };
            modules.insert(one.module);
            let names = loops.entry((one.module, one.unknown)).or_default();
            // The forms of a report differ in blanks: `Loop 1` is `Loop1`.
            let is_it = |known: &&str| plain_loop_name(known) == plain_loop_name(one.name);
            if !names.iter().any(is_it) {
                names.push(one.name);
            }
        }
        Self { loops, trips, latency }
    }

    /// The loops of a module of which the same is unknown.
    fn list_alike(&self, one: &OpenLoop<'a>) -> &[&'a str] {
        self.loops.get(&(one.module, one.unknown)).map_or(&[], Vec::as_slice)
    }

    /// Beside a loop whose trips are unknown: those whose count is the range of a type, which has to be stated, too.
    fn name_ranges(&self, one: &OpenLoop<'a>) -> Option<String> {
        let ranges = self.loops.get(&(one.module, UnknownFigure::Range))?;
        let names: Vec<String> = ranges.iter().map(|name| format!("`{name}`")).collect();
        (one.unknown == UnknownFigure::Trips).then(|| {
            format!(
                "state {}, too: what the report counts for it is the range of a type",
                list_few(&names, NAMED)
            )
        })
    }

    fn has(&self, module: &str) -> bool {
        self.trips.contains(module) || self.latency.contains(module)
    }

    /// Whether nothing inside says why a loop's figure is unknown.
    fn is_cause(&self, one: &OpenLoop<'_>, calls: &ModuleCalls<'_>) -> bool {
        let has_cause = |inner: &str| {
            self.trips.contains(inner) || inner != one.module && self.latency.contains(inner)
        };
        one.unknown != UnknownFigure::Latency
            || !one.has_open_inside() && !calls.within(one.module).any(has_cause)
    }
}

/// The modules whose latency is not a number, where no loop in them says why.
fn find_modules(
    report: &Report,
    known: &KnownFigures<'_>,
    calls: &ModuleCalls<'_>,
    causes: &Causes<'_>,
) -> Vec<ReportFinding> {
    let every = report.kind == ReportKind::SystemEstimate;
    let top = report.top_module().filter(|_| !every);
    let modules = report.modules.iter().filter(|_| every).chain(top);
    let find_module = |module: &Module| {
        let (name, latency) = (&module.name.value, find_unknown(module.latency.as_ref())?);
        let has_cause = calls.within(base_of(name)).any(|inner| causes.has(inner));
        if known.has_module(name) || has_cause {
            return None;
        }
        let finding = new_finding(name, Level::Warning)
            .with_message(format!(
                "the latency of `{name}` is unknown, and no loop in the reports says why"
            ))
            .with_label(latency.span, format!("a latency of `{}` cycles", latency.value))
            .with_help(BOUNDS)
            .with_evidence(json!({ "module": name }));
        let key = make_key(&["module", without_number(name)]);
        Some(ReportFinding { key, instance: Some(name.clone()), weight: 0, finding })
    };
    modules.filter_map(find_module).collect()
}

/// The finding about a loop: it is the same in the tree and in the report of its module.
fn report_loop(
    input: &AuditInput<'_>,
    one: &OpenLoop<'_>,
    causes: &Causes<'_>,
    calls: &ModuleCalls<'_>,
) -> ReportFinding {
    let alike = causes.list_alike(one);
    let (module, figure) = (one.module, one.figure);
    let name = alike.first().copied().unwrap_or(one.name);
    let value = &figure.value;
    let finding = match one.unknown {
        UnknownFigure::Trips if are_arguments((input.code, input.sources), module, alike) => new_finding(name, Level::Note)
            .with_message(format!(
                "in `{module}` an argument of the kernel decides how often loop `{name}` runs"
            ))
            .with_label(figure.span, format!("`{name}` runs `{value}` times"))
            .with_help("give `#pragma HLS LOOP_TRIPCOUNT` of a run that counts: the report has a latency then"),
        UnknownFigure::Trips if are_packets((input.code, input.sources), module, alike) => new_finding(name, Level::Note)
            .with_message(format!("in `{module}` loop `{name}` runs until a packet ends (`TLAST`)"))
            .with_label(figure.span, format!("`{name}` runs `{value}` times"))
            .with_help("give `#pragma HLS LOOP_TRIPCOUNT` of a packet that counts: the report has a latency then"),
        UnknownFigure::Trips => new_finding(name, Level::Warning)
            .with_message(if alike.len() > 1 {
                let names: Vec<String> = alike.iter().map(|name| format!("`{name}`")).collect();
                format!("in `{module}` the trip counts of loops {} are unknown", list_few(&names, NAMED))
            } else {
                format!("in `{module}` the trip count of loop `{name}` is unknown")
            })
            .with_label(figure.span, format!("`{name}` runs `{value}` times"))
            .with_help(BOUNDS),
        UnknownFigure::Range => new_finding(name, Level::Note)
            .with_message(format!(
                "in `{module}` the trip count of loop `{name}` is the range of a type and not a count"
            ))
            .with_label(figure.span, "the largest value that a variable bound may have")
            .with_help(BOUNDS),
        UnknownFigure::Endless => {
            let (level, why, help) = judge_endless((input.code, input.sources), module, alike);
            new_finding(name, level)
                .with_message(format!("in `{module}` loop `{name}` never ends{why}"))
                .with_label(figure.span, "it runs without end")
                .with_help(help)
        }
        UnknownFigure::Latency => new_finding(name, Level::Warning)
            .with_message(format!(
                "in `{module}` the latency of loop `{name}` is unknown, though its trip count is known"
            ))
            .with_label(figure.span, format!("it takes `{value}` cycles"))
            .with_help("look for what an iteration calls or waits for, and give that a fixed time"),
    };
    let finding = finding
        .with_evidence(json!({ "loop": name, "module": module, "loops": alike, "unknown": one.unknown.as_str() }))
        .with_notes((alike.len() > 1 && one.unknown != UnknownFigure::Trips).then(|| name_alike(alike)))
        .with_notes(causes.name_ranges(one))
        .with_notes(name_around(module, calls));
    let names: String = alike.iter().map(|name| plain_loop_name(name)).collect();
    let key = make_key(&["loop", without_number(module), &names, one.unknown.as_str()]);
    ReportFinding { key, instance: Some(module.to_owned()), weight: 0, finding }
}

/// The loops of a module of which the same is unknown.
fn name_alike(loops: &[&str]) -> String {
    let names: Vec<String> = loops.iter().map(|name| format!("`{name}`")).collect();
    format!("the same is unknown of {} loops in it: {}", loops.len(), list_few(&names, NAMED))
}

/// The modules that have this one in them.
fn name_around(module: &str, calls: &ModuleCalls<'_>) -> Option<String> {
    let around = calls.around(module);
    let names: Vec<String> = around.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("the latency of {} follows from it", list_few(&names, 4)))
}

/// Loops that are named of many.
const NAMED: usize = 6;

const BOUNDS: &str = "give the loops fixed bounds, or state them with `#pragma HLS LOOP_TRIPCOUNT`";

fn new_finding(subject: &str, level: Level) -> Finding {
    Finding::new("report/unknown-latency", level, subject).by_file().with_note(NO_LATENCY)
}
