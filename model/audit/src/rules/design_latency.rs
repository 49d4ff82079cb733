//! The kernels take longer than the claimed latency.
//!
//! ## What it does
//!
//! Adds up the calls of all kernels of `[[kernel]]` at the clock that is reached, with their launches and the transfers
//! between host and card, and compares the least of the range with `[claims] latency`. The latency of a `[[claim]]` is compared
//! with the kernels that compute that part, operation or kernel, without transfers; one of a layer or of a call with the mean of
//! their runs. Kernels whose cycles are not known, and work that no kernel serves, count nothing, so the claim fails even
//! without them.
//!
//! ## Why it matters
//!
//! A sum of kernels is the most direct check of a latency. An estimated period is not a reached one.
//!
//! ## Example
//!
//! `latency = "90 ms"`, and 36 calls of an attention kernel of 1.3 M cycles at 300 MHz: 156 ms.
//!
//! ## How to fix
//!
//! Correct the claim, or make the kernel with the largest share faster: `derate explore` searches for a design.

use derate_units::Seconds;
use derate_units::figures::{quantity, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::DesignKernel;
use derate_design::find_design;
use derate_design::{ClaimGroup, GroupedClaim, group_claims, name_per};
use derate_estimate::Analysis;
use derate_project::{ClaimPer, ClaimedLatency};

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    find_excess(analysis).into_iter().chain(list_part_excesses(analysis)).collect()
}

/// Latencies of parts, operations and kernels, and of one layer or call.
fn list_part_excesses(analysis: &Analysis) -> Vec<Finding> {
    let groups = group_claims(analysis);
    let claims =
        groups.iter().flat_map(|group| group.claims.iter().map(move |claim| (group, claim)));
    let is_partial = |group: &ClaimGroup, claim: &GroupedClaim| {
        group.subject.name.is_some() || claim.per != ClaimPer::Inference
    };
    claims
        .filter(|(group, claim)| claim.figure.key() == "latency" && is_partial(group, claim))
        .filter_map(|(group, claim)| judge_part(analysis, group, claim))
        .collect()
}

fn judge_part(analysis: &Analysis, group: &ClaimGroup, claim: &GroupedClaim) -> Option<Finding> {
    let design = find_design(analysis)?;
    let time = group.subject.time(&design, analysis.launch().value)?;
    let (claimed, count) = (claim.figure.value(), claim.count.max(1.0));
    if claimed * count >= time.least.0 {
        return None;
    }
    let (per, taken) = (name_per(claim.per), Seconds(time.value.0 / count));
    let finding = Finding::new("design/latency", Level::Error, group.key("latency"))
        .with_message(format!(
            "the kernels take {}{per} for {}, {} times the claimed latency",
            quantity(taken),
            group.name(),
            significant(taken.0 / claimed, 3)
        ))
        .with_label(claim.span, format!("claimed: {}{per}", quantity(Seconds(claimed))))
        .with_note(format!(
            "{} in an inference, in {} calls",
            quantity(time.value),
            significant(time.calls, 4)
        ))
        .with_help("correct the claim, or make its kernels faster")
        .with_evidence(json!({
            "of": group.subject.name, "claimed": claimed, "count": count,
            "latency": time.value.0, "least": time.least.0,
        }));
    Some(finding)
}

fn find_excess(analysis: &Analysis) -> Option<Finding> {
    let claim = analysis.project.claims.latency.as_ref()?;
    let ClaimedLatency::Known(claimed) = claim.value else { return None };
    let design = find_design(analysis)?;
    let (latency, [least, _]) = (design.totals.latency.as_ref()?, design.totals.range?);
    if claimed.0 >= least.0 {
        return None;
    }
    let share = |one: &DesignKernel| {
        let time = one.seconds()?.value;
        let percent = significant(100.0 * (time / latency.value), 3);
        Some((time, format!("`{}` takes {} of it: {percent} %", one.name, quantity(time))))
    };
    let slowest = design.kernels.iter().filter_map(share).max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let served = significant(100.0 * design.totals.served_share, 3);
    let finding = Finding::new("design/latency", Level::Error, "latency")
        .with_message(format!(
            "the kernels take {}, {} times the claimed latency",
            quantity(latency.value),
            significant(latency.value / claimed, 3)
        ))
        .with_label(claim.span, format!("claimed: {}", quantity(claimed)))
        .with_notes(slowest.map(|(_, text)| text))
        .with_note(format!("they serve {served} % of the model's multiply-adds"))
        .with_help("correct the claim, or make the kernel with the largest share faster")
        .with_evidence(json!({
            "claimed": claimed.0, "latency": latency.value.0, "least": least.0,
            "served_share": design.totals.served_share,
        }));
    Some(finding)
}
