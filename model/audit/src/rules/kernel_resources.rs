//! A kernel takes more DSP slices, LUT or FF than the chip has.
//!
//! ## What it does
//!
//! Schedules every kernel of the sources, without the tool, and compares the least that it takes, times the compute units that
//! `nk=` makes, with what the chip has: DSP slices as the tool counts them, and LUT and FF as they are after place and route, which
//! are fewer than HLS estimates. Below a quarter above the chip's DSP slices, and four times its LUT or FF, nothing is said: the
//! model of these is coarse. Memories are compared by
//! `kernel/memory-blocks`. Where a report of the same kernel is there, the report is judged (`report/utilisation`), and nothing is
//! said here. Where a branch cannot be decided, the finding is a note.
//!
//! ## Why it matters
//!
//! Synthesis of a kernel that is too large ends well; placing it fails hours later.
//!
//! ## Example
//!
//! ```cpp
//! for (int i = 0; i < 4096; i++) {
//! #pragma HLS unroll
//!     y[i] = x[i] * w[i];   // float: 3 DSP slices each, more than a U280 has
//! }
//! ```
//!
//! ## How to fix
//!
//! Unroll less, use numbers of fewer bits, or build for a larger chip.

use crate::AuditInput;
use derate_estimate::{KernelModels, ModelledKernel};
use derate_kernel::ResourceAnswer;
use serde_json::json;

use crate::modelled::{conditions, each_kernel, line_span};
use crate::{Finding, Level};
use derate_units::figures::{grouped, significant};

/// What is less above the chip's number may be the model's error: of a public design that fits its chip it says 1.8 times the LUT
/// that there are.
const MARGIN: [(&str, f64); 3] = [("DSP", 1.25), ("LUT", 4.0), ("FF", 4.0)];

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reported: Vec<&str> = input
        .build
        .reports
        .iter()
        .filter_map(|report| Some(report.top.as_ref()?.value.as_str()))
        .collect();
    each_kernel(input)
        .filter(|(_, kernel)| !reported.contains(&kernel.answer.top.as_str()))
        .filter_map(|(models, kernel)| report_kernel(input, models, kernel))
        .collect()
}

/// One finding for a kernel: the first resource of which it takes too much.
fn report_kernel(
    input: &AuditInput<'_>,
    models: &KernelModels,
    kernel: &ModelledKernel,
) -> Option<Finding> {
    let (part, of) = (&models.settings.part, &kernel.answer.resources);
    let least_routed = |one: &ResourceAnswer| {
        if one.value > 0.0 { one.routed.min(one.value) * one.low / one.value } else { 0.0 }
    };
    #[allow(clippy::cast_precision_loss)]
    let amounts = [
        ("DSP", of.dsp.low, part.dsp as f64),
        ("LUT", least_routed(&of.lut), part.lut as f64),
        ("FF", least_routed(&of.ff), part.ff as f64),
    ];
    #[allow(clippy::cast_precision_loss)]
    let units = kernel.units as f64;
    let margin =
        |name: &str| MARGIN.iter().find(|(other, _)| *other == name).map_or(1.0, |one| one.1);
    let (name, one_unit, available) = amounts.into_iter().find(|(name, one_unit, available)| {
        *available > 0.0 && one_unit * units > available * margin(name)
    })?;
    let needed = one_unit * units;
    let top = &kernel.answer.top;
    let place = line_span(input, kernel, kernel.program.functions.first()?.place)?;
    let of_units = match kernel.units {
        1 => String::new(),
        units => format!(" in {units} compute units"),
    };
    let level = if kernel.program.undecided.is_some() { Level::Note } else { Level::Warning };
    let undecided = "which side of a branch is built is not known: some of it may not be there";
    Some(
        Finding::new("kernel/resources", level, top.clone())
            .with_message(format!(
                "`{top}`{of_units} takes at least {} {name}; {} has {}",
                grouped(needed.round()),
                part.name,
                grouped(available)
            ))
            .with_label(
                place,
                format!("{} times what there is", significant(needed / available, 3)),
            )
            .with_notes(kernel.program.undecided.map(|_| undecided))
            .with_note(conditions(models))
            .with_help("unroll less, use numbers of fewer bits, or choose a larger part")
            .with_evidence(json!({
                "kernel": top,
                "resource": name,
                "needed": needed.round(),
                "available": available,
                "units": kernel.units,
            })),
    )
}
