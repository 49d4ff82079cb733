//! The ladder and the grid as tables.

use derate_reports::{Cell, Column, KeyFigure, NumberFormat, Table};

use crate::estimate::{Estimate, GridPoint, ScenarioEstimate};

const GBS: f64 = 1e9;

fn milliseconds(point: &GridPoint) -> Cell {
    point.totals.throughput_seconds.map_or_else(
        || Cell::Unknown(String::new()),
        |t| Cell::number(t.0 * 1e3, NumberFormat::Significant(4)),
    )
}

/// The name of the part that OI and ridge are of.
fn main_name(estimate: &Estimate) -> &str {
    estimate
        .scenarios
        .first()
        .and_then(ScenarioEstimate::main_part)
        .map_or("main part", |part| part.name.as_str())
}

/// One column per scenario: each makes one correction to the one before.
pub(super) fn ladder(estimate: &Estimate) -> Vec<KeyFigure> {
    let row = |label: &str, cell: &dyn Fn(&ScenarioEstimate) -> Option<Cell>| KeyFigure {
        label: label.to_owned(),
        values: estimate
            .ladder()
            .map(|s| (s.heading(), cell(s).unwrap_or_else(|| Cell::Unknown(String::new()))))
            .collect(),
    };
    let number = |value: f64, format| Some(Cell::number(value, format));
    // The claim's own kernels stand in the unfused estimate alone.
    let main = |s: &ScenarioEstimate| {
        estimate.scenario(&s.name)?.main_part().map(|part| part.totals.clone())
    };
    let ceiling = |s: &ScenarioEstimate| estimate.scenario(&s.name)?.main_ceiling();
    vec![
        row("Corrects", &|s| Some(Cell::text(&s.change))),
        row("Bytes as", &|s| Some(Cell::text(&s.precision))),
        row("Tokens", &|s| number(s.tokens.value, NumberFormat::Integer)),
        row("Bandwidth (GB/s)", &|s| {
            number(s.bandwidth.value.0 / GBS, NumberFormat::Significant(3))
        }),
        row("Peak (TOP/s)", &|s| {
            number(ceiling(s)?.peak.rate.value.0 / 1e12, NumberFormat::Significant(3))
        }),
        row("Ridge (OP/B)", &|s| number(ceiling(s)?.ridge.0, NumberFormat::Fixed(2))),
        row(&format!("OI, {} (OP/B)", main_name(estimate)), &|s| {
            number(main(s)?.oi.0, NumberFormat::Fixed(2))
        }),
        row("Bound", &|s| Some(Cell::text(main(s)?.bound?.as_str()))),
        row("Roofline time (ms)", &|s| {
            number(s.running_time()?.0 * 1e3, NumberFormat::Significant(4))
        }),
        row("Latency (ms)", &|s| {
            number(s.totals.latency_seconds?.0 * 1e3, NumberFormat::Significant(4))
        }),
        row("Latency / roofline time", &|s| {
            number(s.latency.as_ref()?.gap?, NumberFormat::Significant(3))
        }),
    ]
}

/// One row per precision and token count; the four roofs side by side.
pub(super) fn grid(estimate: &Estimate) -> Table {
    let mut bandwidths: Vec<f64> = Vec::new();
    for scenario in &estimate.grid {
        if bandwidths.iter().all(|b| b.to_bits() != scenario.bandwidth.0.to_bits()) {
            bandwidths.push(scenario.bandwidth.0);
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
        let key = (scenario.precision.clone(), scenario.tokens.to_bits());
        let at =
            rows.iter().position(|(p, t, _)| (p, *t) == (&key.0, key.1)).unwrap_or_else(|| {
                let totals = &scenario.totals;
                let mut cells = vec![
                    Cell::text(&scenario.precision),
                    Cell::number(scenario.tokens, NumberFormat::Integer),
                    Cell::number(totals.oi.0, NumberFormat::Fixed(2)),
                    Cell::number(totals.weight_bytes.0 / 1e6, NumberFormat::Fixed(2)),
                ];
                cells.resize(columns.len(), Cell::Empty);
                rows.push((key.0, key.1, cells));
                rows.len() - 1
            });
        let gbs = scenario.bandwidth.0 / GBS;
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
            "The {} as the claim models them: roofline time, OI and weights. A peak that is not claimed, or whose operator cost is not known, leaves the time unknown.",
            main_name(estimate)
        ),
        columns,
        rows: rows.into_iter().map(|(_, _, cells)| cells).collect(),
    }
}
