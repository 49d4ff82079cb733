//! Precisions, token counts, bandwidths and peaks in combination, for the claim's own kernels.

use super::claims::take_lower;
use super::{Assumptions, PeakBasis, claimed_bandwidth, claimed_tokens, derated_bandwidth};
use crate::Analysis;
use derate_project::{ClaimedPrecision, Storage};
use derate_units::{Figure, Precision};

/// The precisions that the seed analyses compare.
const PRECISIONS: [Precision; 4] =
    [Precision::FP32, Precision::BF16, Precision::INT8, Precision::INT4];

/// Those, and the claimed one where it is none of them, after the formats that are as wide.
fn compared_precisions(analysis: &Analysis) -> Vec<Precision> {
    let mut precisions = PRECISIONS.to_vec();
    if let Some(ClaimedPrecision::Uniform(claimed)) =
        analysis.project.claims.precision.as_ref().map(|claim| claim.value)
        && !precisions.contains(&claimed)
    {
        let at = precisions.partition_point(|known| known.bits() >= claimed.bits());
        precisions.insert(at, claimed);
    }
    precisions
}

/// The claimed token count, then those that an inference has, each once.
fn token_counts(analysis: &Analysis) -> Vec<Figure<f64>> {
    let mut counts = vec![claimed_tokens(analysis)];
    for candidate in analysis.workload.token_counts() {
        if counts.iter().all(|t| t.value.to_bits() != candidate.figure.value.to_bits()) {
            counts.push(candidate.figure);
        }
    }
    counts
}

/// Each precision at the claimed and the true tokens, under the claimed roofs and under the corrected ones.
pub(crate) fn by_precision(analysis: &Analysis) -> Vec<Assumptions> {
    let claimed = claimed_bandwidth(analysis);
    let lower = take_lower(claimed.clone(), derated_bandwidth(analysis));
    let roofs = [(claimed, PeakBasis::Claimed), (lower, PeakBasis::Derived)];
    let mut scenarios = Vec::new();
    for tokens in token_counts(analysis).iter().take(2) {
        for precision in compared_precisions(analysis) {
            for (bandwidth, peaks) in roofs.clone() {
                let storage = Storage::Uniform(precision);
                scenarios.push(Assumptions::custom(storage, tokens.clone(), bandwidth, peaks));
            }
        }
    }
    scenarios
}

/// Every combination of the precisions, the token counts, both bandwidths and both kinds of peak.
pub(crate) fn grid_scenarios(analysis: &Analysis) -> Vec<Assumptions> {
    let mut bandwidths = vec![claimed_bandwidth(analysis)];
    let derated = derated_bandwidth(analysis);
    if derated.value != bandwidths[0].value {
        bandwidths.push(derated);
    }
    let mut scenarios = Vec::new();
    for precision in compared_precisions(analysis) {
        for tokens in token_counts(analysis) {
            for bandwidth in &bandwidths {
                for peaks in [PeakBasis::Claimed, PeakBasis::Derived] {
                    let (storage, tokens) = (Storage::Uniform(precision), tokens.clone());
                    let bandwidth = bandwidth.clone();
                    scenarios.push(Assumptions::custom(storage, tokens, bandwidth, peaks));
                }
            }
        }
    }
    scenarios
}
