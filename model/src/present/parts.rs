//! The parts of an inference under every scenario, and what fusing them saves.

use derate_reports::{Cell, Column, NumberFormat, Table};

use crate::estimate::{Estimate, ScenarioEstimate, Totals};
use crate::figures::{count, quantity};
use crate::units::Seconds;

const MB: f64 = 1e6;

fn unknown() -> Cell {
    Cell::Unknown(String::new())
}

fn milliseconds(time: Option<Seconds>) -> Cell {
    time.map_or_else(unknown, |t| Cell::number(t.0 * 1e3, NumberFormat::Significant(4)))
}

fn megabytes(totals: &Totals) -> Cell {
    Cell::number(totals.bytes.0 / MB, NumberFormat::Significant(4))
}

/// Each part that an inference runs, and the whole where that is more than one part, in a scenario.
fn named(scenario: &ScenarioEstimate, more: bool) -> Vec<(&str, &Totals)> {
    let parts = scenario.parts.iter().filter(|part| part.runs);
    let mut rows: Vec<(&str, &Totals)> =
        parts.map(|part| (part.name.as_str(), &part.totals)).collect();
    if more || rows.len() > 1 {
        rows.push(("whole inference", &scenario.totals));
    }
    rows
}

/// A row per part; unfused but for the design, the roofline time of every scenario side by side and the latency of the last.
pub(super) fn parts(estimate: &Estimate) -> Option<Table> {
    let first = estimate.ladder().next()?;
    let mut columns = vec![
        Column::text("part", "Part"),
        Column::number("flops", "Products", "GOP"),
        Column::number("elementwise", "Elementwise", "GOP"),
        Column::number("weights", format!("Weights, {}", first.name), "MB"),
    ];
    for scenario in estimate.ladder() {
        let (name, head) = (&scenario.name, scenario.heading());
        columns.push(Column::number(format!("{name}_bytes"), format!("Traffic, {head}"), "MB"));
        columns.push(Column::number(format!("{name}_oi"), format!("OI, {head}"), "OP/B"));
        columns.push(Column::number(format!("{name}_time"), format!("Roofline, {head}"), "ms"));
        if scenario.latency.is_some() {
            columns.push(Column::number(
                format!("{name}_latency"),
                format!("Latency, {head}"),
                "ms",
            ));
        }
    }
    let host_call = host_call(estimate, columns.len());
    let more = host_call.is_some();
    let others: Vec<Vec<(&str, &Totals)>> = estimate.ladder().map(|s| named(s, more)).collect();

    let mut rows: Vec<Vec<Cell>> = named(first, more)
        .into_iter()
        .enumerate()
        .map(|(at, (name, totals))| {
            let giga = |ops: f64| Cell::number(ops / 1e9, NumberFormat::Significant(4));
            let mut row = vec![
                Cell::text(name),
                giga(totals.flops.0),
                giga(totals.elementwise_ops.0),
                Cell::number(totals.weight_bytes.0 / MB, NumberFormat::Significant(4)),
            ];
            for (scenario, parts) in estimate.ladder().zip(&others) {
                let Some((_, totals)) = parts.get(at) else { continue };
                row.push(megabytes(totals));
                row.push(Cell::number(totals.oi.0, NumberFormat::Fixed(1)));
                row.push(milliseconds(totals.throughput_seconds));
                if scenario.latency.is_some() {
                    row.push(milliseconds(totals.latency_seconds));
                }
            }
            row
        })
        .collect();
    if let Some(row) = host_call {
        // Before the sum.
        rows.insert(rows.len().saturating_sub(1), row);
    }
    Some(Table {
        name: "parts".to_owned(),
        caption: format!(
            "One inference, unfused: every kernel reads its operands from external memory and writes its result there{}. Products are counted as PyTorch's FlopCounterMode counts them; norms, softmax, activations, RoPE, residuals and biases stand apart.",
            estimate.ladder().find(|s| s.schedule != "unfused").map_or_else(
                String::new,
                |s| format!("; {} is fused as [design] says", s.heading())
            )
        ),
        rows,
        columns,
    })
}

/// The row of a call that starts all parts, and is no part's; its time stands in the last column.
fn host_call(estimate: &Estimate, columns: usize) -> Option<Vec<Cell>> {
    let time = estimate.ladder().last()?.latency.as_ref()?.host_call;
    (time.0 > 0.0).then(|| {
        let mut row = vec![Cell::text("call of the host")];
        row.resize(columns.saturating_sub(1), Cell::Empty);
        row.push(milliseconds(Some(time)));
        row
    })
}

/// A row per part; the schedules of one scenario side by side.
pub(super) fn fusion(estimate: &Estimate, scenario: &str) -> Option<Table> {
    let schedules: Vec<&ScenarioEstimate> = estimate.schedules(scenario).collect();
    let first = *schedules.first()?;
    let mut columns = vec![Column::text("part", "Part")];
    for s in &schedules {
        let name = s.schedule;
        columns.push(Column::number(format!("{name}_bytes"), format!("Traffic, {name}"), "MB"));
        columns.push(Column::number(format!("{name}_oi"), format!("OI, {name}"), "OP/B"));
        columns.push(Column::number(format!("{name}_time"), format!("Roofline, {name}"), "ms"));
    }
    let rows = named(first, false).into_iter().enumerate().map(|(at, (name, _))| {
        let mut row = vec![Cell::text(name)];
        for s in &schedules {
            let Some((_, totals)) = named(s, false).get(at).copied() else { continue };
            row.push(megabytes(totals));
            row.push(Cell::number(totals.oi.0, NumberFormat::Fixed(1)));
            row.push(milliseconds(totals.throughput_seconds));
        }
        row
    });
    Some(Table {
        name: format!("fusion-{scenario}"),
        caption: format!(
            "Scenario {scenario} ({}, {}) with {} on the chip. epilogue: biases, activations and residuals work on the tile just made; attention: scores never leave the chip; block: a layer is one kernel. A group that does not fit is split.",
            first.precision,
            quantity(first.bandwidth.value),
            quantity(first.on_chip.value)
        ),
        columns,
        rows: rows.collect(),
    })
}

/// What could not be fused, and by how much it does not fit.
pub(super) fn refused(estimate: &Estimate, scenario: &str) -> Vec<String> {
    let Some(last) = estimate.schedules(scenario).last() else { return Vec::new() };
    last.refused
        .iter()
        .map(|group| {
            let kernels = count(group.kernels.len(), "kernel");
            if group.exceeds.0 > 0.0 {
                format!(
                    "Scenario {scenario}, {}: the {} ({kernels}) is not fused into one: it must hold {} at once, {} more than the {} on the chip.",
                    group.part,
                    group.block,
                    quantity(group.footprint),
                    quantity(group.exceeds),
                    quantity(group.on_chip)
                )
            } else {
                format!(
                    "Scenario {scenario}, {}: the {} ({kernels}) is not fused into one: it fits, but what it holds leaves so little for tiles that more bytes would cross.",
                    group.part, group.block
                )
            }
        })
        .collect()
}
