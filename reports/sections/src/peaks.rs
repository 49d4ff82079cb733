//! Peaks and ridge points, claimed beside derived.

use derate_render::formula::column;
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::live::{self, Formulas};
use derate_estimate::Estimate;
use derate_estimate::scenario::PeakSource;

/// A row per peak.
pub(super) fn tabulate_peaks(estimate: &Estimate, formulas: &Formulas<'_>) -> Table {
    let rows = estimate.peaks.iter().enumerate().map(|(at, row)| {
        // The first of each basis is the one that scenarios use.
        let before = estimate.peaks[..at].iter();
        let variant = before
            .filter(|other| other.basis == row.basis && other.peak.precision == row.peak.precision)
            .count();
        let peak = formulas.find_peak(row, variant);
        let figure = |value: f64, format, formula: Option<Formula>| match formula {
            Some(formula) => Cell::formula(value, formula, format),
            None => Cell::number(value, format),
        };
        let ridge = |value: f64, bandwidth: Formula| {
            let formula = peak.as_ref().map(|_| column("peak") * 1e3 / bandwidth);
            figure(value, NumberFormat::Significant(4), formula)
        };
        let told = |text: &str| match &peak {
            Some(_) => formulas.told_of_peak(row, text),
            None => Cell::text(text),
        };
        // Budget, clock and cost are under Assumptions, where they may be changed.
        let source = formulas.cost_source(row, variant);
        let source = source.as_ref().unwrap_or(&row.peak.rate.source);
        let rate = row.peak.rate.value.0 / 1e12;
        vec![
            Cell::text(row.peak.precision.to_string()),
            Cell::text(row.basis.name()),
            // A claim is one whatever it says.
            if row.basis == PeakSource::Claimed {
                Cell::text(&row.peak.variant)
            } else {
                told(&row.peak.variant)
            },
            figure(rate, NumberFormat::Significant(4), peak.clone()),
            ridge(row.ridge_claimed_bandwidth.0, live::claimed_bandwidth()),
            ridge(row.ridge_derated_bandwidth.0, formulas.derated_bandwidth()),
            told(&row.peak.rate.provenance.to_string()),
            told(source),
        ]
    });
    Table {
        name: "peaks".to_owned(),
        caption: if formulas.is_live() {
            "Peaks as claimed, and as 2 x the multiply-adds that the DSP budget is enough for x kernel clock; the source is that of what a multiply-add costs".to_owned()
        } else {
            "Peaks as claimed and as DSP budget, operator cost and clock give them".to_owned()
        },
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
