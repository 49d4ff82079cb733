//! A co-simulation failed, measured nothing, or contradicts the synthesis report.
//!
//! ## What it does
//!
//! Takes each language that was simulated: one that did not pass, one that passed without a single cycle count, and one
//! whose latency lies more than a cycle and more than 1 % outside what a synthesis report of the same top function says:
//! starting and ending take some cycles that the report does not count, or counts and the hardware saves. So do loops that
//! the tool made modules of, at each start: 2 cycles for each are no difference. Nor are up to 2 cycles less for each run of a
//! pipelined loop: that is the margin of the estimate. A tree report (`csynth.rpt`)
//! prints worst cases only, so nothing is below it. The top of a co-simulation is in the name of its file,
//! `<top>_cosim.rpt`; a `_cosim.rpt` without a top is left out where one with a top lies in the same folder. Of several
//! synthesis reports, those of the nearest folder are taken. Where no report has that top, or its latency is not a number,
//! nothing is compared. Where a loop of the top has a bound that is known at run time only, the estimate takes the number of its
//! `loop_tripcount`, and another latency is a note: the test bench may run it another number of times. Where the sources of the top are
//! not here, any `loop_tripcount` that the report lists as valid counts. So it is where arrays are on `s_axilite`: the
//! simulation may hold their transfers. A longer latency of transactions that overlap is a note where the interval agrees within 5 %.
//! What a simulation says that is older than the synthesis of its solution is a note, and so is what one says of a kernel that was
//! synthesised to nothing.
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

use derate_hls::{
    Cosim, Figure, Located, Report, ReportKind, Span, count_pipelined, count_starts, find_solution,
};
use serde_json::json;
use std::path::Path;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_project::simulation_cause::{find_cause, find_overlap};
use derate_units::figures::grouped;

/// Latencies that differ by no more than this share agree.
const NEAR: f64 = 0.01;

/// Latencies that differ by no more than these cycles agree: tools count the first or the last edge or not.
const NEAR_CYCLES: f64 = 1.0;

/// Cycles that a loop with a module of its own may take more or less than its report says: one to start, one to end.
const START_CYCLES: f64 = 2.0;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let languages =
        reports.iter().flat_map(|report| report.cosim.iter().map(move |it| (report, it)));
    languages
        .filter(|(report, one)| one.ran() && !is_superseded(input, report))
        .filter_map(|(report, one)| {
            let found = report_failure(one).or_else(|| report_outside(input, report, one))?;
            let found = weaken_older(input, report, found);
            Some(weaken_empty(input, report, one, found))
        })
        .collect()
}

/// A kernel that takes no cycles and no logic has nothing to simulate.
fn weaken_empty(
    input: &AuditInput<'_>,
    report: &Report,
    one: &Cosim,
    mut finding: Finding,
) -> Finding {
    let syntheses = report
        .top
        .as_ref()
        .map_or_else(Vec::new, |top| find_syntheses(input, top.value.as_str(), one.language.span));
    let takes_none = |other: &&Report| {
        let Some(top) = other.top_module() else { return false };
        top.uses_nothing() && top.latency.as_ref().is_some_and(|one| one.value.known() == Some(0))
    };
    if syntheses.iter().any(takes_none) {
        finding.level = Level::Note;
        finding.notes.push(
            "the synthesis has 0 cycles and no logic: there is nothing to simulate".to_owned(),
        );
    }
    finding
}

/// A simulation that is older than the synthesis of its solution is of an older run.
fn weaken_older(input: &AuditInput<'_>, report: &Report, mut finding: Finding) -> Finding {
    let solution = |one: &Report| {
        one.place.as_ref().and_then(|at| find_solution(at.folder()).map(str::to_owned))
    };
    let own = solution(report);
    let is_newer = |other: &&Report| {
        is_synthesis(other)
            && other.is_newer_than(report)
            && report.has_date()
            && solution(other) == own
    };
    if let Some(newer) = input.build.reports.iter().filter(|_| own.is_some()).find(is_newer) {
        let name = newer.place.as_ref().map_or("", |place| place.path());
        finding.level = Level::Note;
        finding.notes.push(format!("the synthesis is newer than this simulation: `{name}`"));
    }
    finding
}

/// A simulation of a project without a top writes `_cosim.rpt`; where one of a top lies beside it, that one is the later try.
fn is_superseded(input: &AuditInput<'_>, report: &Report) -> bool {
    let folder = |report: &Report| {
        let span = report.cosim.first()?.status.span;
        Path::new(input.sources.name(span.file)).parent()
    };
    let mut others = input.build.reports.iter().filter(|other| other.top.is_some());
    report.top.is_none()
        && folder(report).is_some_and(|own| others.any(|other| folder(other) == Some(own)))
}

fn new_finding(language: &str, problem: &str) -> Finding {
    Finding::new("report/cosim", Level::Warning, language)
        .by_file()
        .with_help(
            "synthesise and simulate the same code, with a test bench that calls the top function \
             at least twice; where both are of the same code, count with the simulation: it has the \
             stalls",
        )
        .with_evidence(json!({ "language": language, "problem": problem }))
}

/// What the language's row says of itself.
fn report_failure(one: &Cosim) -> Option<Finding> {
    let language = one.language.value.as_str();
    let (problem, message, text) = if one.passed_without_figures() {
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
    let finding = new_finding(language, problem);
    Some(finding.with_message(message).with_label(one.status.span, text))
}

/// A latency that the synthesis of the same top function does not allow.
fn report_outside(input: &AuditInput<'_>, report: &Report, one: &Cosim) -> Option<Finding> {
    let (top, language) = (report.top.as_ref()?.value.as_str(), one.language.value.as_str());
    let syntheses = find_syntheses(input, top, one.language.span);
    // Each pipelined loop ends earlier than the report says, which one form of the report may not list.
    let pipelined = syntheses.iter().map(|other| count_pipelined(other)).max().unwrap_or(0);
    syntheses.into_iter().find_map(|other| {
        let module = other.top_module()?;
        let estimate = module.latency.as_ref()?;
        let near = NEAR_CYCLES.max(START_CYCLES * count_starts(other, top) as f64);
        let least = estimate.value.min().filter(|_| !other.kind.worst_case_only());
        let below = least.and_then(|least| {
            known_cycles(one.latency.min.as_ref()).filter(|(cycles, _)| {
                let saved = near.max(START_CYCLES * pipelined as f64);
                *cycles < least && is_apart(*cycles, least, saved)
            })
        });
        let above = estimate.value.max().and_then(|most| {
            known_cycles(one.latency.max.as_ref())
                .filter(|(cycles, _)| is_apart(*cycles, most, near) && *cycles > most)
        });
        let is_longer = above.is_some();
        let (cycles, span) = above.or(below)?;
        let cycles = grouped(cycles as f64);
        let finding = new_finding(language, "outside-estimate")
            .with_message(format!(
                "`{top}` took {cycles} cycles in {language} co-simulation, outside the \
                     synthesis report's {}",
                estimate.value
            ))
            .with_label(span, format!("{cycles} cycles here"))
            .with_label(estimate.span, format!("`{}` cycles were estimated", estimate.value));
        let overlap = find_overlap(one, module).filter(|_| is_longer);
        let cause = || find_cause(input.sources, input.code, other, (top, is_longer));
        Some(match overlap.or_else(cause) {
            Some(cause) => Finding { level: Level::Note, ..finding }
                .with_note(cause.text)
                .with_help(cause.help),
            None => finding,
        })
    })
}

/// Whether a simulated latency is another one than the estimated, by more cycles than so many.
fn is_apart(simulated: u64, estimated: u64, near: f64) -> bool {
    simulated.abs_diff(estimated) as f64 > (estimated as f64 * NEAR).max(near)
}

/// The synthesis reports of the top that lie nearest: a project has a folder for each solution, and each may be other code.
fn find_syntheses<'a>(input: &'a AuditInput<'_>, top: &str, cosim: Span) -> Vec<&'a Report> {
    let folders = |span: Span| Path::new(input.sources.name(span.file)).parent();
    let shared = |report: &Report| {
        let pair = report.top.as_ref().and_then(|top| folders(top.span)).zip(folders(cosim));
        pair.map_or(0, |(one, other)| {
            one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
        })
    };
    let all = || input.build.reports.iter().filter(|one| is_synthesis_of(one, top));
    let nearest = all().map(shared).max().unwrap_or(0);
    all().filter(|one| shared(one) == nearest).collect()
}

fn is_synthesis_of(report: &Report, top: &str) -> bool {
    is_synthesis(report) && report.top.as_ref().is_some_and(|one| one.value == top)
}

fn is_synthesis(report: &Report) -> bool {
    let kinds = [
        ReportKind::CsynthXml,
        ReportKind::SummaryXml,
        ReportKind::ModuleText,
        ReportKind::TreeText,
    ];
    kinds.contains(&report.kind)
}

fn known_cycles(figure: Option<&Located<Figure>>) -> Option<(u64, Span)> {
    let figure = figure?;
    Some((figure.value.known()?, figure.span))
}
