//! A loop misses its target initiation interval.
//!
//! ## What it does
//!
//! Compares the initiation interval (II) that each loop reached with its target. Trees and XML print no target: then the
//! loop's own `pipeline` pragma is taken from the sources, where its label (or the line in `VITIS_LOOP_21_1`) and function
//! are found there, and the tool's own word for it (`II Violation`) counts. XML before 2023.2 has no such word either: a
//! loop above II=1 with an unknown target is a note. What is not a number (`undef`, `?`, `NA`) is not judged. Several
//! reports of one synthesis give one finding.
//!
//! ## Why it matters
//!
//! A loop's time is nearly its trip count times its II: at II = 4 the kernel runs at a quarter of the rate that a peak
//! derived from its multipliers assumes.
//!
//! ## Example
//!
//! `acc += a[i] * b[i]` in `float`: each addition waits for the one before it, and II is the adder's latency.
//!
//! ## How to fix
//!
//! Break the chain with several partial sums or with the loops interchanged; partition the arrays that are read more
//! than twice in an iteration; give each array a port of its own.

use std::collections::BTreeSet;

use derate_hls::{Figure, Located, Module, Report, ReportKind, ReportedLoop, Span, Violation};
use serde::Serialize;
use serde_json::json;

use super::occurrences::{NAMED, Occurrence, file_of, first_labels};
use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::asked_interval::asked_interval;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// One loop.
#[derive(Clone, Debug, Serialize)]
struct Interval {
    name: String,
    target: Option<u64>,
    achieved: Option<u64>,
}

impl Interval {
    fn sentence(&self) -> String {
        let number = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
        format!("`{}` II {} (target {})", self.name, number(self.achieved), number(self.target))
    }
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let reports = &analysis.build.reports;
    let mut found =
        drop_repeats(reports.iter().filter_map(|report| make_finding(analysis, report)));
    found.extend(drop_repeats(
        reports.iter().filter_map(|report| report_unknown_targets(analysis, report)),
    ));
    found
}

fn make_finding(analysis: &Analysis, report: &Report) -> Option<ReportFinding> {
    let missed = report.modules.iter().flat_map(|module| find_missed(analysis, module));
    let (keys, (loops, cases)): (BTreeSet<String>, (Vec<Interval>, Vec<Occurrence>)) =
        missed.map(|(key, interval, case)| (key, (interval, case))).unzip();
    let first = loops.first()?.sentence();
    let file = file_of(&analysis.sources, &cases);
    let mut named: Vec<String> = loops.iter().take(NAMED).map(Interval::sentence).collect();
    if loops.len() > NAMED {
        named.push(format!("and {} more", loops.len() - NAMED));
    }
    let weight = loops.iter().filter(|one| one.target.is_some()).count();
    let finding = Finding::new("report/ii", Level::Warning, file.clone())
        .with_message(match loops.len() {
            1 => format!("a loop misses its initiation interval: {first}"),
            many => format!("{} miss their initiation interval", count(many, "loop")),
        })
        .with_labels(first_labels(&cases))
        // A single loop is in the message.
        .with_notes(if loops.len() > 1 { vec![named.join(", ")] } else { Vec::new() })
        .with_help(
            "break the dependence with partial sums or interchanged loops, partition the \
                    arrays, or use more ports",
        )
        .with_evidence(json!({ "file": file, "loops": loops }));
    Some(ReportFinding { keys, weight, finding })
}

/// Loops above II=1 whose target neither the report nor the code gives.
fn report_unknown_targets(analysis: &Analysis, report: &Report) -> Option<ReportFinding> {
    if tells_violations(report) {
        return None;
    }
    let (mut keys, mut loops, mut cases) = (BTreeSet::new(), Vec::new(), Vec::new());
    for module in &report.modules {
        for one in module.all_loops() {
            let Some(reached) =
                known_count(one.ii_achieved.as_ref()).filter(|reached| *reached > 1)
            else {
                continue;
            };
            let admitted = tool_violations(module).any(|(_, name)| name == one.name.value);
            if admitted || find_target(analysis, module, one).is_some() {
                continue;
            }
            let place = one.ii_achieved.as_ref().map_or(one.name.span, |ii| ii.span);
            let name = one.name.value.clone();
            keys.insert(make_key(&[&module.name.value, &name, &reached.to_string()]));
            cases.push(Occurrence::new(name.clone(), Label::new(place, "no target is printed")));
            loops.push(Interval { name, target: None, achieved: Some(reached) });
        }
    }
    let first = loops.first()?;
    let file = file_of(&analysis.sources, &cases);
    let message = match loops.len() {
        1 => format!(
            "`{}` starts an iteration every {} cycles; its target is unknown",
            first.name,
            first.achieved.unwrap_or_default()
        ),
        many => {
            format!("{} are above II=1; their targets are unknown", count(many, "loop"))
        }
    };
    let finding = Finding::new("report/ii", Level::Note, file.clone())
        .with_message(message)
        .with_labels(first_labels(&cases))
        .with_note(
            "this form of report prints neither targets nor violations, and no `pipeline` \
                    in the sources is known to be theirs",
        )
        .with_help(
            "give the `<module>_csynth.rpt` beside it, or the kernel's source with the \
                    loop's label",
        )
        .with_evidence(json!({ "file": file, "loops": loops }));
    Some(ReportFinding { keys, weight: 0, finding })
}

/// Whether the report would name a loop that misses its target: XML does since 2023.2.
fn tells_violations(report: &Report) -> bool {
    let xml = matches!(report.kind, ReportKind::CsynthXml | ReportKind::SummaryXml);
    let version = report.version.as_ref().map(|version| version.value.as_str());
    // `2023.2` and its like compare as text.
    !xml || version.is_some_and(|version| version >= "2023.2")
}

/// The loops that the tool itself reports as violations; a module's name is used for its only loop.
fn tool_violations(module: &Module) -> impl Iterator<Item = (&Violation, &str)> {
    module
        .violations
        .iter()
        // `II` or `II Violation`; `Timing` is another rule's.
        .filter(|one| one.issue.value.split_whitespace().next() == Some("II"))
        .map(|one| (one, one.loop_name.as_deref().unwrap_or(&module.name.value)))
}

/// What was asked for: as the report prints it, else as the loop's own pragma says.
fn find_target(analysis: &Analysis, module: &Module, one: &ReportedLoop) -> Option<u64> {
    known_count(one.ii_target.as_ref())
        .or_else(|| asked_interval(analysis, &module.name.value, &one.name.value))
}

type Missed = (String, Interval, Occurrence);

/// Loops that miss a known target, then those that the tool reports without a target.
fn find_missed(analysis: &Analysis, module: &Module) -> Vec<Missed> {
    let loops = module.all_loops();
    let mut found: Vec<Missed> =
        loops.iter().filter_map(|one| find_above_target(analysis, module, one)).collect();
    for (violation, name) in tool_violations(module) {
        if found.iter().any(|(_, interval, _)| interval.name == name) {
            continue;
        }
        let one = loops.iter().find(|one| one.name.value == name);
        let target = one.and_then(|one| find_target(analysis, module, one));
        let achieved = one.and_then(|one| known_count(one.ii_achieved.as_ref()));
        let span =
            one.and_then(|one| one.ii_achieved.as_ref()).map_or(violation.issue.span, |ii| ii.span);
        found.push(missed_case(module, name, target, achieved, span));
    }
    found
}

fn find_above_target(analysis: &Analysis, module: &Module, one: &ReportedLoop) -> Option<Missed> {
    let target = find_target(analysis, module, one)?;
    let achieved = one.ii_achieved.as_ref()?;
    let reached = achieved.value.known().filter(|reached| *reached > target)?;
    Some(missed_case(module, &one.name.value, Some(target), Some(reached), achieved.span))
}

fn missed_case(
    module: &Module,
    name: &str,
    target: Option<u64>,
    achieved: Option<u64>,
    span: Span,
) -> Missed {
    let text = match target {
        Some(target) => format!("the target is {target}"),
        None => "the tool calls it a violation; the target is unknown".to_owned(),
    };
    let reached = achieved.map_or_else(String::new, |reached| reached.to_string());
    let key = make_key(&[&module.name.value, name, &reached]);
    let interval = Interval { name: name.to_owned(), target, achieved };
    (key, interval, Occurrence::new(name, Label::new(span, text)))
}

fn known_count(figure: Option<&Located<Figure>>) -> Option<u64> {
    figure.and_then(|figure| figure.value.known())
}
