//! Kernels of one scenario as a table.

use derate_render::{Cell, Column, NumberFormat, Table, formula};

use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{PartEstimate, ScenarioEstimate, Totals};
use derate_units::Seconds;
use derate_units::figures::{quantity, rate, significant};

const EXACT: NumberFormat = NumberFormat::Integer;

/// The same where it follows its inputs: without their figures.
pub(super) fn live_caption(scenario: &ScenarioEstimate) -> String {
    format!(
        "{}bytes, tokens, bandwidth and peak as Assumptions has them for this scenario. Schedule: {}. {}",
        name_step(scenario),
        scenario.schedule.name(),
        scenario.command
    )
}

/// What a table of kernels is based on.
fn write_caption(scenario: &ScenarioEstimate) -> String {
    let ridges: Vec<String> = scenario
        .ceilings
        .iter()
        .map(|c| {
            format!(
                "{} peak {} ({}), ridge {} OP/B",
                c.peak.precision,
                rate(c.peak.rate.value, c.peak.precision),
                c.peak.variant,
                significant(c.ridge.0, 3)
            )
        })
        .collect();
    format!(
        "{}{}, {}, {}; {}. Schedule: {}. {}",
        name_step(scenario),
        scenario.precision,
        scenario.tokens_text(),
        quantity(scenario.bandwidth.value),
        if ridges.is_empty() { "no peak".to_owned() } else { ridges.join("; ") },
        scenario.schedule.name(),
        scenario.command
    )
}

/// Each kernel's one call, then one layer and all calls of the part.
pub(super) fn tabulate_kernels(scenario: &ScenarioEstimate) -> Table {
    Table {
        name: format!("kernels-{}", scenario.name),
        caption: write_caption(scenario),
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
            Column::number("time", "Time of a call", "µs"),
            Column::number("all", "Time of all calls", "ms"),
            Column::number("share", "Share of the inference", "%"),
        ],
        rows: scenario
            .parts
            .iter()
            .flat_map(|part| part_rows(part, scenario.running_time()))
            .collect(),
    }
}

/// The name of a step of the ladder; other scenarios are named by their assumptions.
fn name_step(scenario: &ScenarioEstimate) -> String {
    match scenario.kind {
        ScenarioKind::Custom => String::new(),
        step => format!("{step}: "),
    }
}

/// What the parts of an estimate contain and what not.
pub(super) fn part_notes(scenario: &ScenarioEstimate) -> Vec<String> {
    scenario.parts.iter().map(|part| format!("{}: {}", part.name, part.note)).collect()
}

fn unknown_cell() -> Cell {
    Cell::Unknown(String::new())
}

/// The names of a part's rows: each kernel, one layer, and all.
pub(super) fn row_labels(part: &PartEstimate) -> impl Iterator<Item = String> {
    let several = part.kernels.iter().any(|k| k.block != part.kernels[0].block);
    let kernels = part.kernels.iter().map(|kernel| {
        let heads = match kernel.matmul {
            Some(product) if product.batch > 1 => format!(" ({} products)", product.batch),
            _ => String::new(),
        };
        let block = if several && kernel.block != kernel.name {
            format!("{}: ", kernel.block)
        } else {
            String::new()
        };
        format!("{block}{}{heads}", kernel.name)
    });
    let mut names: Vec<String> = kernels.collect();
    if part.one_layer.is_some() {
        names.push(format!("{}, one", part.name));
    }
    if part.is_summed() {
        names.push(if part.kernels.iter().any(|kernel| kernel.calls < part.layers) {
            // Not all of it is in every layer.
            format!("{}, in all", part.name)
        } else if part.layers > 1 {
            format!("{}, all {}", part.name, part.layers)
        } else {
            part.name.clone()
        });
    }
    if !part.runs
        && let Some(name) = names.last_mut()
    {
        name.push_str(" (never runs)");
    }
    names.into_iter()
}

fn part_rows(part: &PartEstimate, inference: Option<Seconds>) -> Vec<Vec<Cell>> {
    let count = |n: u64| Cell::number(n as f64, EXACT);
    let inference = inference.filter(|_| part.runs);
    let mut names = row_labels(part);
    let mut rows: Vec<Vec<Cell>> = part
        .kernels
        .iter()
        .zip(names.by_ref())
        .map(|(kernel, name)| {
            let mut row = vec![Cell::Text(name), count(kernel.calls)];
            row.extend(match kernel.matmul {
                Some(product) => [product.m, product.k, product.n].map(count),
                None => [Cell::Empty, Cell::Empty, Cell::Empty],
            });
            row.extend(total_cells(&kernel.totals));
            row.extend(time_cells(
                kernel.totals.throughput_seconds.map(|time| time * kernel.calls as f64),
                inference,
            ));
            row
        })
        .collect();
    let all = part.totals.throughput_seconds;
    let sums = part.one_layer.iter().map(|layer| (layer, None));
    let sums = sums.chain(part.is_summed().then_some((&part.totals, Some(all))));
    rows.extend(sums.zip(names).map(|((figures, all), name)| {
        let mut row = vec![Cell::Total(name), Cell::Empty, Cell::Empty, Cell::Empty, Cell::Empty];
        row.extend(total_cells(figures));
        row.extend(all.map(|all| time_cells(all, inference)).into_iter().flatten());
        row
    }));
    rows
}

/// The time of all calls, and its share of an inference; nothing of what no inference runs.
fn time_cells(all: Option<Seconds>, inference: Option<Seconds>) -> [Cell; 2] {
    let number = |value: f64, digits| Cell::number(value, NumberFormat::Significant(digits));
    let share = inference
        .map(|whole| all.map_or_else(unknown_cell, |all| number(100.0 * (all / whole), 3)));
    [all.map_or_else(unknown_cell, |all| number(all.0 * 1e3, 4)), Cell::from(share)]
}

fn total_cells(t: &Totals) -> [Cell; 7] {
    [
        Cell::number(t.flops.0, EXACT),
        Cell::number(t.bytes.0, EXACT),
        Cell::formula(
            t.oi.0,
            formula::column("flops") / formula::column("bytes"),
            NumberFormat::Significant(4),
        ),
        Cell::number(t.weight_bytes.0 / 1e6, NumberFormat::Significant(4)),
        t.bound.map_or_else(unknown_cell, |b| Cell::text(b.as_str())),
        t.attainable
            .map_or_else(unknown_cell, |r| Cell::number(r.0 / 1e9, NumberFormat::Significant(4))),
        t.throughput_seconds
            .map_or_else(unknown_cell, |s| Cell::number(s.0 * 1e6, NumberFormat::Significant(4))),
    ]
}
