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
//! DSP is five times too high, and so is the ridge: a kernel that seems to be memory bound is far on the
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

use serde_json::json;

use crate::{Finding, Level};
use derate_estimate::Analysis;
use derate_estimate::scenario::{derated_bandwidth, derived_peaks};
use derate_finding::{Fix, Strategy, restate_claim, round_down};
use derate_machine::Platform;
use derate_project::Claim;
use derate_units::figures::{grouped, quantity, rate, significant};
use derate_units::{OpsPerSecond, Precision};

/// Claims are rounded to three figures.
const TOLERANCE: f64 = 0.005;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    analysis
        .project
        .claims
        .peak
        .iter()
        .filter_map(|(precision, claim)| make_finding(analysis, *precision, claim))
        .collect()
}

/// The card, and its source, that prints this very figure.
fn find_quoted(
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

fn make_finding(
    analysis: &Analysis,
    precision: Precision,
    claim: &Claim<OpsPerSecond>,
) -> Option<Finding> {
    let derived = derived_peaks(analysis, precision);
    let Some(highest) = derived.iter().max_by(|a, b| a.rate.value.0.total_cmp(&b.rate.value.0))
    else {
        return Some(report_unknown_cost(analysis, precision, claim));
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
    let quoted = find_quoted(platform, precision, claim.value);
    notes.extend(
        quoted.iter().map(|(_, source)| format!("{} is {source}", rate(claim.value, precision))),
    );
    notes.extend(note_doubled(analysis, precision, claim));
    let bandwidth = derated_bandwidth(analysis).value;
    let (ridge_claimed, ridge_derived) = (claim.value / bandwidth, default.rate.value / bandwidth);
    notes.push(format!(
        "the ridge point at {} moves from {} to {} OP/B",
        quantity(bandwidth),
        significant(ridge_claimed.0, 3),
        significant(ridge_derived.0, 3)
    ));
    let round = rate(OpsPerSecond(round_down(default.rate.value.0)), precision);
    Some(
        Finding::new("peak/underivable", Level::Error, format!("claims.peak.{}", precision.key()))
            .with_message(format!(
                "{} {precision} takes {} multiply-adds per cycle; {} DSP allow {}",
                rate(claim.value, precision),
                grouped(macs),
                grouped(budget.value),
                grouped(allowed)
            ))
            .with_label(
                claim.span,
                format!("{} can be derived", rate(default.rate.value, precision)),
            )
            .with_notes(notes)
            .with_help(format!(
                "claim {} ({}), or say under [design] dsp_per_mac how the design builds its \
             multiply-add",
                rate(default.rate.value, precision),
                default.variant
            ))
            .with_evidence(json!({
                "precision": precision,
                "claimed": claim.value,
                "macs_per_cycle_claimed": macs,
                "dsp_budget": budget.value,
                "quoted_for": quoted.map(|(name, _)| name),
                "ridge_claimed": ridge_claimed,
                "ridge_derived": ridge_derived,
                "derived": derived,
            }))
            .with_fix(Fix::of(
                Strategy::Claim,
                format!("claim {round}"),
                Ok(vec![restate_claim(claim, &round)]),
            )),
    )
}

/// A claim that is twice another claim has no basis of its own.
fn note_doubled(
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
fn report_unknown_cost(
    analysis: &Analysis,
    precision: Precision,
    claim: &Claim<OpsPerSecond>,
) -> Finding {
    Finding::new("peak/underivable", Level::Note, format!("claims.peak.{}", precision.key()))
        .with_message(format!(
            "whether {} {precision} is possible is unknown: the platform file of {} does not say \
             what that multiply-add costs",
            rate(claim.value, precision),
            analysis.platform.name
        ))
        .with_label(claim.span, "not checked")
        .with_help(format!(
            "give its cost: `dsp_per_mac = {{ {} = ... }}` under [design]",
            precision.toml_key()
        ))
        .with_evidence(json!({ "precision": precision, "unknown": "operator cost" }))
}
