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
//! in several reports of one synthesis is one finding, and so are the copies of a loop that unrolling makes, and those in the copies
//! that the tool makes of a function (`add_1`, `add_clone`). Where no `pipeline` is asked for, it says that the tool pipelines the loop by itself.
//! Of a module that is pipelined as a whole, the interval that the report prints is what is reached.
//!
//! Where a log of the same run (`vitis_hls.log`, `solution1.log`) is beside the reports or above them, and has the pipeline at the same interval, the message names
//! what holds it: the array or the port with too few ports, the two operations that wait for each other, with their lines in the
//! source; the help is for that cause. It is a note where an iteration accesses one stream two to four times, one word a cycle. A function that holds
//! the loop which calls it is one finding with the loop, also without a log where it has the same interval.
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
    DirectiveKind, HiddenModule, IntervalReason, Module, ModuleCalls, ReportedLoop,
    ScheduledOperation, Span, describe_held, find_hidden_module, find_hidden_stage,
    find_interval_reason, find_slow_callee, find_small_cost, function_of, is_pipelined,
    list_targets, list_whole, plain_loop_name, prints_violations, tool_violations, without_copy,
};
use derate_project::named_lines::{find_named_line, is_volatile, names_variable, say_place};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, known_count, make_key};
use crate::AuditInput;
use crate::modelled::each_kernel;
use crate::{Finding, Label, Level};
use derate_project::asked_interval::{asked_interval, is_pipelined_by_tool, name_source};
use derate_project::burst_weight::describe_share;
use derate_units::figures::grouped;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = &input.build.reports;
    let missed = reports.iter().flat_map(|report| &report.modules);
    let whole = list_whole(reports);
    let calls = ModuleCalls::of_reports(reports, function_of);
    let calls = &calls;
    let missed = missed.enumerate().flat_map(|(at, module)| {
        find_missed(input, calls, module, &whole).into_iter().map(move |one| (at, one))
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
            known.key == one.key
                && !modules.contains(&module)
                && (file(known), &known.instance) == (file(&one), &one.instance)
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

/// What was asked for: as the report prints it, else as the loop's own pragma says.
fn find_target(input: &AuditInput<'_>, module: &Module, one: &ReportedLoop) -> Option<u64> {
    known_count(one.ii_target.as_ref())
        .or_else(|| asked_interval(input.code, input.sources, &module.name.value, &one.name.value))
}

/// Loops that miss a known target, then those that the tool reports without a target.
fn find_missed(
    input: &AuditInput<'_>,
    calls: &ModuleCalls<'_>,
    module: &Module,
    whole: &BTreeSet<&str>,
) -> Vec<ReportFinding> {
    let loops = module.all_loops();
    let above = |one: &ReportedLoop| {
        let target = find_target(input, module, one)?;
        let achieved = one.ii_achieved.as_ref()?;
        let reached = achieved.value.known().filter(|reached| *reached > target)?;
        let figures = [Some(target), Some(reached)];
        let found = report_missed(input, module, &one.name.value, figures, achieved.span);
        Some(add_reason(input, calls, module, found))
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
        let one = report_missed(input, module, name, [target, known_count(achieved)], span);
        found.push(add_reason(input, calls, module, one));
    }
    found
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
    let is_own = target == Some(1) && is_by_itself(input, name);
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
        _ if is_own => format!(
            "II {} is reached in loop {}, which the tool pipelines by itself for II 1",
            number(achieved),
            say_loop(module, name)
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
        let hidden = find_hidden(input, &module.name.value, input.sources.name(span.file))?;
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
    let own = function_of(&module.name.value);
    let source = name_source(input.code, input.sources, own, name);
    let instance = source.as_ref().map(|_| own.to_owned());
    let source = source.unwrap_or_else(|| without_copy(own, name).to_owned());
    let key = make_key(&[&source, name, &reached]);
    // Of copies the one counts whose interval costs most.
    let weight = 2 * usize::from(target.is_some()) + usize::from(level == Level::Warning);
    ReportFinding { key, instance, weight, finding }
}

/// Whether neither the code nor a script asks for the pipeline of a loop.
fn is_by_itself(input: &AuditInput<'_>, name: &str) -> bool {
    let mut scripted = input.list_directives();
    !scripted.any(|one| matches!(one.kind, DirectiveKind::Pipeline(_)))
        && is_pipelined_by_tool(input.code, input.sources, name)
}

/// The slower stage beside a module, as the reports list the stages, or as the code has them.
fn find_hidden(input: &AuditInput<'_>, module: &str, path: &str) -> Option<HiddenModule> {
    let reports = &input.build.reports;
    let folder = path.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
    find_hidden_module(reports, module).or_else(|| {
        let mut regions = each_kernel(input).flat_map(|(_, kernel)| &kernel.answer.regions);
        regions.find_map(|region| {
            let stages = region.stages.iter().map(|stage| stage.name.as_str());
            find_hidden_stage(reports, folder, &region.function, stages, module)
        })
    })
}

/// Adds what the log of the run says of the cause, with the line of the code, and the help that fits it. A function of the same interval that
/// the module calls is named: the two are one finding.
fn add_reason(
    input: &AuditInput<'_>,
    calls: &ModuleCalls<'_>,
    module: &Module,
    mut found: ReportFinding,
) -> ReportFinding {
    let one = &mut found.finding;
    let reached = one.evidence["achieved"].as_u64();
    let Some((place, reached)) = one.place().zip(reached) else { return found };
    let (path, subject) = (input.sources.name(place.file), one.subject.clone());
    let names = [module.name.value.as_str(), subject.as_str()];
    let reason = find_interval_reason(&input.build.reports, calls, path, names, reached);
    if let Some(reason) = &reason {
        explain_interval(input, one, reason, reached);
    }
    let is_function = names[0] == names[1];
    let slow = || find_slow_callee(&input.build.reports, calls, names, reached);
    let callee = match &reason {
        Some(reason) => reason.callee,
        None if is_function => None,
        None => slow(),
    };
    // Which of its loops calls it is not always printed.
    let say = |name| format!("it may be the interval of `{name}`, which `{}` calls", names[0]);
    one.notes.extend(callee.map(say));
    if callee.is_some() || is_function {
        let cause = format!("{} {reached}", callee.unwrap_or(names[0]));
        let finding = std::mem::replace(one, Finding::new("report/ii", Level::Note, ""));
        let weight = f64::from(u8::from(callee.is_some()));
        *one = finding.with_cause(cause, format!("`{subject}`"), weight);
    }
    found
}

/// Says what holds an interval, and what helps.
fn explain_interval(
    input: &AuditInput<'_>,
    one: &mut Finding,
    reason: &IntervalReason<'_>,
    reached: u64,
) {
    let line = |operation: &ScheduledOperation| {
        find_named_line(input.code, input.sources, &operation.places)
    };
    let held = &reason.held.value;
    let text = describe_held(
        held,
        reached,
        |operation| say_place(input.code, input.sources, operation),
        |name| {
            held.operations()
                .any(|one| line(one).is_some_and(|it| is_volatile(input.sources, it.file, name)))
        },
    );
    one.message = format!("{}: {}", one.message, text.cause);
    one.notes.push(text.named);
    one.labels.push(Label::new(reason.held.span, "the log says why"));
    let is_it = |operation: &&ScheduledOperation| {
        let target = operation.target.as_ref();
        line(operation)
            .zip(target)
            .is_some_and(|(it, target)| names_variable(input.sources.slice(it), &target.name))
    };
    if let Some(span) = held.operations().find(is_it).and_then(line) {
        one.labels.push(Label::new(span, "what waits"));
    }
    one.help = text.help;
    if text.is_inherent {
        one.level = Level::Note;
    }
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
