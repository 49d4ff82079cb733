//! A loop misses its target initiation interval.
//!
//! ## What it does
//!
//! Compares the initiation interval (II) that each loop reached with its target. Trees and XML print no target: then the
//! loop's own `pipeline` pragma is taken from the sources, where its label (or the line in `VITIS_LOOP_21_1`) and function
//! are found there, and the tool's own word for it (`II Violation`) counts. XML before 2023.2 has no such word either: a
//! loop above II=1 with an unknown target is a note. So is one that costs less than 1 % of the top's latency,
//! `(II - target) * (trips - 1)` for each run, where the report has these figures; of a top without a latency, the longest known row
//! that is in every run is the least that it takes. What is not a number (`undef`, `?`, `NA`) is not judged. A loop
//! in several reports of one synthesis is one finding, and so are the copies of a loop that unrolling makes.
//! Of a module that is pipelined as a whole, the interval that the report prints is what is reached.
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

use derate_hls::{
    Module, Report, ReportKind, ReportedLoop, Span, Violation, find_hidden_module, find_small_cost,
    function_of, plain_loop_name,
};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, known_count, make_key};
use crate::AuditInput;
use crate::asked_interval::asked_interval;
use crate::{Finding, Level};
use derate_project::burst_weight::describe_share;
use derate_units::figures::grouped;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let missed = reports.iter().flat_map(|report| &report.modules);
    let whole = list_whole(reports);
    let missed = missed.enumerate().flat_map(|(at, module)| {
        find_missed(input, module, &whole).into_iter().map(move |one| (at, one))
    });
    let mut found = drop_repeats(input, count_instances(missed));
    let silent = reports.iter().filter(|report| !prints_violations(report));
    let silent = silent.flat_map(|report| &report.modules);
    let known = list_targets(reports);
    let unknown = silent.flat_map(|module| find_unknown_targets(input, module, &known));
    found.extend(drop_repeats(input, unknown));
    found
}

/// A tree shows a function again in each module that calls it: the same loop of all these instances is one case. Each finding
/// comes with the number of its module.
fn count_instances(all: impl Iterator<Item = (usize, ReportFinding)>) -> Vec<ReportFinding> {
    let mut kept: Vec<(ReportFinding, BTreeSet<usize>)> = Vec::new();
    for (module, one) in all {
        let file = |one: &ReportFinding| one.finding.place().map(|place| place.file);
        // Two loops of one module may have one name.
        let is_it = |(known, modules): &&mut (ReportFinding, BTreeSet<usize>)| {
            known.key == one.key && !modules.contains(&module) && file(known) == file(&one)
        };
        match kept.iter_mut().find(is_it) {
            Some((_, modules)) => {
                modules.insert(module);
            }
            None => kept.push((one, BTreeSet::from([module]))),
        }
    }
    let noted = kept.into_iter().map(|(mut one, modules)| {
        if modules.len() > 1 {
            one.finding = one.finding.with_note(format!("{} instances have it", modules.len()));
        }
        one
    });
    noted.collect()
}

/// Whether the report would name a loop that misses its target: XML does since 2023.2.
fn prints_violations(report: &Report) -> bool {
    let xml = matches!(report.kind, ReportKind::CsynthXml | ReportKind::SummaryXml);
    let version = report.version.as_ref().map(|version| version.value.as_str());
    // `2023.2` and its like compare as text.
    !xml || version.is_some_and(|version| version >= "2023.2")
}

/// The modules whose `II` says nothing: some report has them start every cycle, or run on without a break, which
/// Vitis HLS 2022.2 marks where no interval was asked for.
fn list_whole(reports: &[Report]) -> BTreeSet<&str> {
    let modules = reports.iter().flat_map(|report| &report.modules);
    let starts = |module: &&Module| {
        let rewinds = module.pipeline.as_ref().is_some_and(|word| word.value.contains("rewind"));
        known_count(module.interval.as_ref()) == Some(1) || rewinds
    };
    modules.filter(starts).map(|module| module.name.value.as_str()).collect()
}

/// The loops, each with its module, whose targets some report prints or which the tool names itself.
fn list_targets(reports: &[Report]) -> BTreeSet<(&str, String)> {
    let modules = reports.iter().flat_map(|report| &report.modules);
    let known = modules.flat_map(|module| {
        let name = module.name.value.as_str();
        let loops = module.all_loops().into_iter().filter(|one| one.ii_target.is_some());
        let loops = loops.map(|one| one.name.value.as_str());
        let violations = tool_violations(module).filter_map(|(one, _)| one.loop_name.as_deref());
        loops.chain(violations).map(move |one| (name, plain_loop_name(one))).collect::<Vec<_>>()
    });
    known.collect()
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
fn find_target(input: &AuditInput<'_>, module: &Module, one: &ReportedLoop) -> Option<u64> {
    known_count(one.ii_target.as_ref())
        .or_else(|| asked_interval(input, &module.name.value, &one.name.value))
}

/// Loops that miss a known target, then those that the tool reports without a target.
fn find_missed(
    input: &AuditInput<'_>,
    module: &Module,
    whole: &BTreeSet<&str>,
) -> Vec<ReportFinding> {
    let loops = module.all_loops();
    let above = |one: &ReportedLoop| {
        let target = find_target(input, module, one)?;
        let achieved = one.ii_achieved.as_ref()?;
        let reached = achieved.value.known().filter(|reached| *reached > target)?;
        let figures = [Some(target), Some(reached)];
        Some(report_missed(input, module, &one.name.value, figures, achieved.span))
    };
    let mut found: Vec<ReportFinding> = loops.iter().copied().filter_map(above).collect();
    for (violation, name) in tool_violations(module) {
        if found.iter().any(|one| one.finding.subject == name)
            || (violation.loop_name.is_none() && whole.contains(name))
        {
            continue;
        }
        let one = loops.iter().find(|one| one.name.value == name);
        let target = one.and_then(|one| find_target(input, module, one));
        // A module that is pipelined starts every so many cycles; that of another one is its latency.
        let own =
            module.interval.as_ref().filter(|_| name == module.name.value && is_pipelined(module));
        let achieved = one.map_or(own, |one| one.ii_achieved.as_ref());
        let span = achieved.map_or(violation.issue.span, |ii| ii.span);
        found.push(report_missed(input, module, name, [target, known_count(achieved)], span));
    }
    found
}

/// Whether a module starts anew before it ends.
fn is_pipelined(module: &Module) -> bool {
    let word = module.pipeline.as_ref();
    word.is_some_and(|word| !["no", "none", "dataflow", "-"].contains(&word.value.as_str()))
}

/// A loop without a label has a number, which says nothing without its function.
fn say_loop(module: &Module, name: &str) -> String {
    let function = function_of(&module.name.value);
    if name.starts_with("Loop ") {
        format!("`{name}` of `{function}`")
    } else {
        format!("`{name}`")
    }
}

fn report_missed(
    input: &AuditInput<'_>,
    module: &Module,
    name: &str,
    [target, achieved]: [Option<u64>; 2],
    span: Span,
) -> ReportFinding {
    let number = |n: Option<u64>| n.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    let text = match target {
        Some(target) => format!("the target is {target}"),
        None => "the tool calls it a violation, and prints no target".to_owned(),
    };
    let is_loop = module.all_loops().iter().any(|one| one.name.value == name);
    let message = match (is_loop, target, achieved) {
        (false, None, None) => format!(
            "`{name}` misses its initiation interval; the report says neither the target nor what is reached"
        ),
        (_, None, _) => format!(
            "the tool calls the initiation interval of {} a violation: II {}; it prints no target",
            say_loop(module, name),
            number(achieved)
        ),
        _ => format!(
            "II {} is reached and {} is asked in loop {}",
            number(achieved),
            number(target),
            say_loop(module, name)
        ),
    };
    let cost = achieved.and_then(|reached| {
        let figures = [target.unwrap_or(1), reached];
        find_small_cost((&input.build.reports, span.file), &module.name.value, name, figures)
    });
    let cost = cost.map(|cost| format!("it costs {}", describe_share(&cost)));
    let cost = cost.or_else(|| {
        let hidden = find_hidden_module(&input.build.reports, &module.name.value)?;
        let [interval, own] = [hidden.interval, hidden.own].map(|cycles| grouped(cycles as f64));
        Some(format!(
            "the dataflow of `{}` starts every {interval} cycles or more, and the stage with this loop takes {own}",
            hidden.region
        ))
    });
    let level = if cost.is_some() { Level::Note } else { Level::Warning };
    let finding = Finding::new("report/ii", level, name)
        .by_file()
        .with_message(message)
        .with_label(span, text)
        .with_notes(cost)
        .with_help(
            "break the dependence with partial sums or interchanged loops, partition the arrays, \
             or use more ports",
        )
        .with_evidence(json!({ "loop": name, "target": target, "achieved": achieved }));
    let reached = achieved.map_or_else(String::new, |reached| reached.to_string());
    let key = make_key(&[without_copy(function_of(&module.name.value), name), name, &reached]);
    ReportFinding { key, instance: None, weight: usize::from(target.is_some()), finding }
}

/// The module of a loop without the number of its copy: `top_Pipeline_rows` of `top_Pipeline_rows3`, where the loop around is
/// unrolled.
fn without_copy<'m>(module: &'m str, name: &str) -> &'m str {
    let rest = module.split_once("_Pipeline_").and_then(|(_, own)| own.strip_prefix(name));
    let copy = rest.filter(|rest| rest.bytes().all(|sign| sign.is_ascii_digit()));
    &module[..module.len() - copy.map_or(0, str::len)]
}

/// Loops above II=1 whose target neither the report nor the code gives.
fn find_unknown_targets(
    input: &AuditInput<'_>,
    module: &Module,
    known: &BTreeSet<(&str, String)>,
) -> Vec<ReportFinding> {
    let unknown = |one: &&ReportedLoop| {
        if known.contains(&(module.name.value.as_str(), plain_loop_name(&one.name.value))) {
            return false;
        }
        let admitted = tool_violations(module).any(|(_, name)| name == one.name.value);
        !admitted && find_target(input, module, one).is_none()
    };
    let loops = module.all_loops().into_iter().filter(unknown);
    let above = loops.filter_map(|one| {
        let achieved = one.ii_achieved.as_ref()?;
        Some((one, achieved.value.known().filter(|reached| *reached > 1)?, achieved.span))
    });
    above.map(|(one, reached, span)| report_unknown(module, one, reached, span)).collect()
}

fn report_unknown(module: &Module, one: &ReportedLoop, reached: u64, span: Span) -> ReportFinding {
    let name = &one.name.value;
    let finding = Finding::new("report/ii", Level::Note, name)
        .by_file()
        .with_message(format!(
            "{} starts an iteration every {reached} cycles; its target is unknown",
            say_loop(module, name)
        ))
        .with_label(span, "no target is printed")
        .with_note(
            "this form of report prints neither targets nor violations, and no `pipeline` in the \
             sources is known to be theirs",
        )
        .with_help(
            "give the `<module>_csynth.rpt` beside it, or the kernel's source with the loop's label",
        )
        .with_evidence(json!({ "loop": name, "target": null, "achieved": reached }));
    let key = make_key(&[&module.name.value, name, &reached.to_string()]);
    ReportFinding { key, instance: None, weight: 0, finding }
}
