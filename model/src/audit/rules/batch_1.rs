//! A throughput claim at batch 1 without a latency, or at any batch a latency below its own roofline.
//!
//! ## What it does
//!
//! Looks for a latency beside a claim at batch 1. Where one is claimed, at whatever batch, it holds it against the time that
//! the claimed roofline itself needs, which no pass can undercut.
//!
//! ## Why it matters
//!
//! A roofline is a bound on throughput. At batch 1 pipelines fill and drain for every tile and every layer, kernels
//! are launched one after another, and nothing hides the memory's latency: the time of a pass can be far above
//! operations over rate. Whoever needs an answer within a control period needs that time.
//!
//! ## Example
//!
//! `batch = 1` with a peak and a bandwidth, and no `latency`.
//!
//! ## How to fix
//!
//! Model or measure the pass and claim it: `latency = "90 ms"` under `[claims]`. If it is not known, say so:
//! `latency = "unknown"`.

use serde::Serialize;

use super::evidence;
use crate::audit::fix::{Edit, Fix, Strategy, beside};
use crate::audit::{Finding, Label, Level};
use crate::estimate::estimate_one;
use crate::figures::quantity;
use crate::scenario::claimed;
use crate::units::Seconds;
use crate::{Analysis, ClaimedLatency};

/// The honest claim of who has no figure.
const UNKNOWN: &str = "\"unknown\"";

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct BatchOne {
    batch: u64,
    claimed_latency: Option<Seconds>,
    roofline_seconds: Option<Seconds>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let claims = &analysis.project.claims;
    let batch = claims.batch.as_ref();
    let one = batch.filter(|batch| batch.value == 1);
    let bound = roofline_time(analysis);
    let finding = |level, message, labels, help: &str, claimed_latency, edit| {
        Finding {
        code: "latency/batch-1",
        level,
        subject: "claims.latency".to_owned(),
        message,
        labels,
        notes: bound
            .iter()
            .map(|bound| format!("the claimed roofline itself needs {} for the parts that run: a lower bound, not the latency", quantity(*bound)))
            .collect(),
        help: help.to_owned(),
        evidence: evidence(&BatchOne { batch: analysis.batch(), claimed_latency, roofline_seconds: bound }),
        fixes: vec![Fix::of(Strategy::Claim, "claim an unknown latency", Ok(vec![edit]))],
    }
    };
    match claims.latency.as_ref().map(|claim| (claim.value, claim.span)) {
        None if claims.peak.is_empty() && claims.bandwidth.is_none() => Vec::new(),
        None => one.map(|batch| finding(
            Level::Warning,
            "a throughput claim at batch 1, and no latency beside it".to_owned(),
            vec![Label::new(
                batch.span,
                "one inference at a time: fills, launches and memory latency are not hidden",
            )],
            "claim a latency that was modelled or measured, or `latency = \"unknown\"`, under [claims]",
            None,
            beside(&analysis.sources, batch.span, "batch", "latency", UNKNOWN),
        )).into_iter().collect(),
        Some((ClaimedLatency::Known(latency), span))
            if bound.is_some_and(|bound| latency < bound) =>
        {
            vec![finding(
                Level::Error,
                format!(
                    "the claimed latency of {} is less than the claimed roofline allows",
                    quantity(latency)
                ),
                std::iter::once(Label::new(span, "no pass is faster than its roofline"))
                    .chain(batch.map(|batch| Label::new(batch.span, "at this batch")))
                    .collect(),
                "claim a latency at or above the roofline time, from a model or a measurement",
                Some(latency),
                Edit::new(span, UNKNOWN),
            )]
        }
        Some(_) => Vec::new(),
    }
}

/// The time of all parts that run, under the claimed scenario.
fn roofline_time(analysis: &Analysis) -> Option<Seconds> {
    estimate_one(analysis, &claimed(analysis)).ok()?.running_time()
}
