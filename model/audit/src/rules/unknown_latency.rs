//! The tool does not know how long the design takes.
//!
//! ## What it does
//!
//! Reads the latency of the top module (of each module in `system_estimate`) and the trip counts of all loops. Where
//! one of them is not a number (`undef`, `?`, `-`), or an end of its range is not (`1 ~ ?`), it names the loops. A range
//! with two ends is known. What another report of the same module knows is not unknown: trees leave out figures that the
//! module's own report has.
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

use std::collections::BTreeSet;

use derate_hls::{Figure, Located, Module, Report, ReportKind, ReportedLoop};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let known = Known::of_reports(&input.build.reports);
    let found = input.build.reports.iter().flat_map(|report| {
        let loops = find_loops(report, &known);
        let mut found = find_modules(report, &known, loops.is_empty());
        found.extend(loops);
        found
    });
    drop_repeats(input, found)
}

/// What any of the reports knows: the latencies of modules, and the trips of loops by their module or its top.
struct Known<'a> {
    modules: BTreeSet<&'a str>,
    loops: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Known<'a> {
    fn of_reports(reports: &'a [Report]) -> Self {
        let mut known = Self { modules: BTreeSet::new(), loops: BTreeSet::new() };
        for (report, module) in reports.iter().flat_map(|r| r.modules.iter().map(move |m| (r, m))) {
            let is_known = |figure: Option<&Located<Figure>>| {
                figure.is_some() && unknown_figure(figure).is_none()
            };
            let name = module.name.value.as_str();
            if is_known(module.latency.as_ref()) {
                known.modules.insert(name);
            }
            let loops = module.all_loops();
            for one in loops.into_iter().filter(|one| is_known(one.trip_count.as_ref())) {
                known.loops.insert((name, &one.name.value));
                let top = top_name(report);
                // A loop that the tool put into a module of its own is one of the top; others may have its name.
                if name
                    .strip_prefix(top)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("_Pipeline_"))
                {
                    known.loops.insert((top, &one.name.value));
                }
            }
        }
        known
    }
}

/// The modules whose latency is not a number.
fn find_modules(report: &Report, known: &Known<'_>, unexplained: bool) -> Vec<ReportFinding> {
    let every = report.kind == ReportKind::SystemEstimate;
    let top = report.top_module().filter(|_| !every);
    let modules = report.modules.iter().filter(|_| every).chain(top);
    let why = if unexplained { ", and no loop says why" } else { "" };
    let find_module = |module: &Module| {
        let (name, latency) = (&module.name.value, unknown_figure(module.latency.as_ref())?);
        if known.modules.contains(name.as_str()) {
            return None;
        }
        let finding = new_finding(name)
            .with_message(format!("the latency of `{name}` is unknown{why}"))
            .with_label(latency.span, format!("a latency of `{}` cycles", latency.value))
            .with_evidence(json!({ "module": name }));
        Some(ReportFinding { key: make_key(&["module", name]), weight: 0, finding })
    };
    modules.filter_map(find_module).collect()
}

/// The loops whose trip count is not a number.
fn find_loops(report: &Report, known: &Known<'_>) -> Vec<ReportFinding> {
    let top = top_name(report);
    let all = report.modules.iter().flat_map(|module| {
        let name = module.name.value.as_str();
        module.all_loops().into_iter().map(move |one| (name, one))
    });
    let is_unknown = |(module, one): &(&str, &ReportedLoop)| {
        let name = one.name.value.as_str();
        !known.loops.contains(&(*module, name)) && !known.loops.contains(&(top, name))
    };
    let loops = all.filter(is_unknown).filter_map(|(_, one)| {
        let (name, trips) = (&one.name.value, unknown_figure(one.trip_count.as_ref())?);
        let finding = new_finding(name)
            .with_message(format!("in `{top}` the trip count of loop `{name}` is unknown"))
            .with_label(trips.span, format!("`{name}` runs `{}` times", trips.value))
            .with_evidence(json!({ "loop": name }));
        Some(ReportFinding { key: make_key(&["loop", top, name]), weight: 0, finding })
    });
    loops.collect()
}

fn new_finding(subject: &str) -> Finding {
    Finding::new("report/unknown-latency", Level::Warning, subject)
        .by_file()
        .with_note("no latency can be derived from what is unknown")
        .with_help("give the loops fixed bounds, or state them with `#pragma HLS LOOP_TRIPCOUNT`")
}

/// The count, if it is a word in place of a number or has an end that is none.
fn unknown_figure(figure: Option<&Located<Figure>>) -> Option<&Located<Figure>> {
    figure.filter(|figure| figure.value.min().is_none() || figure.value.max().is_none())
}
