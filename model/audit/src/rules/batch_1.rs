//! A throughput claim at batch 1 without a latency, or at any batch a latency below what its own roofs allow.
//!
//! ## What it does
//!
//! Looks for a latency beside a claim at batch 1. Where one is claimed, at whatever batch, it is held against two times under
//! the claimed roofs. The first is the time of a pass that is unfused, or fused as `[design]` says: a latency below it is a
//! warning, as the pass must then be fused further or do less. The second is a lower bound for every pass: every product at its
//! peak, or every weight read once with what whole layers read and write, whichever takes longer, without work that can be left
//! out. A latency below it is an error. Workload `linear` does not say which product reads another's result: there the weights,
//! one operand and one result cross.
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
//! `latency = "unknown"`. `derate estimate` shows what fusion gains.

use serde::Serialize;

use crate::{Finding, Label, Level};
use derate_estimate::{Analysis, LatencyRoofs, LatencyStanding};
use derate_finding::{Edit, Fix, Strategy, add_beside};
use derate_project::{Claim, ClaimedFigure, ClaimedLatency, Schedule};
use derate_units::Seconds;
use derate_units::figures::quantity;

/// The honest claim of who has no figure.
const UNKNOWN: &str = "\"unknown\"";

/// The evidence.
#[derive(Clone, Copy, Debug, Serialize)]
struct BatchOne {
    batch: u64,
    claimed_latency: Option<Seconds>,
    /// Of a pass that fuses what `[design]` says.
    roofline_seconds: Option<Seconds>,
    /// What no pass undercuts.
    least_seconds: Option<Seconds>,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let claims = &analysis.project.claims;
    let one = claims.batch.as_ref().filter(|batch| batch.value == 1);
    let throughput = !claims.peak.is_empty() || claims.bandwidth.is_some();
    // A time per layer is a latency beside the throughput.
    let is_latency = |figure: ClaimedFigure| matches!(figure, ClaimedFigure::Latency(_));
    let has_other = claims.figures.iter().any(|claim| is_latency(claim.value.figure));
    let found = match &claims.latency {
        None if has_other => None,
        None => one.filter(|_| throughput).map(|batch| report_missing(analysis, batch)),
        Some(claim) => match claim.value {
            ClaimedLatency::Known(latency) => report_too_short(analysis, claim, latency),
            ClaimedLatency::Unknown => None,
        },
    };
    found.into_iter().collect()
}

/// The times under the claimed roofs.
fn compute_times(analysis: &Analysis, claimed_latency: Option<Seconds>) -> BatchOne {
    let roofs = LatencyRoofs::claimed(analysis);
    BatchOne {
        batch: analysis.batch(),
        claimed_latency,
        roofline_seconds: roofs.own,
        least_seconds: roofs.least,
    }
}

/// The pass that is not as fast.
fn name_pass(analysis: &Analysis) -> String {
    match analysis.project.design.schedule() {
        Schedule::Unfused => "an unfused pass".to_owned(),
        fused => format!("a pass with schedule `{}`, as [design] says,", fused.name()),
    }
}

fn note_own_time(analysis: &Analysis, times: &BatchOne) -> Option<String> {
    let (pass, time) = (name_pass(analysis), quantity(times.roofline_seconds?));
    Some(format!(
        "under the claimed roofs {pass} takes {time} by throughput alone: that is not its latency"
    ))
}

fn note_least_time(times: &BatchOne) -> Option<String> {
    let time = quantity(times.least_seconds?);
    Some(format!(
        "no pass under these roofs takes less than {time}: all products at their peak, or every \
         weight read once"
    ))
}

/// No latency beside a throughput.
fn report_missing(analysis: &Analysis, batch: &Claim<u64>) -> Finding {
    let times = compute_times(analysis, None);
    Finding::new("latency/batch-1", Level::Warning, "claims.latency")
        .with_message("a throughput claim at batch 1, and no latency beside it".to_owned())
    .with_label(
        batch.span,
        "one inference at a time: fills, launches and memory latency are not hidden",
    )
    .with_notes(note_own_time(analysis, &times))
    .with_help(
        "claim a latency that was modelled or measured, or `latency = \"unknown\"`, under [claims]",
    )
    .with_evidence(times)
    .with_fix(fix_latency(add_beside(
        &analysis.sources,
        batch.span,
        "batch",
        "latency",
        UNKNOWN,
    )))
}

/// A latency that no pass has, or none that is not fused further.
fn report_too_short(
    analysis: &Analysis,
    claim: &Claim<ClaimedLatency>,
    latency: Seconds,
) -> Option<Finding> {
    let times = compute_times(analysis, Some(latency));
    let roofs = LatencyRoofs { least: times.least_seconds, own: times.roofline_seconds };
    let (level, message, label, help) = match roofs.compare(latency) {
        LatencyStanding::Possible => return None,
        LatencyStanding::Impossible => (
            Level::Error,
            format!(
                "the claimed latency of {} is less than the claimed roofs allow",
                quantity(latency)
            ),
            "no pass under these roofs is as fast",
            "claim a latency at or above what the roofs allow, from a model or a measurement",
        ),
        LatencyStanding::BelowDesign => (
            Level::Warning,
            format!(
                "the claimed latency of {} is less than {} takes under the claimed roofs",
                quantity(latency),
                name_pass(analysis).trim_end_matches(',')
            ),
            "only a pass that fuses more, or does less, can be as fast",
            if analysis.workload.is_whole() {
                "say under [design] what is fused, held or left out, and claim the latency that \
                 this gives or a measured one"
            } else {
                "say beside it what keeps results on the chip from one product to the next, \
                 which workload `linear` does not model, and claim a measured latency"
            },
        ),
    };
    let batch = analysis.project.claims.batch.as_ref();
    Some(
        Finding::new("latency/batch-1", level, "claims.latency")
            .with_message(message)
            .with_labels(
                std::iter::once(Label::new(claim.span, label))
                    .chain(batch.map(|batch| Label::new(batch.span, "at this batch"))),
            )
            .with_notes(note_own_time(analysis, &times).into_iter().chain(note_least_time(&times)))
            .with_help(help.to_owned())
            .with_evidence(times)
            .with_fix(fix_latency(Edit::new(claim.span, UNKNOWN))),
    )
}

fn fix_latency(edit: Edit) -> Fix {
    Fix::of(Strategy::Claim, "claim an unknown latency", Ok(vec![edit]))
}
