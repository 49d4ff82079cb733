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

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Figure, Located, Module, Report, ReportKind, ReportedLoop};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, function_of, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let known = Known::of_reports(reports);
    let calls = Calls::of_reports(reports);
    // The modules that have a loop without a count of their own.
    let roots: BTreeSet<&str> = reports
        .iter()
        .flat_map(|report| list_open(report, &known))
        .map(|(module, _, _)| base_of(module))
        .collect();
    let found = reports.iter().flat_map(|report| {
        let loops = find_loops(report, &known, &calls);
        let mut found = find_modules(report, &known, &calls, &roots);
        found.extend(loops);
        found
    });
    drop_repeats(input, found)
}

/// The function that a module is made of: a loop may be a module of its own, `top_Pipeline_loop`.
fn base_of(module: &str) -> &str {
    let module = function_of(module);
    module.split_once("_Pipeline_").map_or(module, |(base, _)| base)
}

/// Each module with all that it has in it and itself, as all reports together show it.
struct Calls<'a> {
    within: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Calls<'a> {
    fn of_reports(reports: &'a [Report]) -> Self {
        let mut called: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for report in reports {
            for module in &report.modules {
                let name = base_of(&module.name.value);
                let own = called.entry(name).or_default();
                own.extend(module.calls.iter().map(|one| base_of(one)));
                let caller = module.caller.and_then(|at| report.modules.get(at));
                if let Some(caller) = caller {
                    called.entry(base_of(&caller.name.value)).or_default().insert(name);
                }
            }
        }
        Self { within: called.keys().map(|name| (*name, collect_within(&called, name))).collect() }
    }

    /// The modules that have one in them, in order of their names.
    fn around(&self, module: &str) -> Vec<&'a str> {
        let has =
            |(name, inner): &(&&str, &BTreeSet<&str>)| **name != module && inner.contains(module);
        self.within.iter().filter(has).map(|(name, _)| *name).collect()
    }
}

/// A module and all that it has in it.
fn collect_within<'a>(
    called: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    module: &'a str,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::from([module]);
    let mut open = vec![module];
    while let Some(name) = open.pop() {
        let inner = called.get(name).into_iter().flatten();
        open.extend(inner.filter(|inner| found.insert(**inner)));
    }
    found
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

/// The modules whose latency is not a number, where no loop in them says why.
fn find_modules(
    report: &Report,
    known: &Known<'_>,
    calls: &Calls<'_>,
    roots: &BTreeSet<&str>,
) -> Vec<ReportFinding> {
    let every = report.kind == ReportKind::SystemEstimate;
    let top = report.top_module().filter(|_| !every);
    let modules = report.modules.iter().filter(|_| every).chain(top);
    let find_module = |module: &Module| {
        let (name, latency) = (&module.name.value, unknown_figure(module.latency.as_ref())?);
        let within = calls.within.get(base_of(name)).into_iter().flatten();
        let has_cause = within.into_iter().any(|inner| roots.contains(inner));
        if known.modules.contains(name.as_str()) || has_cause {
            return None;
        }
        let finding = new_finding(name)
            .with_message(format!(
                "the latency of `{name}` is unknown, and no loop in the reports says why"
            ))
            .with_label(latency.span, format!("a latency of `{}` cycles", latency.value))
            .with_evidence(json!({ "module": name }));
        Some(ReportFinding { key: make_key(&["module", name]), weight: 0, finding })
    };
    modules.filter_map(find_module).collect()
}

/// The loops whose trip count is not a number, each with its module and what is printed.
fn list_open<'a>(
    report: &'a Report,
    known: &Known<'a>,
) -> Vec<(&'a str, &'a ReportedLoop, &'a Located<Figure>)> {
    let top = top_name(report);
    let all = report.modules.iter().flat_map(|module| {
        let name = module.name.value.as_str();
        module.all_loops().into_iter().map(move |one| (name, one))
    });
    let is_unknown = |(module, one): &(&str, &ReportedLoop)| {
        let name = one.name.value.as_str();
        !known.loops.contains(&(*module, name)) && !known.loops.contains(&(top, name))
    };
    let open = all.filter(is_unknown);
    open.filter_map(|(module, one)| Some((module, one, unknown_figure(one.trip_count.as_ref())?)))
        .collect()
}

/// The findings about them: a loop is the same in the tree and in the report of its module.
fn find_loops(report: &Report, known: &Known<'_>, calls: &Calls<'_>) -> Vec<ReportFinding> {
    let find_loop = |(module, one, trips): (&str, &ReportedLoop, &Located<Figure>)| {
        let (name, module) = (&one.name.value, base_of(module));
        let mut finding = new_finding(name)
            .with_message(format!("in `{module}` the trip count of loop `{name}` is unknown"))
            .with_label(trips.span, format!("`{name}` runs `{}` times", trips.value))
            .with_evidence(json!({ "loop": name, "module": module }));
        let around = calls.around(module);
        if !around.is_empty() {
            let names: Vec<String> =
                around.iter().take(4).map(|name| format!("`{name}`")).collect();
            let more = match around.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let text = format!("the latency of {}{more} follows from it", names.join(", "));
            finding = finding.with_note(text);
        }
        ReportFinding { key: make_key(&["loop", module, name]), weight: 0, finding }
    };
    list_open(report, known).into_iter().map(find_loop).collect()
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
