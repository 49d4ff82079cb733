//! A clock of the claims or of the design is above the maximum of the card's DSP slices.
//!
//! ## What it does
//!
//! Compares the claimed kernel clock, and the one that `[design]` says was reached, with the highest that the platform's data sheet gives for a DSP slice.
//!
//! ## Why it matters
//!
//! Every derived peak is proportional to the clock. A data-sheet rate is often quoted at that highest clock, which no
//! kernel written in HLS closes at.
//!
//! ## Example
//!
//! `clock = "900 MHz"` on a U280, whose DSP48E2 run at up to 775 MHz and whose kernels close at 225 to 300 MHz.
//!
//! ## How to fix
//!
//! Claim the clock that the link report shows, or the platform's default.

use serde_json::json;

use crate::edit::{Fix, Strategy, restate_claim};
use crate::{Finding, Level};
use derate_estimate::Analysis;
use derate_project::Claim;
use derate_units::Hertz;
use derate_units::figures::quantity;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let claims = &analysis.project.claims.clock;
    let design = &analysis.project.design.clock;
    [("claims.clock", claims, "claim"), ("design.clock", design, "write")]
        .into_iter()
        .filter_map(|(subject, clock, verb)| {
            let clock = clock.as_ref().filter(|c| c.value > analysis.platform.fastest_clock.value);
            Some(make_finding(analysis, subject, clock?, verb))
        })
        .collect()
}

fn make_finding(analysis: &Analysis, subject: &str, claim: &Claim<Hertz>, verb: &str) -> Finding {
    let platform = &analysis.platform;
    let (fastest, usual) = (&platform.fastest_clock, platform.clock.value);
    Finding::new("clock/above-fmax", Level::Error, subject.to_owned())
        .with_message(format!(
            "{} is more than a DSP slice can run at, {}",
            quantity(claim.value),
            quantity(fastest.value)
        ))
        .with_label(
            claim.span,
            format!("kernels of {} run at {} by default", platform.name, quantity(usual)),
        )
        .with_note(fastest.source.clone())
        .with_note(platform.clock.source.clone())
        .with_help(format!("{verb} the clock that the link report shows, or {}", quantity(usual)))
        .with_evidence(json!({ "claimed": claim.value, "fastest": fastest.value, "usual": usual }))
        .with_fix(Fix::of(
            Strategy::Claim,
            format!("{verb} {}", quantity(usual)),
            Ok(vec![restate_claim(claim, &quantity(usual))]),
        ))
}
