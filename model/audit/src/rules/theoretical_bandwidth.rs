//! A bandwidth is more than sequential streams were seen to get from the memory.
//!
//! ## What it does
//!
//! Compares the claimed bandwidth, and the derated one, with the physical peak of the platform's memory and with the share of it that
//! sequential streams were seen to reach, or with what the card is specified for where that is less.
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

use serde_json::json;

use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_finding::{Edit, Fix, Strategy, restate_claim, round_down};
use derate_machine::ROUNDED;
use derate_project::Claim;
use derate_units::BytesPerSecond;
use derate_units::figures::{quantity, significant};

/// At this share of the physical peak nothing is left for refresh and turn-around.
const THEORETICAL: f64 = 0.98;

/// The analysis's own derate, if the memory was seen to reach it; else what it was seen to reach, rounded down. Where nobody
/// published that, there is nothing to write.
fn claim_fix(analysis: &Analysis, claim: &Claim<BytesPerSecond>) -> Fix {
    let memory = &analysis.platform.memory;
    let Some(achievable) = memory.achievable().map(|figure| figure.value) else {
        return Fix::of(
            Strategy::Claim,
            "claim what streams reach".to_owned(),
            Err(memory.most_in_words().into()),
        );
    };
    let edit = match &analysis.project.derated_bandwidth {
        Some(derate) if derate.value <= achievable => Edit::new(claim.span, derate.text.clone()),
        _ => restate_claim(claim, &quantity(BytesPerSecond(round_down(achievable.0)))),
    };
    let title = format!("claim {}", edit.replacement.trim_matches(['"', '\'']));
    Fix::of(Strategy::Claim, title, Ok(vec![edit]))
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let bandwidths = [
        ("claims.bandwidth", &analysis.project.claims.bandwidth),
        ("derate.bandwidth", &analysis.project.derated_bandwidth),
    ];
    bandwidths
        .into_iter()
        .filter_map(|(subject, claim)| make_finding(analysis, subject, claim.as_ref()?))
        .collect()
}

fn make_finding(
    analysis: &Analysis,
    subject: &str,
    claim: &Claim<BytesPerSecond>,
) -> Option<Finding> {
    let memory = &analysis.platform.memory;
    let (physical, achievable) = (memory.physical_peak(), memory.most());
    // Where no measurement is published, a claim of all that the pins carry is not what streams reach either.
    let is_theoretical =
        memory.achievable().is_none() && claim.value / physical.value >= THEORETICAL;
    if !memory.is_beyond(claim.value) && !is_theoretical {
        return None;
    }
    let clock = analysis.clock().value;
    let ports = memory.rate_at(clock);
    let derated =
        analysis.project.derated_bandwidth.as_ref().filter(|d| !memory.is_beyond(d.value));
    let share = claim.value / physical.value;
    let percent = significant(share * 100.0, 3);
    let (level, message) = if share > ROUNDED {
        (
            Level::Error,
            format!(
                "{} is more than the memory could ever carry, {}",
                quantity(claim.value),
                quantity(physical.value)
            ),
        )
    } else if share >= THEORETICAL {
        (
            Level::Error,
            format!(
                "{} is {percent} % of the physical peak: a theoretical bandwidth taken as achieved",
                quantity(claim.value)
            ),
        )
    } else {
        (
            Level::Warning,
            format!(
                "{} is {percent} % of the physical peak, and {}",
                quantity(claim.value),
                memory.most_in_words()
            ),
        )
    };
    let mut labels = vec![Label::new(claim.span, memory.most_in_words())];
    labels
        .extend(derated.map(|d| {
            Label::new(d.span, "the analysis's own derate, which the claim does not use")
        }));
    let best = derated.map_or(achievable.value, |d| d.value);
    Some(
        Finding::new("bandwidth/theoretical-as-achieved", level, subject.to_owned())
            .with_message(message)
            .with_labels(labels)
            .with_note(format!("physical peak {}: {}", quantity(physical.value), physical.source))
            .with_note(format!("achievable {}: {}", quantity(achievable.value), achievable.source))
            .with_note(format!(
                "{} ports of {} bit at the kernel clock of {} ask for {} at most; wider ports \
                 may ask for more",
                memory.channels.value,
                memory.port_bits.value,
                quantity(clock),
                quantity(ports)
            ))
            .with_help(format!("write at most {} here, and measure it", quantity(best)))
            .with_evidence(json!({
                "claimed": claim.value,
                "physical_peak": physical.value,
                "achievable": achievable.value,
                "ports_at_kernel_clock": ports,
                "derated": derated.map(|d| d.value),
            }))
            .with_fix(claim_fix(analysis, claim)),
    )
}
