//! The claimed bandwidth is more than any measurement of the memory reached.
//!
//! ## What it does
//!
//! Compares the claimed bandwidth with the physical peak of the platform's memory and with the share of it that
//! sequential streams were seen to reach.
//!
//! ## Why it matters
//!
//! Refresh, page misses and turn-around take their share of every channel. A roofline drawn with the pins' rate puts
//! the ridge point too far left, and memory-bound kernels look compute bound.
//!
//! ## Example
//!
//! 460 GB/s on a U280 is 32 channels x 256 bit x 450 MHz; published streams reach 421 GB/s, and 256-bit ports at a
//! 300 MHz kernel clock can ask for no more than 307 GB/s.
//!
//! ## How to fix
//!
//! Claim what the ports can ask for and the memory was seen to give, and keep the physical peak as a separate line.

use serde::Serialize;

use super::evidence;
use crate::audit::fix::{Edit, Fix, restate, round_down};
use crate::audit::{Finding, Label, Level};
use crate::present::figures::{quantity, significant};
use crate::units::BytesPerSecond;
use crate::{Analysis, Claim};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct TheoreticalBandwidth {
    claimed: BytesPerSecond,
    physical_peak: BytesPerSecond,
    achievable: BytesPerSecond,
    ports_at_kernel_clock: BytesPerSecond,
    derated: Option<BytesPerSecond>,
}

/// The analysis's own derate, if the memory was seen to reach it; else what it was seen to reach, rounded down.
fn fix(analysis: &Analysis, claim: &Claim<BytesPerSecond>) -> Fix {
    let achievable = analysis.platform.memory.achievable().value;
    let edit = match &analysis.project.derated_bandwidth {
        Some(derate) if derate.value <= achievable => Edit::new(claim.span, derate.text.clone()),
        _ => restate(claim, &quantity(BytesPerSecond(round_down(achievable.0)))),
    };
    let title = format!("claim {}", edit.replacement.trim_matches(['"', '\'']));
    Fix::only(title, Ok(vec![edit]))
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let Some(claim) = &analysis.project.claims.bandwidth else { return Vec::new() };
    let memory = &analysis.platform.memory;
    let (physical, achievable) = (memory.physical_peak(), memory.achievable());
    // Half a per cent lets a rounded figure pass.
    if claim.value.0 <= achievable.value.0 * 1.005 {
        return Vec::new();
    }
    let clock = analysis.clock().value;
    let ports = BytesPerSecond(memory.channels.value * memory.port_bits.value / 8.0 * clock.0);
    let derated = analysis.project.derated_bandwidth.as_ref();
    let share = claim.value / physical.value;
    let message = if share > 1.005 {
        format!(
            "{} is more than the memory's pins can carry, {}",
            quantity(claim.value),
            quantity(physical.value)
        )
    } else {
        format!(
            "{} is {} % of the physical peak: a theoretical bandwidth taken as achieved",
            quantity(claim.value),
            significant(share * 100.0, 3)
        )
    };
    let mut labels = vec![Label::new(
        claim.span,
        format!("sequential streams were seen to reach {}", quantity(achievable.value)),
    )];
    if let Some(derated) = derated {
        labels.push(Label::new(derated.span, "the analysis's own derate, which it does not use"));
    }
    vec![Finding {
        code: "bandwidth/theoretical-as-achieved",
        level: Level::Error,
        subject: "claims.bandwidth".to_owned(),
        message,
        labels,
        notes: vec![
            format!("physical peak {}: {}", quantity(physical.value), physical.source),
            format!("achievable {}: {}", quantity(achievable.value), achievable.source),
            format!(
                "{} ports of {} bit at the kernel clock of {} ask for {} at most; wider ports may ask for more",
                memory.channels.value,
                memory.port_bits.value,
                quantity(clock),
                quantity(ports)
            ),
        ],
        help: match derated {
            Some(derated) => format!(
                "claim {} under [claims] bandwidth, and measure it",
                quantity(derated.value)
            ),
            None => format!(
                "claim at most {}, and say under [derate] what you expect to reach",
                quantity(achievable.value)
            ),
        },
        evidence: evidence(&TheoreticalBandwidth {
            claimed: claim.value,
            physical_peak: physical.value,
            achievable: achievable.value,
            ports_at_kernel_clock: ports,
            derated: derated.map(|d| d.value),
        }),
        fixes: vec![fix(analysis, claim)],
    }]
}
