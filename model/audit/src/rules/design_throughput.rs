//! The kernels are slower than the claimed throughput.
//!
//! ## What it does
//!
//! Compares `throughput` of `[claims]` with the kernel of `[[kernel]]` that takes longest in an inference. Even where all
//! kernels work on several inferences at a time, none ends sooner than that one. The least of its range counts.
//!
//! ## Why it matters
//!
//! A rate is claimed from the fastest stage, and the slowest one holds it.
//!
//! ## Example
//!
//! `throughput = "40 FPS"`, and 36 calls of an attention kernel of 1.3 M cycles at 300 MHz: 156 ms, so 6.4 per second at most.
//!
//! ## How to fix
//!
//! Correct the claim, or make that kernel faster: `derate explore` searches for a design.

use derate_units::Seconds;
use derate_units::figures::{quantity, significant};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::group_claims;
use derate_design::{find_design, pair_sections, serving_span};
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    find_excess(analysis).into_iter().collect()
}

fn find_excess(analysis: &Analysis) -> Option<Finding> {
    let groups = group_claims(analysis);
    let whole = groups.iter().find(|group| group.subject.name.is_none())?;
    let claim = whole.get("throughput")?;
    let design = find_design(analysis)?;
    let batch = analysis.batch() as f64;
    let timed = pair_sections(analysis, &design)
        .filter_map(|(section, kernel)| Some((section, kernel, kernel.least_interval()?)));
    let (section, kernel, slowest) = timed.max_by(|a, b| a.2.total_cmp(&b.2))?;
    let claimed = claim.figure.value();
    if claimed * slowest <= batch {
        return None;
    }
    let name = &kernel.name;
    let finding = Finding::new("design/throughput", Level::Error, "throughput")
        .with_message(format!(
            "`{name}` alone takes {} per inference: {} per second at most, and {} are claimed",
            quantity(Seconds(slowest / batch)),
            significant(batch / slowest, 3),
            significant(claimed, 4)
        ))
        .with_label(claim.span, format!("claimed: {} per second", significant(claimed, 4)))
        .with_label(serving_span(section), "the slowest kernel")
        .with_help("correct the claim, or make that kernel faster")
        .with_evidence(json!({
            "claimed": claimed, "kernel": name, "least": slowest, "most": batch / slowest,
        }));
    Some(finding)
}
