//! The first part of the claim's own kernels under every combination of precision, tokens, bandwidth and peak.

use serde::Serialize;

use super::Totals;
use super::build::claims_parts;
use super::rows::{Roofs, precision, totals};
use super::totals::sum;
use crate::scenario::Scenario;
use crate::setting::{parameters, peaks, provenance};
use crate::{Analysis, scenario};
use derate_project::Schedule;
use derate_units::{BytesPerSecond, OpsPerByte};
use derate_workload::classes::classify_layers;
use derate_workload::fusion::group_kernels;

/// One combination of assumptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridPoint {
    /// Bytes of every element.
    pub precision: String,
    /// Tokens that the layers see.
    pub tokens: f64,
    /// External bandwidth.
    pub bandwidth: BytesPerSecond,
    /// `claimed` or `derived`.
    pub peak_basis: &'static str,
    /// The ridge point, where the peak is known.
    pub ridge: Option<OpsPerByte>,
    /// The command that gives it with its kernels.
    pub command: String,
    /// The first part of the claim's own kernels together: the text layers of smolVLA, all layers of another model.
    #[serde(flatten)]
    pub totals: Totals,
}

/// One point per combination; what cannot be had is left out.
pub(super) fn grid(analysis: &Analysis) -> Vec<GridPoint> {
    let points = scenario::grid(analysis);
    // Combinations that differ in their roofs alone move the same bytes.
    let alike = |a: &Scenario, b: &Scenario| {
        a.storage == b.storage && a.tokens.value.to_bits() == b.tokens.value.to_bits()
    };
    points.chunk_by(alike).flat_map(|points| of(analysis, points).unwrap_or_default()).collect()
}

/// The points of one precision and token count.
fn of(analysis: &Analysis, points: &[Scenario]) -> Option<Vec<GridPoint>> {
    let first = points.first()?;
    let mut parts = claims_parts(analysis, &parameters(analysis, first));
    parts.truncate(1);
    let formats = first.storage.formats(&analysis.shape);
    let classes = classify_layers(&parts, &formats, &|_| false).ok()?;
    let capacity = analysis.on_chip().value.0;
    let mut made = Vec::new();
    for class in &classes {
        let mut own = Vec::new();
        group_kernels(class, Schedule::Unfused, capacity, &mut own, &mut Vec::new());
        made.extend(own.into_iter().map(|group| (class, group)));
    }
    let point = |scenario: &Scenario| {
        let peaks = peaks(analysis, scenario, &classes);
        let roofs = Roofs {
            whole: analysis.workload.is_whole(),
            bandwidth: scenario.bandwidth.value,
            capacity,
            peaks: &peaks,
            no_latency: "",
            provenance: provenance(analysis, scenario, &peaks),
        };
        let rows: Vec<(Totals, u64)> = made
            .iter()
            .map(|(class, group)| (totals(class, group, &roofs).0, class.calls()))
            .collect();
        let peak = made.first().and_then(|(class, group)| roofs.peak(precision(class, group)).ok());
        let mut all = sum(rows.iter().map(|(totals, calls)| (totals, *calls)));
        all.latency_seconds = None;
        GridPoint {
            precision: scenario.storage.name(),
            tokens: scenario.tokens.value,
            bandwidth: scenario.bandwidth.value,
            peak_basis: scenario.peaks.name(),
            ridge: peak.map(|peak| peak / scenario.bandwidth.value),
            command: analysis.command("estimate", &scenario.arguments),
            totals: all,
        }
    };
    Some(points.iter().map(point).collect())
}
