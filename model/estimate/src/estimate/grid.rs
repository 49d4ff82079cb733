//! The first part of the claim's own kernels under every combination of precision, tokens, bandwidth and peak.

use serde::Serialize;

use super::Totals;
use super::claimed::claimed_parts;
use super::rows::{Roofs, group_precision, group_totals};
use super::totals::sum_totals;
use crate::Analysis;
use crate::scenario::{Assumptions, PeakSource, grid_scenarios};
use derate_project::Schedule;
use derate_units::{BytesPerSecond, OpsPerByte};
use derate_workload::classes::classify_layers;
use derate_workload::fusion::group_kernels;
use derate_workload::work::count_work;

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
    pub peak_basis: PeakSource,
    /// The ridge point, where the peak is known.
    pub ridge: Option<OpsPerByte>,
    /// The command that gives it with its kernels.
    pub command: String,
    /// The first part of the claim's own kernels together: the text layers of smolVLA, all layers of another model.
    #[serde(flatten)]
    pub totals: Totals,
}

/// One point per combination; what cannot be had is left out.
pub(super) fn estimate_grid(analysis: &Analysis) -> Vec<GridPoint> {
    let points = grid_scenarios(analysis);
    // Combinations that differ in their roofs alone move the same bytes.
    let alike = |a: &Assumptions, b: &Assumptions| {
        a.storage == b.storage && a.tokens.value.to_bits() == b.tokens.value.to_bits()
    };
    points
        .chunk_by(alike)
        .flat_map(|points| estimate_points(analysis, points).unwrap_or_default())
        .collect()
}

/// The points of one precision and token count.
fn estimate_points(analysis: &Analysis, points: &[Assumptions]) -> Option<Vec<GridPoint>> {
    let first = points.first()?;
    let mut parts = claimed_parts(analysis, &first.parameters(analysis));
    parts.truncate(1);
    let formats = first.storage.formats(&analysis.shape);
    let classes = classify_layers(&parts, &formats, &|_| false).ok()?;
    let capacity = analysis.on_chip().value.0;
    let mut made = Vec::new();
    for class in &classes {
        let mut own = Vec::new();
        group_kernels(class, Schedule::Unfused, capacity, &mut own, &mut Vec::new());
        made.extend(own.into_iter().map(|group| {
            let work = count_work(&class.block, group.kernels.clone(), &class.formats);
            (class, group, work)
        }));
    }
    let point = |scenario: &Assumptions| {
        let peaks = scenario.peaks_of(analysis, &classes);
        let roofs = Roofs {
            whole: analysis.workload.is_whole(),
            bandwidth: scenario.bandwidth.value,
            capacity,
            peaks: &peaks,
            no_latency: "",
            provenance: scenario.provenance(analysis, &peaks),
        };
        let rows: Vec<(Totals, u64)> = made
            .iter()
            .map(|(class, group, work)| {
                (group_totals(work, &group.traffic, &roofs).0, class.calls())
            })
            .collect();
        let peak = made
            .first()
            .and_then(|(class, group, _)| roofs.peak(group_precision(class, group)).ok());
        let mut all = sum_totals(rows.iter().map(|(totals, calls)| (totals, *calls)));
        all.latency_seconds = None;
        GridPoint {
            precision: scenario.storage.name(),
            tokens: scenario.tokens.value,
            bandwidth: scenario.bandwidth.value,
            peak_basis: scenario.peaks.source(),
            ridge: peak.map(|peak| peak / scenario.bandwidth.value),
            command: analysis.command("estimate", &scenario.arguments()),
            totals: all,
        }
    };
    Some(points.iter().map(point).collect())
}
