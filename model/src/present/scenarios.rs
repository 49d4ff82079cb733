//! The ladder and the grid as tables.

use derate_reports::{Cell, Column, NumberFormat, Table};

use crate::estimate::{Estimate, ScenarioEstimate};

const GBS: f64 = 1e9;

fn milliseconds(scenario: &ScenarioEstimate) -> Cell {
    scenario.running_time().map_or_else(
        || Cell::Unknown(String::new()),
        |t| Cell::number(t.0 * 1e3, NumberFormat::Significant(4)),
    )
}

fn main_cells(scenario: &ScenarioEstimate) -> [Cell; 3] {
    let unknown = || Cell::Unknown(String::new());
    let totals = scenario.main_part().map(|part| &part.totals);
    [
        totals.map_or_else(unknown, |t| Cell::number(t.oi.0, NumberFormat::Fixed(2))),
        scenario.main_ridge().map_or_else(unknown, |r| Cell::number(r.0, NumberFormat::Fixed(2))),
        totals.and_then(|t| t.bound).map_or_else(unknown, |b| Cell::text(b.as_str())),
    ]
}

/// The name of the part that OI and ridge are of.
fn main_name(estimate: &Estimate) -> &str {
    estimate
        .scenarios
        .first()
        .and_then(ScenarioEstimate::main_part)
        .map_or("main part", |part| part.name.as_str())
}

/// One row per correction.
pub(super) fn ladder(estimate: &Estimate) -> Table {
    let rows = estimate.scenarios.iter().map(|scenario| {
        let peak = scenario.ceilings.first().map_or_else(
            || Cell::Unknown(String::new()),
            |c| Cell::number(c.peak.rate.value.0 / 1e12, NumberFormat::Significant(4)),
        );
        let mut row = vec![
            Cell::text(&scenario.name),
            Cell::text(&scenario.precision),
            Cell::number(scenario.tokens.value, NumberFormat::Integer),
            Cell::number(scenario.bandwidth.value.0 / GBS, NumberFormat::Significant(4)),
            peak,
        ];
        row.extend(main_cells(scenario));
        row.push(milliseconds(scenario));
        row.push(Cell::Unknown(String::new()));
        row.push(Cell::text(&scenario.change));
        row
    });
    Table {
        name: "scenarios".to_owned(),
        caption: format!(
            "Each row makes one correction to the row above. OI, ridge and bound are of the {}; the time is a lower bound for all parts that run.",
            main_name(estimate)
        ),
        columns: vec![
            Column::text("scenario", "Scenario"),
            Column::text("precision", "Bytes as"),
            Column::number("tokens", "Tokens", ""),
            Column::number("bandwidth", "Bandwidth", "GB/s"),
            Column::number("peak", "Peak", "TOP/s"),
            Column::number("oi", "OI", "OP/B"),
            Column::number("ridge", "Ridge", "OP/B"),
            Column::text("bound", "Bound"),
            Column::number("time", "Roofline time", "ms"),
            Column::number("latency", "Latency", "ms"),
            Column::text("change", "What it corrects"),
        ],
        rows: rows.collect(),
    }
}

/// One row per precision and token count; the four roofs side by side.
pub(super) fn grid(estimate: &Estimate) -> Table {
    let mut bandwidths: Vec<f64> = Vec::new();
    for scenario in &estimate.grid {
        if bandwidths.iter().all(|b| b.to_bits() != scenario.bandwidth.value.0.to_bits()) {
            bandwidths.push(scenario.bandwidth.value.0);
        }
    }
    let mut columns = vec![
        Column::text("precision", "Precision"),
        Column::number("tokens", "Tokens", ""),
        Column::number("oi", "OI", "OP/B"),
        Column::number("weights", "Weights", "MB"),
    ];
    for basis in ["claimed", "derived"] {
        for bandwidth in &bandwidths {
            let gbs = bandwidth / GBS;
            columns.push(Column::number(
                format!("{basis}_{gbs}"),
                format!("{basis} peak, {gbs} GB/s"),
                "ms",
            ));
        }
    }
    let mut rows: Vec<(String, u64, Vec<Cell>)> = Vec::new();
    for scenario in &estimate.grid {
        let key = (scenario.precision.clone(), scenario.tokens.value.to_bits());
        let at =
            rows.iter().position(|(p, t, _)| (p, *t) == (&key.0, key.1)).unwrap_or_else(|| {
                let totals = scenario.main_part().map(|part| &part.totals);
                let mut cells = vec![
                    Cell::text(&scenario.precision),
                    Cell::number(scenario.tokens.value, NumberFormat::Integer),
                    totals.map_or(Cell::Empty, |t| Cell::number(t.oi.0, NumberFormat::Fixed(2))),
                    totals.map_or(Cell::Empty, |t| {
                        Cell::number(t.weight_bytes.0 / 1e6, NumberFormat::Fixed(2))
                    }),
                ];
                cells.resize(columns.len(), Cell::Empty);
                rows.push((key.0, key.1, cells));
                rows.len() - 1
            });
        let gbs = scenario.bandwidth.value.0 / GBS;
        let column = format!("{}_{gbs}", scenario.peak_basis);
        if let Some(index) = columns.iter().position(|c| c.key == column)
            && let Some(cell) = rows[at].2.get_mut(index)
        {
            *cell = milliseconds(scenario);
        }
    }
    Table {
        name: "grid".to_owned(),
        caption: format!(
            "Roofline time of all parts that run; OI and weights are of the {}. A peak that is not claimed, or whose operator cost is not known, leaves the time unknown.",
            main_name(estimate)
        ),
        columns,
        rows: rows.into_iter().map(|(_, _, cells)| cells).collect(),
    }
}
