//! A clock, of the claims or of the design, is more than the card's DSP slices bear.
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
//! `clock = "900 MHz"` on a U280, whose DSP48E2 bear 775 MHz and whose kernels close at 225 to 300 MHz.
//!
//! ## How to fix
//!
//! Claim the clock that the link report shows, or the platform's default.

use serde::Serialize;

use super::evidence;
use crate::fix::{Fix, Strategy, restate};
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_project::Claim;
use derate_units::Hertz;
use derate_units::figures::quantity;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct ImpossibleClock {
    claimed: Hertz,
    fastest: Hertz,
    usual: Hertz,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let claims = &analysis.project.claims.clock;
    let design = &analysis.project.design.clock;
    [("claims.clock", claims, "claim"), ("design.clock", design, "write")]
        .into_iter()
        .filter_map(|(subject, clock, verb)| {
            let clock = clock.as_ref().filter(|c| c.value > analysis.platform.fastest_clock.value);
            Some(finding(analysis, subject, clock?, verb))
        })
        .collect()
}

fn finding(analysis: &Analysis, subject: &str, claim: &Claim<Hertz>, verb: &str) -> Finding {
    let platform = &analysis.platform;
    let (fastest, usual) = (&platform.fastest_clock, platform.clock.value);
    Finding {
        code: "clock/above-fmax",
        level: Level::Error,
        subject: subject.to_owned(),
        message: format!(
            "{} is more than a DSP slice bears, {}",
            quantity(claim.value),
            quantity(fastest.value)
        ),
        labels: vec![Label::new(
            claim.span,
            format!("kernels of {} run at {} by default", platform.name, quantity(usual)),
        )],
        notes: vec![fastest.source.clone(), platform.clock.source.clone()],
        help: format!("{verb} the clock that the link report shows, or {}", quantity(usual)),
        evidence: evidence(&ImpossibleClock {
            claimed: claim.value,
            fastest: fastest.value,
            usual,
        }),
        fixes: vec![Fix::of(
            Strategy::Claim,
            format!("{verb} {}", quantity(usual)),
            Ok(vec![restate(claim, &quantity(usual))]),
        )],
    }
}
