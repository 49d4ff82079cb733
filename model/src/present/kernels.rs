//! Kernels of one scenario as a table.

use derate_reports::{Cell, Column, NumberFormat, Table};

use super::figures::{quantity, rate, significant};
use crate::estimate::{PartEstimate, ScenarioEstimate, Totals};

const EXACT: NumberFormat = NumberFormat::Integer;

/// Each kernel's one call, then one layer and all calls of the part.
pub(super) fn kernels(scenario: &ScenarioEstimate) -> Table {
    let rows = scenario.parts.iter().flat_map(rows).collect();
    let ridges: Vec<String> = scenario
        .ceilings
        .iter()
        .map(|c| {
            format!(
                "{} peak {} ({}), ridge {} FLOP/B",
                c.peak.precision,
                rate(c.peak.rate.value, c.peak.precision),
                c.peak.variant,
                significant(c.ridge.0, 3)
            )
        })
        .collect();
    Table {
        name: format!("kernels-{}", scenario.name),
        caption: format!(
            "{}: {}, {} tokens, {}; {}. Schedule: {}. {}",
            scenario.name,
            scenario.precision,
            scenario.tokens.value,
            quantity(scenario.bandwidth.value),
            if ridges.is_empty() { "no peak".to_owned() } else { ridges.join("; ") },
            scenario.schedule,
            scenario.command
        ),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::number("calls", "Calls", ""),
            Column::number("m", "M", ""),
            Column::number("k", "K", ""),
            Column::number("n", "N", ""),
            Column::number("flops", "Work", "OP"),
            Column::number("bytes", "Traffic", "B"),
            Column::number("oi", "OI", "OP/B"),
            Column::number("weight_mb", "Weights", "MB"),
            Column::text("bound", "Bound"),
            Column::number("attainable", "Attainable", "GOP/s"),
            Column::number("time", "Roofline time", "µs"),
        ],
        rows,
    }
}

fn rows(part: &PartEstimate) -> Vec<Vec<Cell>> {
    let count = |n: u64| Cell::number(n as f64, EXACT);
    let mut rows: Vec<Vec<Cell>> = part
        .kernels
        .iter()
        .map(|kernel| {
            let heads =
                if kernel.batch > 1 { format!(" ({} heads)", kernel.batch) } else { String::new() };
            let mut row = vec![
                Cell::text(format!("{}{heads}", kernel.name)),
                count(kernel.calls),
                count(kernel.m),
                count(kernel.k),
                count(kernel.n),
            ];
            row.extend(totals(&kernel.totals));
            row
        })
        .collect();
    let mut sum = |name: String, figures: &Totals| {
        let mut row = vec![Cell::text(name), Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty];
        row.extend(totals(figures));
        rows.push(row);
    };
    if let Some(layer) = &part.one_layer {
        sum(format!("{} x1", part.name), layer);
    }
    // A part of one kernel called once is its own sum.
    if part.kernels.len() > 1 || part.layers > 1 {
        sum(
            if part.layers > 1 {
                format!("{} x{}", part.name, part.layers)
            } else {
                part.name.clone()
            },
            &part.totals,
        );
    }
    if !part.runs
        && let Some(Cell::Text(name)) = rows.last_mut().and_then(|row| row.first_mut())
    {
        name.push_str(" (never runs)");
    }
    rows
}

fn totals(t: &Totals) -> [Cell; 7] {
    let unknown = || Cell::Unknown(String::new());
    [
        Cell::number(t.flops.0, EXACT),
        Cell::number(t.bytes.0, EXACT),
        Cell::formula(t.oi.0, "{flops}/{bytes}", NumberFormat::Fixed(2)),
        Cell::number(t.weight_bytes.0 / 1e6, NumberFormat::Fixed(2)),
        t.bound.map_or_else(unknown, |b| Cell::text(b.as_str())),
        t.attainable
            .map_or_else(unknown, |r| Cell::number(r.0 / 1e9, NumberFormat::Significant(4))),
        t.throughput_seconds
            .map_or_else(unknown, |s| Cell::number(s.0 * 1e6, NumberFormat::Significant(4))),
    ]
}
