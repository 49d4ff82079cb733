//! One stage of a dataflow region takes so long that the others wait for it.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool, and compares the stages of each `dataflow` region: the region
//! starts anew as often as its slowest stage. It reports a stage that takes at least twice as long as the next
//! slowest, and 1,000 cycles. A region of which a stage's cycles are not known, or depend on data, is not judged.
//!
//! ## Why it matters
//!
//! Stages that overlap save time only as far as they are alike. Where one takes most of the cycles, the region's hardware
//! waits for it, and work on any other stage gains nothing.
//!
//! ## Example
//!
//! ```cpp
//! #pragma HLS dataflow
//! load(in, buffer);          //  1,024 cycles
//! compute(buffer, result);   // 16,384 cycles: load and store wait 15 of 16 cycles
//! store(result, out);        //  1,024 cycles
//! ```
//!
//! ## How to fix
//!
//! Unroll the slowest stage, split it in two, or give its work to the stages beside it. Or spend fewer resources on the
//! others.

use crate::AuditInput;
use derate_estimate::{KernelModels, ModelledKernel};
use derate_kernel::{RegionAnswer, StageAnswer};
use serde_json::json;

use crate::modelled::{conditions, each_kernel, line_span};
use crate::{Finding, Level};
use derate_units::figures::{grouped, significant};

/// Less than so many times the next slowest is a balance that the model cannot tell from a better one.
const RATIO: f64 = 2.0;
/// What takes less is mostly the start of the stages.
const SHORTEST: f64 = 1000.0;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    for (models, kernel) in each_kernel(input) {
        for region in &kernel.answer.regions {
            let Some(finding) = report_region(input, models, kernel, region) else { continue };
            if found.iter().all(|known| known.place() != finding.place()) {
                found.push(finding);
            }
        }
    }
    found
}

fn is_certain(stage: &StageAnswer) -> bool {
    let interval = stage.interval;
    interval.is_known() && interval.expected > 0.0 && interval.worst <= interval.best * 1.1
}

fn report_region(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
    region: &RegionAnswer,
) -> Option<Finding> {
    if !region.stages.iter().all(is_certain) || !kernel.answer.unknown.is_empty() {
        return None;
    }
    let mut stages: Vec<&StageAnswer> = region.stages.iter().collect();
    let cycles = |one: &StageAnswer| one.interval.expected;
    stages.sort_by(|a, b| cycles(b).total_cmp(&cycles(a)));
    let [slowest, next, ..] = stages[..] else { return None };
    if cycles(slowest) < SHORTEST || cycles(slowest) < cycles(next) * RATIO {
        return None;
    }
    let all: f64 = region.stages.iter().map(cycles).sum();
    let share = cycles(slowest) / all;
    let (name, function) = (&slowest.name, &region.function);
    let place = line_span(input, kernel, slowest.place)?;
    let other = line_span(input, kernel, next.place)?;
    Some(
        Finding::new("kernel/slowest-stage", Level::Note, format!("{function}::{name}"))
            .in_group(function.clone())
            .with_message(format!(
                "stage `{name}` of `{function}` takes {} cycles, {} times the next slowest: the others wait",
                grouped(cycles(slowest)),
                significant(cycles(slowest) / cycles(next), 2)
            ))
            .with_label(
                place,
                format!("{} cycles, {:.0} % of all {} stages", grouped(cycles(slowest)), 100.0 * share, stages.len()),
            )
            .with_label(other, format!("the next slowest: {} cycles", grouped(cycles(next))))
            .with_note(conditions(models, kernel))
            .with_help(format!("unroll or split `{name}`, or spend less on the other stages"))
            .with_evidence(json!({
                "kernel": kernel.answer.top,
                "function": function,
                "slowest": name,
                "cycles": cycles(slowest),
                "share": share,
                "next": next.name,
                "next_cycles": cycles(next),
            })),
    )
}
