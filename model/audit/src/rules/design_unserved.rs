//! No kernel computes a part of the model.
//!
//! ## What it does
//!
//! Looks for matrix products of an inference that no kernel of `[[kernel]]` serves, where `[design]` has no array for them
//! either. It is silent where no kernel is described.
//!
//! ## Why it matters
//!
//! The latency of the kernels is not that of an inference: what nobody serves takes time too, on the host or elsewhere.
//!
//! ## Example
//!
//! Kernels for the attention and the MLP of the vision encoder, and none for the action expert.
//!
//! ## How to fix
//!
//! Describe the kernels that compute it, or give `rows` and `columns` of the array that does under `[design]`.

use derate_units::figures::{grouped, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::Unserved;
use derate_design::find_design;
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    if analysis.project.design.rows.is_some() {
        return Vec::new();
    }
    let Some(design) = find_design(analysis) else { return Vec::new() };
    let Some(first) = analysis.project.kernels.first() else { return Vec::new() };
    let served = design.kernels.iter().map(|kernel| kernel.serves.multiply_adds()).sum::<f64>();
    let left = design.totals.unserved.iter().map(|one| one.multiply_adds).sum::<f64>();
    let report = |one: &Unserved| {
        let share = significant(100.0 * one.multiply_adds / (served + left), 3);
        Finding::new("design/unserved", Level::Warning, &one.part)
            .in_group("parts")
            .with_message(format!(
                "no kernel computes {} of `{}`: {share} % of the model's multiply-adds",
                one.operations.join(", "),
                one.part
            ))
            .with_label(
                first.name.span,
                format!("{} multiply-adds are left", grouped(one.multiply_adds)),
            )
            .with_notes(
                (!one.partly.is_empty())
                    .then(|| format!("of {} the kernels compute a share", one.partly.join(", "))),
            )
            .with_help("describe the kernels that compute it, or an array under [design]")
            .with_evidence(json!({
                "part": one.part, "operations": one.operations, "multiply_adds": one.multiply_adds,
            }))
    };
    design.totals.unserved.iter().map(report).collect()
}
