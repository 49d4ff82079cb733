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

use crate::AuditInput;
use crate::{Finding, Level};
use derate_finding::{Fix, Strategy, restate_claim};
use derate_machine::Platform;
use derate_project::{Claim, Project};
use derate_units::figures::quantity;
use derate_units::{Figure, Hertz};

pub(super) fn check_project(input: &AuditInput<'_>, project: &Project) -> Vec<Finding> {
    let Some(platform) = input.platform else { return Vec::new() };
    let (claims, design) = (&project.claims.clock, &project.design.clock);
    [("claims.clock", claims, "claim"), ("design.clock", design, "write")]
        .into_iter()
        .filter_map(|(subject, clock, verb)| {
            let clock = clock.as_ref()?;
            let fastest = platform.exceeded_clock(clock.value)?;
            Some(make_finding(platform, fastest, subject, clock, verb))
        })
        .collect()
}

fn make_finding(
    platform: &Platform,
    fastest: &Figure<Hertz>,
    subject: &str,
    claim: &Claim<Hertz>,
    verb: &str,
) -> Finding {
    let usual = platform.clock.value;
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
