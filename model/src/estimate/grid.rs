//! The claim's own kernels under every combination of precision, tokens, bandwidth and peak.

use super::build::claimed_kernels;
use super::{GridPoint, ScenarioEstimate, build};
use crate::Analysis;
use crate::scenario;

/// One point per combination; what cannot be had is left out.
pub(super) fn grid(analysis: &Analysis) -> Vec<GridPoint> {
    let points = scenario::grid(analysis);
    points.iter().filter_map(|s| claimed_kernels(analysis, s).ok()).map(GridPoint::from).collect()
}

impl From<ScenarioEstimate> for GridPoint {
    fn from(scenario: ScenarioEstimate) -> Self {
        let main = scenario.main_part().map(|part| &part.totals);
        Self {
            ridge: scenario.main_ceiling().map(|c| c.ridge),
            totals: build::sum(main.into_iter().map(|totals| (totals, 1))),
            precision: scenario.precision,
            tokens: scenario.tokens.value,
            bandwidth: scenario.bandwidth.value,
            peak_basis: scenario.peak_basis,
            command: scenario.command,
        }
    }
}
