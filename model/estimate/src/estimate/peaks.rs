//! Peaks as claimed and as derived, with their ridge points.

use serde::Serialize;

use crate::Analysis;
use crate::scenario::{PeakBasis, PeakSource, claimed_bandwidth, derated_bandwidth, derived_peaks};
use derate_machine::Peak;
use derate_units::{OpsPerByte, Precision};

/// A peak and its ridge points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakRow {
    /// `claimed` or `derived`.
    pub basis: PeakSource,
    /// The peak.
    #[serde(flatten)]
    pub peak: Peak,
    /// Ridge at the claimed bandwidth.
    pub ridge_claimed_bandwidth: OpsPerByte,
    /// Ridge at the derated bandwidth.
    pub ridge_derated_bandwidth: OpsPerByte,
}

/// Peaks of every precision that is claimed or that the platform can build.
pub(super) fn list_peaks(analysis: &Analysis) -> Vec<PeakRow> {
    let (claimed_bandwidth, derated_bandwidth) =
        (claimed_bandwidth(analysis).value, derated_bandwidth(analysis).value);
    let row = |basis, peak: Peak| PeakRow {
        basis,
        ridge_claimed_bandwidth: peak.rate.value / claimed_bandwidth,
        ridge_derated_bandwidth: peak.rate.value / derated_bandwidth,
        peak,
    };
    let claims = &analysis.project.claims.peak;
    let mut precisions: Vec<Precision> = Vec::new();
    let known = analysis.platform.macs.iter().map(|m| m.precision);
    for precision in known
        .chain(claims.keys().copied())
        .chain(analysis.project.design.dsp_per_mac.keys().copied())
    {
        if !precisions.contains(&precision) {
            precisions.push(precision);
        }
    }
    precisions
        .into_iter()
        .flat_map(|precision| {
            let claimed = claims
                .contains_key(&precision)
                .then(|| PeakBasis::Claimed.peak(analysis, precision).ok())
                .flatten();
            let derived = derived_peaks(analysis, precision);
            claimed
                .into_iter()
                .map(|p| row(PeakSource::Claimed, p))
                .chain(derived.into_iter().map(|p| row(PeakSource::Derived, p)))
                .collect::<Vec<_>>()
        })
        .collect()
}
