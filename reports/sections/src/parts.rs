//! The parts of an inference under every scenario, and what fusing them saves.

use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::compared::{Compared, compare_tables};
use super::live::Formulas;
use super::part_rows::{list_part_rows, name_row};
use derate_estimate::scenario::ScenarioKind;
use derate_estimate::{Estimate, ScenarioEstimate};
use derate_project::Schedule;
use derate_units::Bytes;
use derate_units::figures::{count, quantity};

/// What is counted as a product of a whole inference.
const COUNTED: &str = "Products are counted as PyTorch's FlopCounterMode counts them; norms, softmax, activations, RoPE, residuals and biases are separate.";

/// The work of each part, then its traffic, intensity and times under every scenario; unfused but for the design.
pub(super) fn part_tables(estimate: &Estimate, formulas: &Formulas<'_>) -> Vec<Table> {
    let Some(first) = estimate.ladder().next() else { return Vec::new() };
    let figure = |value: f64, formula: Option<Formula>| match formula {
        Some(formula) => Cell::formula(value, formula, NumberFormat::Significant(4)),
        None => Cell::number(value, NumberFormat::Significant(4)),
    };
    let rows = list_part_rows(first).into_iter().enumerate().map(|(at, (name, totals))| {
        let sum = |key: &str| Some(formulas.of(first)?.sum_figure(at, key));
        vec![
            name_row(first, at, name),
            figure(totals.flops.0 / 1e6, sum("flops").map(|sum| sum / 1e6)),
            totals.elementwise_ops.map_or_else(
                // What is not modelled is not zero.
                || Cell::Unknown("not modelled".to_owned()),
                |ops| {
                    figure(
                        ops.0 / 1e6,
                        formulas.elementwise.part_operations(at).map(|sum| sum / 1e6),
                    )
                },
            ),
            figure(
                sum_weights(first, at).0 / 1e6,
                formulas.of(first).map(|live| live.sum_weights(at)),
            ),
            figure(totals.weight_bytes.0 / 1e6, sum("weight_mb")),
        ]
    });
    let work = Table {
        name: "parts".to_owned(),
        caption: format!(
            "{}, unfused: every kernel reads its operands from external memory and writes its result there{}. {}",
            if first.whole { "One inference" } else { "The 2-D weights" },
            estimate.ladder().find(|s| s.whole && s.schedule != Schedule::Unfused).map_or_else(
                String::new,
                |s| format!("; {} is fused as [design] says", s.heading())
            ),
            if first.whole { COUNTED } else { crate::notes::TWO_DIMENSIONAL }
        ),
        columns: vec![
            Column::text("part", "Part"),
            Column::number("flops", "Products", "MOP"),
            Column::number("elementwise", "Elementwise", "MOP"),
            Column::number("weights", format!("Weights, {}", first.name), "MB"),
            Column::number("weight_reads", format!("Weight reads, {}", first.name), "MB"),
        ],
        rows: rows.collect(),
    };
    let ladder: Vec<Compared<'_>> = estimate
        .ladder()
        .map(|s| Compared {
            key: &s.name,
            head: s.heading(),
            estimate: s,
            live: formulas.of(s),
            latency: formulas.find_latency(s),
        })
        .collect();
    std::iter::once(work).chain(compare_tables("parts", "By scenario: ", &ladder)).collect()
}

/// The weights of the part at that place, each once; after the last, of all.
fn sum_weights(scenario: &ScenarioEstimate, at: usize) -> Bytes {
    let mut all = scenario.running_parts().map(|part| part.stored_weight_bytes);
    match all.clone().nth(at) {
        Some(part) => part,
        None => Bytes(all.by_ref().map(|bytes| bytes.0).sum()),
    }
}

/// Traffic, intensity and times of each part; the schedules of one scenario side by side.
pub(super) fn fusion_tables(
    estimate: &Estimate,
    scenario: ScenarioKind,
    formulas: &Formulas<'_>,
) -> Vec<Table> {
    let schedules: Vec<Compared<'_>> = estimate
        .schedules(scenario)
        .map(|s| Compared {
            key: s.schedule.name(),
            head: s.schedule.name().to_owned(),
            estimate: s,
            live: formulas.of(s),
            latency: formulas.find_latency(s),
        })
        .collect();
    compare_tables(&format!("fusion-{scenario}"), &format!("Scenario {scenario}: "), &schedules)
}

/// What a scenario fuses, and on what.
pub(super) fn describe_setting(estimate: &Estimate, scenario: ScenarioKind) -> Option<String> {
    let first = estimate.schedules(scenario).next()?;
    Some(format!(
        "Scenario {scenario} ({}, {}) with {} on the chip.",
        first.precision,
        quantity(first.bandwidth.value),
        quantity(first.on_chip.value)
    ))
}

/// What could not be fused, and by how much it does not fit.
pub(super) fn explain_refusals(estimate: &Estimate, scenario: ScenarioKind) -> Vec<String> {
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
