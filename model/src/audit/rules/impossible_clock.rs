//! The claimed clock is more than the card's DSP slices bear.
//!
//! ## What it does
//!
//! Compares the claimed kernel clock with the highest that the platform's data sheet gives for a DSP slice.
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
use crate::Analysis;
use crate::audit::fix::{Fix, Strategy, restate};
use crate::audit::{Finding, Label, Level};
use crate::figures::quantity;
use crate::units::Hertz;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct ImpossibleClock {
    claimed: Hertz,
    fastest: Hertz,
    usual: Hertz,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let platform = &analysis.platform;
    let (fastest, usual) = (&platform.fastest_clock, platform.clock.value);
    let Some(claim) =
        analysis.project.claims.clock.as_ref().filter(|claim| claim.value > fastest.value)
    else {
        return Vec::new();
    };
    vec![Finding {
        code: "clock/above-fmax",
        level: Level::Error,
        subject: "claims.clock".to_owned(),
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
        help: format!("claim the clock that the link report shows, or {}", quantity(usual)),
        evidence: evidence(&ImpossibleClock {
            claimed: claim.value,
            fastest: fastest.value,
            usual,
        }),
        fixes: vec![Fix::of(
            Strategy::Claim,
            format!("claim {}", quantity(usual)),
            Ok(vec![restate(claim, &quantity(usual))]),
        )],
    }]
}
