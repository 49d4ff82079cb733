//! Peaks and ridge points, claimed beside derived.

use derate_reports::{Cell, Column, NumberFormat, Table};

use crate::estimate::Estimate;

/// A row per peak.
pub(super) fn peaks(estimate: &Estimate) -> Table {
    let rows = estimate.peaks.iter().map(|row| {
        let ridge = |value: f64| Cell::number(value, NumberFormat::Fixed(2));
        vec![
            Cell::text(row.peak.precision.to_string()),
            Cell::text(row.basis),
            Cell::text(&row.peak.variant),
            Cell::number(row.peak.rate.value.0 / 1e12, NumberFormat::Significant(4)),
            ridge(row.ridge_claimed_bandwidth.0),
            ridge(row.ridge_derated_bandwidth.0),
            Cell::text(row.peak.rate.provenance.to_string()),
            Cell::text(&row.peak.rate.source),
        ]
    });
    Table {
        name: "peaks".to_owned(),
        caption: "Peaks as claimed and as DSP budget, operator cost and clock give them".to_owned(),
        columns: vec![
            Column::text("precision", "Precision"),
            Column::text("basis", "Basis"),
            Column::text("variant", "Multiply-add"),
            Column::number("peak", "Peak", "TOP/s"),
            Column::number("ridge_claimed", "Ridge, claimed bandwidth", "OP/B"),
            Column::number("ridge_derated", "Ridge, derated", "OP/B"),
            Column::text("provenance", "Provenance"),
            Column::text("source", "Source"),
        ],
        rows: rows.collect(),
    }
}
