//! A loop cannot reach the initiation interval that its `pipeline` asks for.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool, and compares the initiation interval (II) of each loop that
//! has a `pipeline` with the one that it asks for, 1 where it names none. Only what no reordering changes counts: the latency of
//! the slowest operation of a recurrence, and accesses that are not the same in every iteration. It says what holds the interval: a value that an
//! iteration needs from the one before, with the operation that computes it, or an array, a stream or a bus with too few ports. It also sees
//! sums that neither the pragma nor the innermost loop shows: inside a loop that the pipeline unrolls
//! (`part[s] += e`), and through a variable (`w = v + e; p[r][s] = w`). Tables that are only read have a port for each
//! reader, and a `dependence` with `false` or a `distance` counts as it is written.
//!
//! A kernel that is pipelined as a whole, and so has no loops, is held against the interval of its runs. From 2020.2 on it is
//! not judged where it has arrays of its own: the tool may cut or copy them.
//!
//! A kernel is a function with `interface` directives that no other function calls, one that `[hls] connectivity` or a
//! report names, or the only function of a file that has directives. Clock, card and tool are those of the project.
//! A loop in a function of which something was not read is not judged, nor is one that waits for another module, nor one whose array
//! nothing writes: the tool does not build it. Nor is one whose array Vivado HLS cuts by itself, as a dimension of few elements has
//! constant subscripts alone. Accesses in two ways of a condition (`if`, `switch`) count as
//! one. Where a function is in another file, arrays are not judged: it may cut what it is passed. Nor are arrays outside functions before
//! 2024.2, from which on it is known that the tool cuts them by itself. A report knows better: a loop that it has at the
//! interval that was asked for, or at another one than is predicted, is not reported. A nest that the report has as one loop
//! (`rows_cols`) is its innermost loop here, and reports of the solutions of a design count as well. The message says `at least` where
//! other processes of a dataflow may use the ports too, data decide how often a loop runs, or the array is cut, so that data may decide
//! which bank an access is to.
//!
//! The finding is a note where
//!
//! - a report has the interval that is predicted (`report/ii`), or is of another version of the source (`report/stale`);
//! - a report has the predicted interval, or a lower one than any that is predicted, for a function of this name, in another file or nest,
//!   with as many iterations, also where it is of another design of the folder; or a log beside the sources has one, where there are no
//!   reports;
//! - a recurrence holds it, at a clock that no file names or that is slower than 100 MHz;
//! - a bus holds it that the tool may make wider;
//! - it costs little: the cycles that it loses in all runs of the loop are less than 1 % of the kernel's, or of an iteration of
//!   a loop around it; or only bounds of the kernel's cycles are known, and a run of the loop has fewer than 16 iterations;
//!   or the loop is in a stage of a dataflow that waits for a slower stage, by the counts of `LOOP_TRIPCOUNT` for at least twice as
//!   long where data decide both; or arguments are the bounds, and a nest beside it has two such loops more;
//! - a script has the code rewritten by a program of the project's own.
//!
//! ## Why it matters
//!
//! A pipelined loop's time is nearly its trip count times its II. Synthesis says so after minutes or hours (`report/ii`);
//! the source says so now.
//!
//! ## Example
//!
//! ```cpp
//! for (int r = 0; r < 256; r++) {
//! #pragma HLS pipeline II=1
//!     for (int s = 0; s < 8; s++) part[s] += v[r][s];   // float: each addition waits for the one before
//! }
//! ```
//!
//! ## How to fix
//!
//! Where a sum holds it: keep as many partial sums as the II says and add them up behind the loop, or interchange the loops.
//! Where an array holds it: partition it, so that the accesses of one iteration are in different banks. Or ask for the II
//! that can be reached: it costs nothing, and fewer operators are built.

mod whole;
mod width;

use std::collections::BTreeMap;

use crate::AuditInput;
use derate_design::{find_in_nest, has_trips, pair_loops};
use derate_estimate::{KernelModels, ModelledKernel};
use derate_estimate::{
    count_cycles, doubt_latencies, find_interval_cause, find_least, find_most,
    find_slight_interval, is_bound, is_doubtful, may_be_cut,
};
use derate_hls::{Figure, Report, Span, Synthesis, SynthesisedLoop, find_logged_interval};
use derate_kernel::{HeldBy, LoopAnswer};
use serde_json::json;

use super::accumulation;
use crate::modelled::{
    conditions, differs_in, each_kernel, follow_sources, hedge_rewritten, line_span,
    list_differences,
};
use crate::{Finding, Level};
use width::doubt_width;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let sums = accumulation::check_project(input);
    let (solutions, elsewhere) = (input.gather_solutions(), input.gather_elsewhere());
    let mut found: Vec<Finding> = Vec::new();
    for (models, kernel) in each_kernel(input) {
        let of_solutions = solutions.iter().filter(|one| one.top == kernel.answer.top);
        let syntheses = input.syntheses().iter().chain(of_solutions);
        let (old, reported) = list_reported(input, syntheses, kernel);
        if let Some(finding) = whole::report_kernel(input, models, kernel) {
            found.push(hedge_rewritten(input, &kernel.answer.top, finding));
        }
        for one in &kernel.answer.loops {
            if is_refuted(&reported, one) {
                continue;
            }
            let Some(finding) = report_loop(input, models, kernel, one, &sums) else {
                continue;
            };
            let mut finding = hedge_rewritten(input, &kernel.answer.top, finding);
            if is_refuted(&old, one) {
                finding.level = Level::Note;
                finding = finding.with_note(describe_old(&old, one));
            }
            let all = input
                .syntheses()
                .iter()
                .chain(&solutions)
                .chain(&elsewhere)
                .flat_map(|one| &one.loops);
            if let Some((ii, span)) = find_known(all, &input.build.logs, one, &finding) {
                finding.level = Level::Note;
                let label =
                    format!("the tool reached II={ii} in this loop or one of as many iterations");
                finding = finding.with_label(span, label);
            }
            let is_own =
                |known: &&ReportedLoop<'_>| is_same_loop(known.0, one) && Some(known.1) == one.ii;
            if let Some((_, reached, span)) = reported.iter().find(is_own) {
                // `report/ii` says so.
                finding.level = Level::Note;
                finding = finding.with_label(*span, format!("the tool reached II={reached}"));
            }
            // A function that is called twice, or is in two kernels, has its loops twice.
            let is_it = |known: &Finding| {
                (known.place(), &known.message) == (finding.place(), &finding.message)
            };
            if !found.iter().any(is_it) {
                found.push(finding);
            }
        }
    }
    found
}

fn report_loop(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    one: &LoopAnswer,
    sums: &[Finding],
) -> Option<Finding> {
    let (asked, reached) = (one.asked?, find_most(one)?);
    let least = find_least(kernel, one)?.min(reached);
    let tool = models.settings.tool;
    let is_unsure =
        is_doubtful(kernel, one) || may_be_cut(kernel, one, tool) || kernel.is_unwritten(one);
    // One iteration has no interval.
    let is_single = one.trip.is_some_and(|(_, most, _)| most <= 1.0 && !one.trip_rests_on_type);
    if least <= asked || is_unsure || is_single {
        return None;
    }
    let cause = find_interval_cause(kernel, one, reached)?;
    let predicted = if is_bound(kernel, one) {
        format!("at least {least}")
    } else if least < reached {
        format!("{least} to {reached}")
    } else {
        reached.to_string()
    };
    let place = line_span(input, kernel, one.place)?;
    let at = cause.places.iter().filter_map(|at| line_span(input, kernel, *at));
    let at: Vec<Span> = at.filter(|span| *span != place).collect();
    if is_reported(sums, &at) {
        return None;
    }
    let (label, function) = (&one.label, &one.function);
    let mut finding =
        Finding::new("kernel/interval", Level::Warning, format!("{function}::{label}"))
            .in_group(function.clone())
            .with_message(format!(
                "`{label}` of `{function}` asks for II={asked} and reaches {predicted}: {}",
                cause.clause
            ))
            .with_label(place, format!("II={asked} is asked for, {predicted} is predicted"));
    if let Some(span) = at.first() {
        finding = finding.with_label(*span, cause.label);
    }
    let mut doubts = doubt_latencies(models, kernel, one);
    doubts.extend(doubt_width(input, models, kernel, one));
    doubts.extend(find_slight_interval(kernel, one, asked, reached));
    if !doubts.is_empty() {
        finding.level = Level::Note;
    }
    Some(
        finding
            .with_notes(doubts)
            .with_notes(count_cycles(one, asked, reached))
            .with_note(conditions(models, kernel))
            .with_help(cause.help)
            .with_evidence(json!({
                "kernel": kernel.answer.top,
                "function": function,
                "loop": label,
                "asked": asked,
                "predicted": reached,
                "least": least,
                "held_by": kind_of(one),
                "trip_count": one.trip.filter(|_| !one.trip_rests_on_type).map(|(_, most, _)| most),
            })),
    )
}

/// A loop of the model, the interval that a report has of it, and the line of that.
type ReportedLoop<'a> = (&'a LoopAnswer, u64, Span);

/// The loops of a kernel that the reports have, with the intervals that were reached: those of reports that are of another
/// version of the source, and the others.
fn list_reported<'a>(
    input: &AuditInput<'_>,
    syntheses: impl Iterator<Item = &'a Synthesis>,
    kernel: &'a ModelledKernel,
) -> (Vec<ReportedLoop<'a>>, Vec<ReportedLoop<'a>>) {
    let (mut old, mut current) = (Vec::new(), Vec::new());
    for synthesis in syntheses {
        let synthesis = &follow_sources(input, synthesis, kernel);
        let is_whole = synthesis.top != kernel.answer.top
            || list_differences(input, synthesis, kernel).is_empty();
        let mut differing: BTreeMap<&str, bool> = BTreeMap::new();
        for pair in pair_loops(synthesis, &kernel.answer) {
            let one = pair.synthesised;
            let known = kernel.answer.loops.iter();
            let mut known =
                known.filter(|own| pair.modelled.is_some_and(|it| std::ptr::eq(it, *own)));
            let modelled = known.next().or_else(|| find_in_nest(one, &kernel.answer));
            let reached = one.ii.as_ref().and_then(Figure::known);
            let (Some(modelled), Some(reached)) = (modelled, reached) else { continue };
            let file = kernel.program.files.get(usize::from(modelled.place.file));
            let file = file.map_or("", String::as_str);
            let is_old = !is_whole
                && *differing
                    .entry(file)
                    .or_insert_with(|| differs_in(input, synthesis, kernel, file));
            let list = if is_old { &mut old } else { &mut current };
            list.push((modelled, reached, one.span));
        }
    }
    (old, current)
}

/// Whether a report has this loop at the interval that was asked for, or all that have it at another one than the model.
fn is_refuted(reported: &[ReportedLoop<'_>], one: &LoopAnswer) -> bool {
    let own = reported.iter().filter(|pair| is_same_loop(pair.0, one));
    let own: Vec<u64> = own.map(|pair| pair.1).collect();
    let is_met = own.iter().any(|ii| one.asked.is_some_and(|asked| *ii <= asked));
    is_met || !own.is_empty() && !own.iter().any(|ii| Some(*ii) == one.ii)
}

/// The interval that reports have for the loops of a function of this name, in this file or a copy of it, that iterate as often, or that
/// a log has for this loop where there are no reports: it decides where it is lower than the least of the model, and where it is the
/// model's, as `report/ii` has it then.
fn find_known<'a>(
    all: impl Iterator<Item = &'a SynthesisedLoop>,
    logs: &[Report],
    one: &LoopAnswer,
    finding: &Finding,
) -> Option<(u64, Span)> {
    let least = finding.evidence["least"].as_u64()?;
    let own = all.filter(|known| known.function == one.function && has_trips(known, one));
    let own = own.filter_map(|known| Some((known.ii.as_ref()?.known()?, known.span)));
    let logged = || find_logged_interval(logs, &one.function, &one.label);
    let decides = |known: &(u64, Span)| known.0 < least || Some(known.0) == one.ii;
    // `report/ii` does not look at a log that is alone.
    let reported = own.max_by_key(|known| known.0);
    match reported {
        Some(known) => Some(known).filter(decides),
        None => logged().filter(|known| known.0 < least),
    }
}

/// What a report of another version of the source says.
fn describe_old(reported: &[ReportedLoop<'_>], one: &LoopAnswer) -> String {
    let own = reported.iter().find(|pair| is_same_loop(pair.0, one));
    let reached = own.map_or_else(|| "another II".to_owned(), |pair| format!("II={}", pair.1));
    format!("a report has {reached}, but it is of another version of the source")
}

fn is_same_loop(known: &LoopAnswer, one: &LoopAnswer) -> bool {
    (known.place, &known.label) == (one.place, &one.label)
}

/// Whether `kernel/accumulation` has reported one of the lines.
fn is_reported(sums: &[Finding], at: &[Span]) -> bool {
    let overlaps = |one: Span, other: Span| {
        one.file == other.file && one.start < other.end && other.start < one.end
    };
    sums.iter().filter_map(Finding::place).any(|sum| at.iter().any(|line| overlaps(sum, *line)))
}

fn kind_of(one: &LoopAnswer) -> &'static str {
    match one.held_by {
        Some(HeldBy::Recurrence { .. }) => "recurrence",
        Some(HeldBy::Memory { .. }) => "memory",
        _ => "other",
    }
}
