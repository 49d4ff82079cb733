//! A loop asks for a pipeline and cannot get one: a loop in it has no fixed number of iterations.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool. A `pipeline` unrolls all loops in its loop; where data decide how
//! often one of them iterates, the tool leaves the loop as it is, and says so in its log alone (`Unable to satisfy pipeline
//! directive`). The rule names the loop that asks, and the first loop in it without a fixed number. The help names the innermost
//! of those loops: above another one, the directive has no effect either. A loop with a constant bound in such a loop is unrolled
//! all the same, its own directive goes, and it is not reported. A loop that may be left
//! early and has a constant bound counts as fixed. A loop that a report has as pipelined is not reported; the finding is a
//! note where the loop in it is pipelined itself or asks for it, where the loop takes less than 1 % of the kernel, is in a stage of a dataflow
//! that waits for a slower one, where a log says so too (`report/refused-pipeline`), or is beside a nest of at least two more loops whose bounds are arguments as well, where a report is of another version of the source, or where a script has the code rewritten.
//!
//! ## Why it matters
//!
//! The iterations run one after another, each at its full depth, and the tool does not pipeline the loop in it either: it
//! takes the directive of the outer loop for an answer.
//!
//! ## Example
//!
//! ```cpp
//! for (int t = 0; t < 64; t++) {
//! #pragma HLS pipeline II=1
//!     while (!node[at].is_leaf) at = node[at].next;   // as long as the data say
//! }
//! ```
//!
//! ## How to fix
//!
//! Move the `pipeline` to the loop in it. Or give that loop a constant bound and skip the work behind its end
//! (`if (i < n)`), so that it can be unrolled.

use derate_design::pair_loops;
use derate_estimate::{
    KernelModels, ModelledKernel, find_open, find_slight_loop, is_decided_by_data, is_doubtful,
    list_innermost,
};
use derate_hls::{Figure, Refused, Synthesis, list_refused};
use derate_kernel::LoopAnswer;
use derate_units::figures::{grouped, list_few};
use serde_json::json;

use crate::AuditInput;
use crate::modelled::{conditions, differs_in, each_kernel, hedge_rewritten, line_span};
use crate::{Finding, Level};

/// Loops that are named.
const NAMED: usize = 4;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let solutions = input.gather_solutions();
    let syntheses: Vec<&Synthesis> = input.syntheses().iter().chain(&solutions).collect();
    let refused = list_refused(&input.build.reports, &input.build.logs);
    let mut found: Vec<Finding> = Vec::new();
    for (models, kernel) in each_kernel(input) {
        let loops = &kernel.answer.loops;
        for (at, one) in loops.iter().enumerate() {
            let Some(inner) = find_open(loops, at) else { continue };
            let Some(finding) =
                report_loop((input, &syntheses, &refused), models, kernel, (one, &loops[inner]))
            else {
                continue;
            };
            // A function that is called twice, or is in two kernels, has its loops twice.
            if found.iter().all(|known| known.place() != finding.place()) {
                found.push(finding);
            }
        }
    }
    found
}

/// What the reports say of a loop.
#[derive(Default)]
struct Reported {
    /// Whether one has it as pipelined.
    is_pipelined: bool,
    /// Whether one is of another version of the source.
    is_old: bool,
}

fn find_reported(
    input: &AuditInput<'_>,
    syntheses: &[&Synthesis],
    kernel: &ModelledKernel,
    one: &LoopAnswer,
) -> Reported {
    let mut reported = Reported::default();
    for synthesis in syntheses {
        let pairs = pair_loops(synthesis, &kernel.answer);
        let own = pairs.iter().filter(|pair| {
            pair.modelled
                .is_some_and(|known| (known.place, &known.label) == (one.place, &one.label))
        });
        let own: Vec<bool> = own
            .map(|pair| pair.synthesised.ii.as_ref().and_then(Figure::known).is_some())
            .collect();
        if own.is_empty() {
            continue;
        }
        let file = kernel.program.files.get(usize::from(one.place.file));
        reported.is_pipelined |= own.contains(&true);
        reported.is_old |= file.is_some_and(|file| differs_in(input, synthesis, kernel, file));
    }
    reported
}

fn report_loop(
    (input, syntheses, refused): (&AuditInput<'_>, &[&Synthesis], &[Refused<'_>]),
    models: &KernelModels,
    kernel: &ModelledKernel,
    (one, inner): (&LoopAnswer, &LoopAnswer),
) -> Option<Finding> {
    let is_doubtful = is_doubtful(kernel, one) || is_doubtful(kernel, inner);
    if is_doubtful || !is_decided_by_data(kernel, inner) {
        return None;
    }
    let reported = find_reported(input, syntheses, kernel, one);
    if reported.is_pipelined {
        return None;
    }
    let place = line_span(input, kernel, one.place)?;
    let (label, function) = (&one.label, &one.function);
    let finding = Finding::new("kernel/unpipelined", Level::Warning, format!("{function}::{label}"))
        .in_group(function.clone())
        .with_message(format!(
            "`{label}` of `{function}` asks for a pipeline and gets none: `{}` in it has no fixed number of iterations",
            inner.label
        ))
        .with_label(place, "its iterations run one after another");
    let mut finding = hedge_rewritten(input, &kernel.answer.top, finding);
    if let Some(span) = line_span(input, kernel, inner.place).filter(|span| *span != place) {
        finding =
            finding.with_label(span, "data decide how often it iterates: it cannot be unrolled");
    }
    if inner.ii.is_some() {
        finding.level = Level::Note;
        finding = finding.with_note("the loop in it is pipelined itself: little is lost");
    } else if inner.asked.is_some() {
        finding.level = Level::Note;
        finding =
            finding.with_note("the loop in it asks for a pipeline itself, and gets none either");
    }
    if let Some(slight) = find_slight_loop(kernel, one) {
        finding.level = Level::Note;
        finding = finding.with_note(slight);
    }
    if refused.iter().any(|it| it.is_of(function, label)) {
        finding.level = Level::Note;
        finding = finding.with_note("`report/refused-pipeline` has it from a log");
    }
    if reported.is_old {
        finding.level = Level::Note;
        finding = finding.with_note("a report of it is of another version of the source");
    }
    let trip = one.trip.filter(|_| !one.trip_rests_on_type && !one.trip_is_given);
    let iterations = trip.filter(|(least, most, _)| (least - most).abs() < 0.5 && *most > 1.0);
    let count = iterations.map(|(_, most, _)| format!("{} iterations", grouped(most)));
    Some(
        finding
            .with_notes(count)
            .with_note(conditions(models, kernel))
            .with_help(format!(
                "move the `pipeline` to {}; or give the loops in this one constant bounds, so that they can be \
                 unrolled",
                list_few(&list_innermost(&kernel.answer.loops, one), NAMED)
            ))
            .with_evidence(json!({
                "kernel": kernel.answer.top,
                "function": function,
                "loop": label,
                "inner": inner.label,
            })),
    )
}
