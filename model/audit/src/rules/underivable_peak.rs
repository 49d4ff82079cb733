//! A claimed peak is more than DSP budget, operator cost and clock allow.
//!
//! ## What it does
//!
//! Derives the peak of each claimed precision from the DSP slices that the shell leaves, the slices that one
//! multiply-add takes (or the multiply-adds that one slice packs), and the claimed clock; and compares. It also says
//! when the figure is the data-sheet figure of another card.
//!
//! ## Why it matters
//!
//! The peak is the flat roof and, over the bandwidth, the ridge point. An FP32 peak that counts one multiply-add per
//! DSP is five times too high, and so is the ridge: a kernel that seems to stand at the memory wall is far on the
//! compute side.
//!
//! ## Example
//!
//! 5.41 TFLOP/s is 9,024 DSP x 2 x 300 MHz. An FP32 multiply-add takes 5 DSP (3 for the product, 2 for the sum), so
//! 9,020 DSP give 1.08 TFLOP/s.
//!
//! ## How to fix
//!
//! Claim the derived peak; or, if the design builds its operators otherwise, say so: `[design] dsp_per_mac`.

use serde::Serialize;

use super::evidence;
use crate::fix::{Fix, Strategy, restate, round_down};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_estimate::scenario::{derated_bandwidth, derived_peaks};
use derate_machine::{Peak, Platform};
use derate_project::Claim;
use derate_units::figures::{grouped, quantity, rate, significant};
use derate_units::{OpsPerByte, OpsPerSecond, Precision};

/// Claims are rounded to three figures.
const TOLERANCE: f64 = 0.005;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnderivablePeak {
    precision: Precision,
    claimed: OpsPerSecond,
    derived: Vec<Peak>,
    macs_per_cycle_claimed: f64,
    dsp_budget: f64,
    quoted_for: Option<String>,
    ridge_claimed: OpsPerByte,
    ridge_derived: OpsPerByte,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    analysis
        .project
        .claims
        .peak
        .iter()
        .filter_map(|(precision, claim)| finding(analysis, *precision, claim))
        .collect()
}

/// The card, and its source, that prints this very figure.
fn quoted(
    platform: &Platform,
    precision: Precision,
    claimed: OpsPerSecond,
) -> Option<(String, String)> {
    Platform::catalogue().into_iter().filter(|other| other.name != platform.name).find_map(
        |other| {
            let peak = other
                .quoted_peaks
                .iter()
                .find(|q| q.precision == precision && (q.rate / claimed - 1.0).abs() < TOLERANCE)?;
            Some((other.name.clone(), peak.source.clone()))
        },
    )
}

fn finding(
    analysis: &Analysis,
    precision: Precision,
    claim: &Claim<OpsPerSecond>,
) -> Option<Finding> {
    let derived = derived_peaks(analysis, precision);
    let Some(highest) = derived.iter().max_by(|a, b| a.rate.value.0.total_cmp(&b.rate.value.0))
    else {
        return Some(underivable(analysis, precision, claim));
    };
    if claim.value.0 <= highest.rate.value.0 * (1.0 + TOLERANCE) {
        return None;
    }
    let default = derived.first()?;
    let clock = analysis.clock().value;
    let (platform, budget) = (&analysis.platform, analysis.platform.dsp_budget());
    let macs = claim.value.0 / 2.0 / clock.0;
    let allowed = highest.rate.value.0 / 2.0 / clock.0;
    let mut notes =
        vec![format!("{}: {}", rate(default.rate.value, precision), default.rate.source)];
    if highest != default {
        notes.push(format!(
            "at most {}: {}",
            rate(highest.rate.value, precision),
            highest.rate.source
        ));
    }
    // Who counted that way counted at the clock that is claimed.
    let counted_at = analysis.claimed_clock().value;
    if (claim.value.0 / 2.0 / counted_at.0 / platform.dsp.value - 1.0).abs() < TOLERANCE {
        notes.push(format!(
            "the claim is {} DSP x 2 x {} = {}: it counts one {precision} multiply-add per DSP",
            grouped(platform.dsp.value),
            quantity(counted_at),
            rate(OpsPerSecond(platform.dsp.value * 2.0 * counted_at.0), precision)
        ));
    }
    let quoted = quoted(platform, precision, claim.value);
    notes.extend(
        quoted.iter().map(|(_, source)| format!("{} is {source}", rate(claim.value, precision))),
    );
    notes.extend(doubled(analysis, precision, claim));
    let bandwidth = derated_bandwidth(analysis).value;
    let (ridge_claimed, ridge_derived) = (claim.value / bandwidth, default.rate.value / bandwidth);
    notes.push(format!(
        "the ridge point at {} moves from {} to {} OP/B",
        quantity(bandwidth),
        significant(ridge_claimed.0, 3),
        significant(ridge_derived.0, 3)
    ));
    let round = rate(OpsPerSecond(round_down(default.rate.value.0)), precision);
    Some(Finding {
        code: "peak/underivable",
        level: Level::Error,
        subject: format!("claims.peak.{}", precision.key()),
        message: format!(
            "{} {precision} takes {} multiply-adds per cycle; {} DSP allow {}",
            rate(claim.value, precision),
            grouped(macs),
            grouped(budget.value),
            grouped(allowed)
        ),
        labels: vec![Label::new(
            claim.span,
            format!("{} can be derived", rate(default.rate.value, precision)),
        )],
        notes,
        help: format!(
            "claim {} ({}), or say under [design] dsp_per_mac how the design builds its multiply-add",
            rate(default.rate.value, precision),
            default.variant
        ),
        evidence: evidence(&UnderivablePeak {
            precision,
            claimed: claim.value,
            macs_per_cycle_claimed: macs,
            dsp_budget: budget.value,
            quoted_for: quoted.map(|(name, _)| name),
            ridge_claimed,
            ridge_derived,
            derived,
        }),
        fixes: vec![Fix::of(
            Strategy::Claim,
            format!("claim {round}"),
            Ok(vec![restate(claim, &round)]),
        )],
    })
}

/// A claim that is twice another claim stands on nothing of its own.
fn doubled(
    analysis: &Analysis,
    precision: Precision,
    claim: &Claim<OpsPerSecond>,
) -> Option<String> {
    let (half, _) = analysis.project.claims.peak.iter().find(|(other, c)| {
        **other != precision && (claim.value / c.value / 2.0 - 1.0).abs() < TOLERANCE
    })?;
    Some(format!("it is twice the {half} claim"))
}

/// Nothing is known of that multiply-add: the claim is neither held nor refuted.
fn underivable(analysis: &Analysis, precision: Precision, claim: &Claim<OpsPerSecond>) -> Finding {
    Finding {
        code: "peak/underivable",
        level: Level::Note,
        subject: format!("claims.peak.{}", precision.key()),
        message: format!(
            "whether {} {precision} is possible is unknown: the platform file of {} does not say what that multiply-add costs",
            rate(claim.value, precision),
            analysis.platform.name
        ),
        labels: vec![Label::new(claim.span, "not checked")],
        notes: Vec::new(),
        help: format!(
            "give its cost: `dsp_per_mac = {{ {} = ... }}` under [design]",
            precision.toml_key()
        ),
        evidence: serde_json::json!({ "precision": precision, "unknown": "operator cost" }),
        fixes: Vec::new(),
    }
}
