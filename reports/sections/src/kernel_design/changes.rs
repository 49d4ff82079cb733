//! The changes that would help an inference most.

use derate_design::{DesignChange, KernelChange, KernelDesign};
use derate_render::{Cell, Column, NumberFormat, Table};
use derate_units::figures::grouped;

/// Each change with what it saves; `None` where none was found.
pub(super) fn tabulate_changes(design: &KernelDesign) -> Option<Table> {
    let latency = design.totals.latency.as_ref()?.value.0;
    let row = |one: &DesignChange| {
        let four = NumberFormat::Significant(4);
        vec![
            Cell::text(&one.kernel),
            Cell::text(write_change(one)),
            Cell::number(1e3 * one.saves.0, four),
            Cell::number(1e3 * (latency - one.saves.0), four),
            Cell::number(latency / (latency - one.saves.0), NumberFormat::Significant(3)),
        ]
    };
    (!design.changes.is_empty()).then(|| Table {
        name: "design-changes".to_owned(),
        caption: "What would help an inference most, each change alone, predicted anew".to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::text("change", "Change"),
            Column::number("saves", "Saves", "ms"),
            Column::number("then", "Inference then", "ms"),
            Column::number("faster", "Times faster", ""),
        ],
        rows: design.changes.iter().map(row).collect(),
    })
}

fn write_change(one: &DesignChange) -> String {
    let text = match &one.change {
        KernelChange::Partition { array, dim, factor } => {
            format!("cut array `{array}` cyclically by {factor} in dimension {dim}")
        }
        KernelChange::PartialSums { of_loop, count } => {
            format!("keep {count} partial sums in loop `{of_loop}`")
        }
        KernelChange::WidenPort { port, from, to } => {
            format!("widen port `{port}` from {from} to {to} bits")
        }
        KernelChange::Pipeline { of_loop } => format!("pipeline loop `{of_loop}`"),
        KernelChange::Widen { stages, lanes, multiply_adds } => format!(
            "do {lanes} iterations of {} in one: {} more multiply-adds per cycle",
            stages.join(", "),
            grouped(*multiply_adds)
        ),
        KernelChange::Dataflow => "run the stages at the same time: dataflow".to_owned(),
        KernelChange::JoinCalls { calls } => {
            format!("start all {} calls with one call of the host", grouped(*calls))
        }
    };
    match &one.place {
        Some(place) => format!("{text} ({place})"),
        None => text,
    }
}
