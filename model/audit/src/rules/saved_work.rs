//! Work that an inference could do without, as a finding: what the rules about it share.

use serde_json::json;

use crate::{Finding, Level};
use derate_estimate::scenario::Assumptions;
use derate_estimate::{Analysis, variant_savings};
use derate_units::figures::significant;

/// The finding of a variant that saves work and that the design does not choose.
pub(super) fn make_finding(
    analysis: &Analysis,
    code: &'static str,
    key: &'static str,
) -> Option<Finding> {
    let (variant, whole) = variant_savings(analysis, &Assumptions::claimed(analysis), key)?;
    if variant.chosen {
        return None;
    }
    let share = variant.flops / whole;
    let model = &analysis.project.model;
    let claim = model.workload.as_ref().or(model.shapes.as_ref());
    let span = claim.unwrap_or(&analysis.project.platform).span;
    Some(
        Finding::new(code, Level::Note, key.to_owned())
            .with_message(format!(
                "{} GOP of an inference ({} %) are computed for nothing",
                significant(variant.flops.0 / 1e9, 3),
                significant(100.0 * share, 2)
            ))
            .with_label(span, variant.title)
            .with_help(format!("leave it out of the design, and set `{key} = true` under [design]"))
            .with_evidence(
                json!({ "flops": variant.flops, "share": share, "bytes": variant.bytes }),
            ),
    )
}
