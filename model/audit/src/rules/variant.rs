//! Work that an inference could do without, as a finding: what the rules about it share.

use serde::Serialize;

use super::evidence;
use crate::{Finding, Label, Level};
use derate_estimate::scenario::claimed;
use derate_estimate::{Analysis, saved};
use derate_units::figures::significant;
use derate_units::{Bytes, Ops};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct Saved {
    flops: Ops,
    share: f64,
    bytes: Bytes,
}

/// The finding of a variant that saves work and that the design does not choose.
pub(super) fn finding(
    analysis: &Analysis,
    code: &'static str,
    key: &'static str,
) -> Option<Finding> {
    let (variant, whole) = saved(analysis, &claimed(analysis), key)?;
    if variant.chosen {
        return None;
    }
    let share = variant.flops / whole;
    let model = &analysis.project.model;
    let claim = model.workload.as_ref().or(model.shapes.as_ref());
    let span = claim.unwrap_or(&analysis.project.platform).span;
    Some(Finding {
        code,
        level: Level::Note,
        subject: key.to_owned(),
        message: format!(
            "{} GOP of an inference ({} %) are computed for nothing",
            significant(variant.flops.0 / 1e9, 3),
            significant(100.0 * share, 2)
        ),
        labels: vec![Label::new(span, variant.title)],
        notes: Vec::new(),
        help: format!("leave it out of the design, and set `{key} = true` under [design]"),
        evidence: evidence(&Saved { flops: variant.flops, share, bytes: variant.bytes }),
        fixes: Vec::new(),
    })
}
