//! How sure the answer is, and what it was made from.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Analysis, Estimate, ScenarioEstimate};
use derate_units::figures::{count, quantity};

/// How sure the time that holds is.
pub(crate) fn describe_certainty(estimate: &Estimate) -> String {
    let corrected = estimate.scenario(ScenarioKind::DerivedPeak);
    let Some(corrected) = corrected.filter(|scenario| scenario.running_time().is_some()) else {
        let reason = estimate.scenarios.iter().find_map(ScenarioEstimate::unknown_roof);
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        return format!("How sure: no time that holds is known{reason}.");
    };
    let provenance = corrected.parts.first().map(|part| part.provenance.to_string());
    let provenance = provenance.unwrap_or_default().to_lowercase();
    let best = estimate.schedules(ScenarioKind::DerivedPeak);
    let best = best.filter_map(ScenarioEstimate::running_time).min_by(|a, b| a.0.total_cmp(&b.0));
    let floor = best.map_or_else(String::new, |best| {
        format!(
            " Fused as far as derate can fuse it, the same inference takes {} at the least.",
            quantity(best)
        )
    });
    format!(
        "How sure: the times are modelled; the weakest figure behind them is {provenance}. They are lower bounds: fills, launches and memory latency come on top.{floor}"
    )
}

/// The version of derate, the commit of the project where it is known, and a hash of the files that were read.
pub(super) fn describe_origin(analysis: &Analysis) -> String {
    let mut hash = Sha256::new();
    let mut files = 0;
    for file in analysis.sources.files() {
        let text = analysis.sources.text(file);
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
        files += 1;
    }
    let digest = hash.finalize().iter().take(6).fold(String::new(), |mut digest, byte| {
        let _ = write!(digest, "{byte:02x}");
        digest
    });
    let commit = analysis.commit.as_ref().map_or_else(String::new, |commit| {
        let changed = if commit.changed { ", changed since," } else { "" };
        format!(" of commit {}{changed}", commit.name)
    });
    format!(
        "Made by derate {} from {}{commit} with the hash {digest}.",
        env!("CARGO_PKG_VERSION"),
        count(files, "file")
    )
}
