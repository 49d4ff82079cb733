//! The kernels take longer than the claimed latency.
//!
//! ## What it does
//!
//! Adds up the calls of all kernels of `[[kernel]]` at the clock that is reached, with their launches and the transfers
//! between host and card, and compares the least of the range with `[claims] latency`. Kernels whose cycles are not known, and work that no kernel serves, count
//! nothing, so the claim fails even without them.
//!
//! ## Why it matters
//!
//! A sum of kernels is the most direct check of a latency. An estimated period is not a reached one.
//!
//! ## Example
//!
//! `latency = "90 ms"`, and 36 calls of an attention kernel of 1.3 M cycles at 300 MHz: 156 ms.
//!
//! ## How to fix
//!
//! Correct the claim, or make the kernel with the largest share faster: `derate explore` searches for a design.

use derate_units::figures::{quantity, significant};
use serde_json::json;

use crate::kernel_design::find_design;
use crate::{Finding, Level};
use derate_design::DesignKernel;
use derate_estimate::Analysis;
use derate_project::ClaimedLatency;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    find_excess(analysis).into_iter().collect()
}

fn find_excess(analysis: &Analysis) -> Option<Finding> {
    let claim = analysis.project.claims.latency.as_ref()?;
    let ClaimedLatency::Known(claimed) = claim.value else { return None };
    let design = find_design(analysis)?;
    let (latency, [least, _]) = (design.totals.latency.as_ref()?, design.totals.range?);
    if claimed.0 >= least.0 {
        return None;
    }
    let share = |one: &DesignKernel| {
        let time = one.seconds()?.value;
        let percent = significant(100.0 * (time / latency.value), 3);
        Some((time, format!("`{}` takes {} of it: {percent} %", one.name, quantity(time))))
    };
    let slowest = design.kernels.iter().filter_map(share).max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    let served = significant(100.0 * design.totals.served_share, 3);
    let finding = Finding::new("design/latency", Level::Error, "latency")
        .with_message(format!(
            "the kernels take {}, {} times the claimed latency",
            quantity(latency.value),
            significant(latency.value / claimed, 3)
        ))
        .with_label(claim.span, format!("claimed: {}", quantity(claimed)))
        .with_notes(slowest.map(|(_, text)| text))
        .with_note(format!("they serve {served} % of the model's multiply-adds"))
        .with_help("correct the claim, or make the kernel with the largest share faster")
        .with_evidence(json!({
            "claimed": claimed.0, "latency": latency.value.0, "least": least.0,
            "served_share": design.totals.served_share,
        }));
    Some(finding)
}
