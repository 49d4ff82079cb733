//! The changes that would help an inference most.

use derate_design::{DesignChange, DesignKernel, KernelChange, KernelDesign};
use derate_estimate::Analysis;
use derate_project::KernelOrigin;
use derate_render::{Cell, Column, NumberFormat, Table};
use derate_units::figures::grouped;

/// A kernel with a smaller share of an inference is not worth a search.
const LARGE: f64 = 0.25;

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

/// Kernels of C++ that take much of an inference and that no single change helps: several together may.
pub(super) fn note_unchanged(analysis: &Analysis, design: &KernelDesign) -> Option<String> {
    let latency = design.totals.latency.as_ref()?.value.0;
    let is_large = |kernel: &DesignKernel| {
        kernel.seconds().is_some_and(|time| time.value.0 >= LARGE * latency)
    };
    let is_changed =
        |kernel: &DesignKernel| design.changes.iter().any(|one| one.kernel == kernel.name);
    let pairs = analysis.project.kernels.iter().zip(&design.kernels);
    let commands = pairs.filter_map(|(section, kernel)| {
        let KernelOrigin::Source(source) = &section.origin else { return None };
        let files: Vec<&str> = source.files.iter().map(|file| file.value.as_str()).collect();
        let is_meant = is_large(kernel) && !is_changed(kernel);
        is_meant.then(|| format!("`derate explore {}` for `{}`", files.join(" "), kernel.name))
    });
    let commands: Vec<String> = commands.collect();
    (!commands.is_empty()).then(|| {
        format!("No single change of the source was found that helps where most of the time goes. Search several together: {}.", commands.join(", "))
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
        KernelChange::SecondBundle { bundle, array } => {
            format!("give `{array}` a bundle of its own, not `{bundle}`")
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
