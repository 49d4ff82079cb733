//! A co-simulation failed, measured nothing, or contradicts the synthesis report.
//!
//! ## What it does
//!
//! Takes each language that was simulated: one that did not pass, one that passed without a single cycle count, and one
//! whose latency lies outside what a synthesis report of the same top function says. A tree report (`csynth.rpt`)
//! prints worst cases only, so nothing is below it. Where no report has that top, or its latency is not a number,
//! nothing is compared.
//!
//! ## Why it matters
//!
//! `Pass` beside `NA` everywhere is not a measurement, and a latency beside `Fail` is that of a design that computes
//! something else. A latency outside the estimate means that one of the two reports is of other code, or that the
//! schedule's assumptions about memory do not hold.
//!
//! ## Example
//!
//! `|   Verilog|      Pass|             NA|             NA|             NA|`
//!
//! ## How to fix
//!
//! Simulate with a test bench that calls the top function at least twice, and synthesise and simulate the same code.

use derate_hls::{Cosim, Figure, Located, Report, ReportKind, Span};
use serde_json::json;

use super::occurrences::{Occurrence, file_of, first_labels, names_of};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::grouped;

/// What is wrong with one language.
struct CosimProblem {
    kind: &'static str,
    message: String,
    case: Occurrence,
    /// What it contradicts.
    other: Option<Label>,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let reports = &analysis.build.reports;
    reports.iter().filter_map(|report| make_finding(analysis, report)).collect()
}

fn make_finding(analysis: &Analysis, report: &Report) -> Option<Finding> {
    let problems: Vec<CosimProblem> = report
        .cosim
        .iter()
        .filter(|one| one.ran())
        .filter_map(|one| {
            find_failure(one).or_else(|| find_outside(&analysis.build.reports, report, one))
        })
        .collect();
    let message = problems.first()?.message.clone();
    let kinds: Vec<&'static str> = problems.iter().map(|problem| problem.kind).collect();
    let notes: Vec<String> =
        problems.iter().skip(1).map(|problem| problem.message.clone()).collect();
    let (cases, others): (Vec<Occurrence>, Vec<Option<Label>>) =
        problems.into_iter().map(|problem| (problem.case, problem.other)).unzip();
    let file = file_of(&analysis.sources, &cases);
    let mut all = first_labels(&cases);
    all.extend(others.into_iter().flatten().take(1));
    Some(
        Finding::new("report/cosim", Level::Warning, file.clone())
            .with_message(message)
            .with_labels(all)
            .with_notes(notes)
            .with_help(
                "synthesise and simulate the same code, with a test bench that calls the top \
                    function at least twice",
            )
            .with_evidence(
                json!({ "file": file, "languages": names_of(&cases), "problems": kinds }),
            ),
    )
}

/// What the language's row says of itself.
fn find_failure(one: &Cosim) -> Option<CosimProblem> {
    let language = one.language.value.as_str();
    let (kind, message, text) = if one.passed_without_figures() {
        (
            "without-figures",
            format!("the {language} co-simulation passed and measured nothing"),
            "passed, and no cycle count is a number",
        )
    } else if one.status.value == "Pass" {
        return None;
    } else {
        (
            "not-passed",
            format!("the {language} co-simulation did not pass: `{}`", one.status.value),
            "a latency beside it is that of a design that was not shown to be right",
        )
    };
    let case = Occurrence::new(language, Label::new(one.status.span, text));
    Some(CosimProblem { kind, message, case, other: None })
}

/// A latency that the synthesis of the same top function does not allow.
fn find_outside(reports: &[Report], report: &Report, one: &Cosim) -> Option<CosimProblem> {
    let top = report.top.as_ref()?.value.as_str();
    reports.iter().filter(|other| is_synthesis_of(other, top)).find_map(|other| {
        let estimate = other.top_module()?.latency.as_ref()?;
        let least = estimate.value.min().filter(|_| !other.kind.worst_case_only());
        let below = least.and_then(|least| {
            known_cycles(one.latency.min.as_ref()).filter(|(cycles, _)| *cycles < least)
        });
        let above = estimate.value.max().and_then(|most| {
            known_cycles(one.latency.max.as_ref()).filter(|(cycles, _)| *cycles > most)
        });
        let (cycles, span) = above.or(below)?;
        let cycles = grouped(cycles as f64);
        let other = format!("`{}` cycles were estimated", estimate.value);
        Some(CosimProblem {
            kind: "outside-estimate",
            message: format!(
                "`{top}` took {cycles} cycles in {} co-simulation, outside the synthesis \
                 report's {}",
                one.language.value, estimate.value
            ),
            case: Occurrence::new(
                one.language.value.clone(),
                Label::new(span, format!("{cycles} cycles here")),
            ),
            other: Some(Label::new(estimate.span, other)),
        })
    })
}

fn is_synthesis_of(report: &Report, top: &str) -> bool {
    let kinds = [
        ReportKind::CsynthXml,
        ReportKind::SummaryXml,
        ReportKind::ModuleText,
        ReportKind::TreeText,
    ];
    kinds.contains(&report.kind) && report.top.as_ref().is_some_and(|one| one.value == top)
}

fn known_cycles(figure: Option<&Located<Figure>>) -> Option<(u64, Span)> {
    let figure = figure?;
    Some((figure.value.known()?, figure.span))
}
