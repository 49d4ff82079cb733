//! A claimed figure is not that of the model or of the kernels.
//!
//! ## What it does
//!
//! Compares `work` with the operations that the workload has, of matrix products alone or with all others; `weights` with the
//! bytes of its tensors under the claimed precision, those that an inference reads or all of the dump; `intensity` with the
//! most that it can be, all work over one reading of the weights; and `utilisation` of a kernel of `[[kernel]]` with its
//! multiply-adds per cycle over what its DSP slices can do. A claim may be of a part, an operation or a kernel. Two per cent are
//! allowed, five for a utilisation. `activations` depend on what is fused, and are compared with other claims alone.
//!
//! ## Why it matters
//!
//! Everything else follows from these figures: roofs, rates and what is called compute bound.
//!
//! ## Example
//!
//! `work = "418 GOP"` for a model with 418 G multiply-adds: that is 836 GOP.
//!
//! ## How to fix
//!
//! Claim what the model has: `derate estimate` shows operations and bytes of each part.

use derate_units::figures::{quantity, significant};
use derate_units::{Bytes, Ops};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::find_design;
use derate_design::{ClaimGroup, GroupedClaim, group_claims, name_per};
use derate_design::{count_bytes, find_use, judged_work};
use derate_estimate::Analysis;
use derate_project::ClaimPer;

const TOLERANCE: f64 = 0.02;
/// Cycles that are modelled are not exact.
const USE_TOLERANCE: f64 = 0.05;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let groups = group_claims(analysis);
    let judge = |group: &ClaimGroup| {
        [
            judge_work(analysis, group),
            judge_weights(analysis, group),
            judge_intensity(analysis, group),
            judge_use(analysis, group),
        ]
    };
    groups.iter().flat_map(judge).flatten().collect()
}

/// Whether a figure is in a range, as far as claims are exact.
fn is_within(value: f64, least: f64, most: f64) -> bool {
    value >= least * (1.0 - TOLERANCE) && value <= most * (1.0 + TOLERANCE)
}

fn make_finding(
    group: &ClaimGroup,
    claim: &GroupedClaim,
    message: String,
    label: String,
) -> Finding {
    Finding::new("claims/figure", Level::Error, group.key(claim.figure.key()))
        .with_message(message)
        .with_label(claim.span, label)
}

fn judge_work(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let claim = group.get("work")?;
    let work = judged_work(group, claim)?;
    let passes = analysis.batch() as f64 * claim.count;
    let products = work.products.0 / passes;
    let all = products + work.elementwise.0 / passes;
    let claimed = claim.figure.value();
    if products <= 0.0 || is_within(claimed, products, all) {
        return None;
    }
    let per = name_per(claim.per);
    let message = format!(
        "{}{per} has {} of matrix products, and {} is claimed: {}x",
        group.name(),
        quantity(Ops(products)),
        quantity(Ops(claimed)),
        significant(claimed / products, 3)
    );
    let half = is_within(2.0 * claimed, products, all);
    let finding = make_finding(group, claim, message, format!("{}{per}", quantity(Ops(claimed))))
        .with_notes(
            half.then_some("that is the count of multiply-adds, and each is two operations"),
        )
        .with_note(format!(
            "with norms, softmax and other elementwise work it is {}",
            quantity(Ops(all))
        ))
        .with_help("claim the operations that the model has")
        .with_evidence(json!({ "claimed": claimed, "products": products, "all": all }));
    Some(finding)
}

fn judge_weights(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let claim = group.get("weights")?;
    let storage = analysis.claimed_storage();
    let is_whole = group.subject.name.is_none() && claim.per == ClaimPer::Inference;
    let tensors = judged_work(group, claim)?.tensors.iter().copied();
    let used = count_bytes(analysis, &storage, tensors)? / claim.count;
    let all = if is_whole {
        count_bytes(analysis, &storage, 0..analysis.shape.tensors.len())?
    } else {
        used
    };
    let claimed = claim.figure.value();
    let (least, most) = (used.min(all), used.max(all));
    if used <= 0.0 || is_within(claimed, least, most) {
        return None;
    }
    let (per, name) = (name_per(claim.per), storage.name());
    let message = format!(
        "the weights of {}{per} take {} in {name}, and {} is claimed: {}x",
        group.name(),
        quantity(Bytes(most)),
        quantity(Bytes(claimed)),
        significant(claimed / most, 3)
    );
    let finding = make_finding(group, claim, message, format!("{}{per}", quantity(Bytes(claimed))))
        .with_help(
            "claim the bytes that the claimed precision takes, or the precision that is meant",
        )
        .with_evidence(json!({ "claimed": claimed, "read": used, "all": all, "precision": name }));
    Some(finding)
}

fn judge_intensity(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let claim = group.get("intensity")?;
    // What stays on the chip is read by no inference.
    if !analysis.project.design.hold.is_empty() {
        return None;
    }
    let storage = analysis.claimed_storage();
    let bytes = count_bytes(analysis, &storage, group.subject.all.tensors.iter().copied())?;
    let most = (group.subject.all.products.0 + group.subject.all.elementwise.0) / bytes;
    let claimed = claim.figure.value();
    if bytes <= 0.0 || claimed <= most * (1.0 + TOLERANCE) {
        return None;
    }
    let message = format!(
        "an operational intensity of {} OP/B is claimed for {}, which has at most {} OP/B",
        significant(claimed, 4),
        group.name(),
        significant(most, 4)
    );
    let label = format!("{} OP/B", significant(claimed, 4));
    let finding = make_finding(group, claim, message, label)
        .with_note(format!(
            "all of its work over one reading of its weights, {}",
            quantity(Bytes(bytes))
        ))
        .with_help("count the bytes of the claimed precision, once at least")
        .with_evidence(json!({ "claimed": claimed, "most": most, "weight_bytes": bytes }));
    Some(finding)
}

fn judge_use(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let claim = group.get("utilisation")?;
    let claimed = claim.figure.value();
    let percent = |share: f64| significant(100.0 * share, 3);
    if claimed > 1.0 {
        let message =
            format!("a utilisation of {} % is claimed for {}", percent(claimed), group.name());
        let finding = make_finding(group, claim, message, "more than all of the peak".to_owned())
            .with_help("claim the share of the peak that work over time is")
            .with_evidence(json!({ "claimed": claimed }));
        return Some(finding);
    }
    let design = find_design(analysis)?;
    let kernel = design.kernels.get(group.subject.kernel?)?;
    let reached = find_use(analysis, kernel)?;
    if claimed <= reached * (1.0 + USE_TOLERANCE) {
        return None;
    }
    let message = format!(
        "{} uses {} % of what its DSP slices can do, and {} % is claimed",
        group.name(),
        percent(reached),
        percent(claimed)
    );
    let finding = make_finding(group, claim, message, format!("claimed: {} %", percent(claimed)))
        .with_note("multiply-adds per cycle over its slices at their densest packing")
        .with_help("claim what the kernel reaches, or pipeline and unroll it until it does")
        .with_evidence(json!({ "claimed": claimed, "reached": reached, "kernel": kernel.name }));
    Some(finding)
}
