//! Kernels at one precision, under the claimed and under the corrected roofs.

use derate_render::formula::{column, min};
use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::live::{self, Formulas, Roof, UNKNOWN, Uniform, follow_cell};
use derate_estimate::scenario::PeakSource;
use derate_estimate::{KernelEstimate, ScenarioEstimate};
use derate_units::Bound;
use derate_units::figures::quantity;

const EXACT: NumberFormat = NumberFormat::Integer;
const FOUR: NumberFormat = NumberFormat::Significant(4);

/// A number with its formula, if it has one; unknown where it is.
fn make_cell(value: Option<f64>, formula: Option<Formula>, format: NumberFormat) -> Cell {
    match (value, formula) {
        (value, Some(formula)) => follow_cell(value, formula, format),
        (Some(value), None) => Cell::number(value, format),
        (None, None) => Cell::Unknown(String::new()),
    }
}

/// Ridge, bound, attainable rate and time under one roof.
fn times_under(kernel: &KernelEstimate, roof: Option<&Roof>) -> [Cell; 4] {
    let totals = &kernel.totals;
    let product = roof.filter(|_| kernel.matmul.is_some());
    let bound = totals.bound.map(Bound::as_str);
    let (flops, bytes) = (|| column("flops"), || column("bytes"));
    [
        make_cell(
            kernel.ridge.map(|r| r.0),
            product.map(Roof::write_ridge),
            NumberFormat::Significant(4),
        ),
        match (product, bound) {
            (Some(roof), bound) => {
                let formula = roof.write_times(flops(), bytes()).write_bound();
                Cell::formula(bound.unwrap_or(UNKNOWN), formula, EXACT)
            }
            (None, Some(bound)) => Cell::text(bound),
            (None, None) => Cell::Unknown(String::new()),
        },
        make_cell(
            totals.attainable.map(|r| r.0 / 1e9),
            product.map(|roof| roof.write_attainable(column("oi"))),
            FOUR,
        ),
        make_cell(
            totals.throughput_seconds.map(|s| s.0 * 1e6),
            roof.map(|roof| {
                let times = roof.write_times(flops(), bytes());
                if product.is_some() { times.roofline_time() } else { times.memory_time() }
            }),
            FOUR,
        ),
    ]
}

/// A row per kernel.
pub(super) fn two_roofs(
    claimed: &ScenarioEstimate,
    corrected: &ScenarioEstimate,
    formulas: &Formulas<'_>,
) -> Table {
    let kernels = |s: &ScenarioEstimate| {
        s.parts.iter().flat_map(|part| part.kernels.clone()).collect::<Vec<_>>()
    };
    let own = formulas.find_uniform(&claimed.precision, claimed.tokens.value);
    let roofs = own.as_ref().and_then(|own| {
        let lower = min(live::claimed_bandwidth(), formulas.derated_bandwidth());
        let claimed =
            formulas.find_roof(own.precision, PeakSource::Claimed, live::claimed_bandwidth())?;
        Some([claimed, formulas.find_roof(own.precision, PeakSource::Derived, lower)?])
    });
    let (first, second) = (kernels(claimed), kernels(corrected));
    let sizes = own.as_ref().map(Uniform::list_kernels).filter(|sizes| sizes.len() == first.len());
    let rows = first.iter().zip(&second).enumerate().map(|(at, (a, b))| {
        let size = |which: usize| sizes.as_ref().map(|sizes| sizes[at][which].clone());
        let totals = &a.totals;
        let oi = live::write_intensity(column("flops"), column("bytes"));
        let mut row = vec![
            Cell::text(a.name.as_ref()),
            make_cell(Some(totals.flops.0), size(0), EXACT),
            make_cell(Some(totals.bytes.0), size(1), EXACT),
            Cell::formula(totals.oi.0, oi, NumberFormat::Significant(4)),
            make_cell(Some(totals.weight_bytes.0 / 1e6), size(2), NumberFormat::Significant(4)),
        ];
        let roofs = roofs.as_ref().filter(|_| sizes.is_some());
        row.extend(times_under(a, roofs.map(|[claimed, _]| claimed)));
        row.extend(times_under(b, roofs.map(|[_, derived]| derived)));
        row
    });
    let mut columns = vec![
        Column::text("kernel", "Kernel"),
        Column::number("flops", "Work", "OP"),
        Column::number("bytes", "Traffic", "B"),
        Column::number("oi", "OI", "OP/B"),
        Column::number("weight_mb", "Weights", "MB"),
    ];
    for (key, name) in [("claimed", "claimed"), ("derived", "derived")] {
        columns.extend([
            Column::number(format!("{key}_ridge"), format!("Ridge, {name}"), "OP/B"),
            Column::text(format!("{key}_bound"), format!("Bound, {name}")),
            Column::number(format!("{key}_rate"), format!("Rate, {name}"), "GOP/s"),
            Column::number(format!("{key}_time"), format!("Time, {name}"), "µs"),
        ]);
    }
    Table {
        name: match own.as_ref().and_then(Uniform::token_role) {
            Some(role) => format!("{}-{role}", claimed.precision),
            None => format!("{}-{}", claimed.precision, claimed.tokens.value),
        },
        caption: match &own {
            // What follows its inputs has no figure in its name.
            Some(own) => format!(
                "{}, {}: claimed peak at the claimed bandwidth, derived peak at the derated one; one call each",
                claimed.precision,
                own.whose_tokens()
            ),
            None => format!(
                "{}, {}: claimed peak at {}, derived peak at {}; one call each",
                claimed.precision,
                claimed.tokens_text(),
                quantity(claimed.bandwidth.value),
                quantity(corrected.bandwidth.value)
            ),
        },
        columns,
        rows: rows.collect(),
    }
}
