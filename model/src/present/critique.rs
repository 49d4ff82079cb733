//! The critique of the first analysis, point by point: what was claimed, what holds, what a correct peak changes.

use derate_reports::{Cell, Column, Table};

use crate::Analysis;
use crate::estimate::{Estimate, ScenarioEstimate};
use crate::figures::{quantity, rate, significant};

fn ridge(scenario: &ScenarioEstimate) -> Option<String> {
    Some(format!("{} OP/B", significant(scenario.main_ceiling()?.ridge.0, 3)))
}

fn oi(scenario: &ScenarioEstimate) -> Option<String> {
    Some(format!("{} OP/B", significant(scenario.main_part()?.totals.oi.0, 4)))
}

fn bound(scenario: &ScenarioEstimate) -> Option<String> {
    let (oi, ridge) = (scenario.main_part()?.totals.oi, scenario.main_ceiling()?.ridge);
    Some(format!(
        "{} bound at {} times the ridge",
        if oi < ridge { "memory" } else { "compute" },
        significant(oi / ridge, 2)
    ))
}

/// A row per point; a point whose figures are not known is left out.
pub(super) fn critique(analysis: &Analysis, estimate: &Estimate) -> Option<Table> {
    let (claimed, corrected) = (estimate.scenario("claimed")?, estimate.scenario("derived-peak")?);
    let derated = estimate.scenario("derated")?;
    let built = estimate.scenario("as-built").unwrap_or(claimed);
    let fused = estimate.schedules("derived-peak").last()?;
    let mut rows = Vec::new();
    let mut row = |point: &str, before: Option<String>, after: Option<String>, peak: String| {
        if let (Some(before), Some(after)) = (before, after) {
            rows.push([point.to_owned(), before, after, peak].map(Cell::Text).into());
        }
    };
    let ceiling =
        |s: &ScenarioEstimate| s.main_ceiling().map(|c| rate(c.peak.rate.value, c.peak.precision));
    let origin = if analysis.workload.name() == "smolvla" {
        "The 44 and 22 of the critique are of an earlier notebook with other dimensions (width 768, 12 heads, MLP 1440-720-720, 50 tokens): attention 43.45, MLP 44.81, mean 44.13 at two bytes; 22.07 at four. "
    } else {
        ""
    };
    row(
        "Operational intensity",
        oi(claimed),
        oi(built),
        format!("{origin}A peak changes no intensity, only what it is measured against."),
    );
    row(
        "Peak",
        ceiling(claimed),
        ceiling(corrected),
        corrected.main_ceiling().map_or_else(String::new, |c| c.peak.rate.source.clone()),
    );
    row(
        "Bandwidth",
        Some(quantity(claimed.bandwidth.value)),
        Some(quantity(derated.bandwidth.value)),
        "None: bandwidth is the slope, the peak the flat roof.".to_owned(),
    );
    row(
        "Ridge point",
        ridge(claimed),
        ridge(derated),
        ridge(corrected)
            .map_or_else(String::new, |r| format!("With the peak that can be built: {r}.")),
    );
    row(
        "Distance to the memory wall",
        bound(claimed),
        bound(derated),
        bound(corrected)
            .map_or_else(String::new, |b| format!("With the peak that can be built: {b}.")),
    );
    let time = |s: &ScenarioEstimate| s.running_time().map(quantity);
    row(
        "Fused against unfused, whole inference",
        time(corrected).map(|t| format!("{t}, {}", quantity(corrected.totals.bytes))),
        time(fused).map(|t| format!("{t}, {}", quantity(fused.totals.bytes))),
        match (time(&claimed.clone()), estimate.schedules("claimed").last().and_then(time)) {
            (Some(unfused), Some(fused)) => format!(
                "Under the claimed roofs fusion takes the time from {unfused} to {fused}: the lower the peak, the less the bytes matter."
            ),
            _ => String::new(),
        },
    );
    let design = estimate.schedules("design").find(|s| s.chosen);
    row(
        "Latency against throughput, batch 1",
        design.and_then(time).or_else(|| time(corrected)).map(|t| format!("{t} by throughput")),
        Some(design.and_then(|s| s.latency.as_ref()).map_or_else(
            || "unknown".to_owned(),
            |l| {
                format!(
                    "{} (gap {})",
                    quantity(l.seconds),
                    l.gap.map_or_else(|| "unknown".to_owned(), |gap| significant(gap, 3))
                )
            },
        )),
        if design.is_some() {
            "The gap is against the design's own peak.".to_owned()
        } else {
            "[design] gives no array, so no cycles are known.".to_owned()
        },
    );
    Some(Table {
        name: "critique".to_owned(),
        caption: "The critique, point by point".to_owned(),
        columns: vec![
            Column::text("point", "Point"),
            Column::text("claimed", "Claimed"),
            Column::text("holds", "What holds"),
            Column::text("peak", "What a correct peak changes"),
        ],
        rows,
    })
}
