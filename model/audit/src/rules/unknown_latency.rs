//! The tool does not know how long the design takes.
//!
//! ## What it does
//!
//! Reads the latency of the top module (of each module in `system_estimate`) and the trip counts of all loops. Where
//! one of them is not a number (`undef`, `?`, `-`), or an end of its range is not (`1 ~ ?`), it names the loops. A range
//! with two ends is known.
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

use derate_hls::{Figure, Located, Module, Report, ReportKind};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let found = input.build.reports.iter().flat_map(|report| {
        let loops = find_loops(report);
        let mut found = find_modules(report, loops.is_empty());
        found.extend(loops);
        found
    });
    drop_repeats(input, found)
}

/// The modules whose latency is not a number.
fn find_modules(report: &Report, unexplained: bool) -> Vec<ReportFinding> {
    let every = report.kind == ReportKind::SystemEstimate;
    let top = report.top_module().filter(|_| !every);
    let modules = report.modules.iter().filter(|_| every).chain(top);
    let why = if unexplained { ", and no loop says why" } else { "" };
    let find_module = |module: &Module| {
        let (name, latency) = (&module.name.value, unknown_figure(module.latency.as_ref())?);
        let finding = new_finding(name)
            .with_message(format!("the latency of `{name}` is unknown{why}"))
            .with_label(latency.span, format!("a latency of `{}` cycles", latency.value))
            .with_evidence(json!({ "module": name }));
        Some(ReportFinding { key: make_key(&["module", name]), weight: 0, finding })
    };
    modules.filter_map(find_module).collect()
}

/// The loops whose trip count is not a number.
fn find_loops(report: &Report) -> Vec<ReportFinding> {
    let top = top_name(report);
    let loops = report.modules.iter().flat_map(Module::all_loops).filter_map(|one| {
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
