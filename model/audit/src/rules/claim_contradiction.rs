//! Claims that cannot all be true.
//!
//! ## What it does
//!
//! Compares the figures of `[claims]` and `[[claim]]` with each other, each within what it is of. Throughput times latency is the
//! number of inferences at a time, which `batch` says. Operational intensity times bytes is the work. Work over latency is at
//! most the peak, and the peak times the utilisation. A time per layer times the layers is that of all of them. Parts are not
//! more than the whole. Figures may differ by 5 %, as claims are rounded.
//!
//! ## Why it matters
//!
//! No measurement is needed to refute two figures that exclude each other, and readers find it out.
//!
//! ## Example
//!
//! `latency = "90 ms"`, `throughput = "40 FPS"` and `batch = 1`: 40 inferences a second of 90 ms each are 3.6 at a time.
//!
//! ## How to fix
//!
//! Correct the one that was not measured, or say what else holds: a larger `batch`, another part.

use derate_units::figures::{self, quantity, significant};
use derate_units::{Bytes, Ops, OpsPerSecond, Precision, Seconds};
use serde_json::{Value, json};

use crate::{Finding, Level};
use derate_design::{ClaimGroup, GroupedClaim, group_claims, name_per};
use derate_estimate::Analysis;
use derate_estimate::scenario::claim_for;
use derate_hls::Span;
use derate_project::{ClaimPer, ClaimedPrecision};

/// Claims are rounded to two or three digits.
const TOLERANCE: f64 = 0.05;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let groups = group_claims(analysis);
    let mut found = Vec::new();
    for group in &groups {
        found.extend(judge_repeated(group));
        found.extend(judge_throughput(analysis, group));
        found.extend(judge_intensity(group));
        found.extend(judge_rate(analysis, group));
    }
    found.extend(judge_parts(&groups));
    found
}

/// Whether two figures are the same, as far as claims are exact.
fn is_same(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= TOLERANCE
}

/// `is` or `are`, after the key of a figure.
fn verb_of(key: &str) -> &'static str {
    if matches!(key, "weights" | "activations") { "are" } else { "is" }
}

fn make_finding(
    subject: String,
    message: String,
    labels: &[(Span, String)],
    evidence: Value,
) -> Finding {
    let mut finding = Finding::new("claims/contradiction", Level::Error, subject)
        .with_message(message)
        .with_help("correct the figure that was not measured, or say what it is of")
        .with_evidence(evidence);
    for (span, text) in labels {
        finding = finding.with_label(*span, text.clone());
    }
    finding
}

/// The same figure for one layer and for all of them.
fn judge_repeated(group: &ClaimGroup) -> Vec<Finding> {
    let mut found = Vec::new();
    for (at, one) in group.claims.iter().enumerate() {
        let key = one.figure.key();
        let same = |other: &&GroupedClaim| other.figure.key() == key && other.per != one.per;
        let Some(other) = group.claims.iter().take(at).find(same) else { continue };
        if is_same(one.total(), other.total()) {
            continue;
        }
        let (single, all) =
            if one.per == ClaimPer::Inference { (other, one) } else { (one, other) };
        let factor = significant(single.total() / all.total(), 3);
        let times = significant(single.count, 4);
        let message = format!(
            "{key} of {}{}, {times} times, {} {factor} times what is claimed of all of it",
            group.name(),
            name_per(single.per),
            verb_of(key)
        );
        let labels = [
            (single.span, format!("{times} of them in an inference")),
            (all.span, "all of them".to_owned()),
        ];
        let evidence = json!({
            "figure": key, "of": group.subject.name, "single": single.figure.value(),
            "count": single.count, "all": all.total(),
        });
        found.push(make_finding(group.key(key), message, &labels, evidence));
    }
    found
}

/// Throughput times latency against the batch.
fn judge_throughput(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let (throughput, latency) = (group.get("throughput")?, group.get("latency")?);
    let batch = analysis.batch() as f64;
    let at_once = throughput.total() * latency.total();
    if is_same(at_once, batch) {
        return None;
    }
    let rate = significant(throughput.total(), 4);
    let time = quantity(Seconds(latency.total()));
    let message = format!(
        "{rate} inferences per second of {time} each are {} at a time, and the batch is {batch}",
        significant(at_once, 3)
    );
    let labels = [
        (throughput.span, format!("{} between two", quantity(Seconds(batch / throughput.total())))),
        (latency.span, format!("{time} for {batch}")),
    ];
    let evidence = json!({
        "throughput": throughput.total(), "latency": latency.total(), "batch": batch,
        "at_once": at_once,
    });
    let finding = make_finding(group.key("throughput"), message, &labels, evidence);
    if at_once < batch {
        // Each inference alone may be as fast, and something else may hold the rate.
        let finding = Finding { level: Level::Warning, ..finding };
        return Some(finding.with_note("the accelerator waits for the rest of the time"));
    }
    Some(
        finding.with_note(
            "more than the batch at a time needs stages that work on several inferences",
        ),
    )
}

/// Operational intensity times bytes against the work.
fn judge_intensity(group: &ClaimGroup) -> Option<Finding> {
    let (intensity, work) = (group.get("intensity")?, group.get("work")?);
    let (weights, activations) = (group.get("weights"), group.get("activations"));
    let total = |claim: Option<&GroupedClaim>| claim.map_or(0.0, GroupedClaim::total);
    let bytes = total(weights) + total(activations);
    let implied = intensity.total() * bytes;
    // Without all of the bytes, the work is at least as much.
    let is_whole = weights.is_some() && activations.is_some();
    let is_wrong = if is_whole {
        !is_same(implied, work.total())
    } else {
        implied > work.total() * (1.0 + TOLERANCE)
    };
    if bytes <= 0.0 || !is_wrong {
        return None;
    }
    let least = if is_whole { "" } else { "at least " };
    let message = format!(
        "{} OP/B times {} is {least}{}, and the claimed work is {}",
        significant(intensity.total(), 4),
        quantity(Bytes(bytes)),
        quantity(Ops(implied)),
        quantity(Ops(work.total()))
    );
    let mut labels = vec![(intensity.span, format!("{} OP/B", significant(intensity.total(), 4)))];
    labels.push((work.span, quantity(Ops(work.total()))));
    let of_bytes = [weights, activations].into_iter().flatten();
    labels.extend(of_bytes.map(|claim| (claim.span, quantity(Bytes(claim.total())))));
    let evidence = json!({
        "intensity": intensity.total(), "bytes": bytes, "work": work.total(),
        "has_all_bytes": is_whole,
    });
    Some(make_finding(group.key("intensity"), message, &labels, evidence))
}

/// The peak that is claimed for the claimed precision, or the only one; with the arithmetic of the claim.
fn find_peak(analysis: &Analysis) -> Option<(f64, Span, Precision)> {
    let claims = &analysis.project.claims;
    let precision = claims.precision.as_ref().and_then(|claim| match claim.value {
        ClaimedPrecision::Uniform(precision) => claim_for(analysis, precision),
        ClaimedPrecision::AsStored => None,
    });
    let (arithmetic, claim) = match precision {
        Some(precision) => claims.peak.get_key_value(&precision)?,
        None if claims.peak.len() == 1 => claims.peak.iter().next()?,
        None => return None,
    };
    Some((claim.value.0, claim.span, *arithmetic))
}

/// Work over time against the peak and its utilisation.
fn judge_rate(analysis: &Analysis, group: &ClaimGroup) -> Option<Finding> {
    let work = group.get("work")?;
    let (peak, peak_span, arithmetic) = find_peak(analysis)?;
    let (rate, span) = match (group.get("latency"), group.get("throughput")) {
        (Some(latency), _) => {
            (work.total() * analysis.batch() as f64 / latency.total(), latency.span)
        }
        (None, Some(throughput)) => (work.total() * throughput.total(), throughput.span),
        (None, None) => return None,
    };
    let share = rate / peak;
    let utilisation = group.get("utilisation");
    let shown = significant(100.0 * share, 3);
    let (is_wrong, said) = match utilisation {
        Some(claim) => (
            !is_same(share, claim.total()),
            format!("the claimed utilisation is {} %", significant(100.0 * claim.total(), 3)),
        ),
        None => (share > 1.0 + TOLERANCE, "that is more than all of it".to_owned()),
    };
    if !is_wrong {
        return None;
    }
    let message = format!(
        "{} in the claimed time are {}, {shown} % of the claimed peak; {said}",
        figures::work(Ops(work.total()), [arithmetic]),
        figures::rate(OpsPerSecond(rate), arithmetic)
    );
    let first = utilisation.map_or((span, shown.clone() + " % of the peak"), |claim| {
        (claim.span, format!("{shown} % by the other claims"))
    });
    let mut labels = vec![first];
    if utilisation.is_some() {
        labels.push((span, "in this time".to_owned()));
    }
    labels.push((work.span, "this work".to_owned()));
    labels.push((peak_span, "of this peak".to_owned()));
    let evidence = json!({
        "work": work.total(), "rate": rate, "peak": peak, "share": share,
        "utilisation": utilisation.map(GroupedClaim::total),
    });
    Some(make_finding(group.key("utilisation"), message, &labels, evidence))
}

/// Parts that are together more than the whole: their work and bytes, and their times, which follow each other.
fn judge_parts(groups: &[ClaimGroup]) -> Vec<Finding> {
    let Some(whole) = groups.iter().find(|group| group.subject.name.is_none()) else {
        return Vec::new();
    };
    let judge = |key: &str| {
        let all = whole.get(key)?;
        // One product may be part of several names: each is counted once, the larger names first.
        let mut parts: Vec<(&ClaimGroup, &GroupedClaim)> = groups
            .iter()
            .filter(|group| group.subject.name.is_some())
            .filter_map(|group| Some((group, group.get(key)?)))
            .collect();
        parts.sort_by_key(|(group, _)| std::cmp::Reverse(group.subject.operations.len()));
        let mut taken: Vec<(&ClaimGroup, &GroupedClaim)> = Vec::new();
        for part in parts {
            let is_apart = |other: &(&ClaimGroup, &GroupedClaim)| {
                other.0.subject.operations.is_disjoint(&part.0.subject.operations)
            };
            if taken.iter().all(is_apart) {
                taken.push(part);
            }
        }
        let sum: f64 = taken.iter().map(|(_, claim)| claim.total()).sum();
        if sum <= all.total() * (1.0 + TOLERANCE) {
            return None;
        }
        let names: Vec<String> = taken.iter().map(|(group, _)| group.name()).collect();
        let message = format!(
            "the {key} of {} {} {} times what is claimed of the inference",
            names.join(" and "),
            verb_of(key),
            significant(sum / all.total(), 3)
        );
        let mut labels = vec![(all.span, "all of it".to_owned())];
        labels.extend(taken.iter().map(|(group, claim)| (claim.span, group.name())));
        let evidence = json!({ "figure": key, "sum": sum, "whole": all.total(), "of": names });
        Some(make_finding(format!("parts.{key}"), message, &labels, evidence))
    };
    ["work", "weights", "activations", "latency"].into_iter().filter_map(judge).collect()
}
