//! The kernels of `[[kernel]]`: where the time goes, how much of the model they do, and what they take of the card.

mod changes;
mod measured;
mod resources;
mod transfers;
mod work;

use derate_design::{DesignKernel, KernelDesign, join_kernels};
use derate_estimate::Analysis;
use derate_machine::ResourceKind;
use derate_render::{Block, Cell, Column, NumberFormat, Section, Table};
use derate_units::figures::{quantity, significant};

use self::changes::{note_unchanged, tabulate_changes};
use self::measured::{describe_measured, explain_times, tabulate_measured};
use self::resources::{tabulate_regions, tabulate_resources};
use self::transfers::{list_rates, tabulate_transfers};
use self::work::{chart_work, tabulate_roofs};
use crate::design_formats::describe_formats;

/// The section of the design's kernels; `None` where the project describes none.
pub(crate) fn kernel_design_section(analysis: &Analysis) -> Option<Section> {
    let design = join_kernels(analysis).ok().flatten()?;
    let mut blocks = vec![Block::Prose(write_answer(&design))];
    blocks.extend(describe_formats(analysis, &design).map(Block::Prose));
    blocks.extend(tabulate_measured(&design).map(Block::Table));
    blocks.extend(explain_times(&design).into_iter().map(Block::Prose));
    blocks.push(Block::Table(tabulate_kernels(&design)));
    blocks.extend(chart_work(&design).map(Block::Bars));
    blocks.extend(tabulate_changes(&design).map(Block::Table));
    blocks.extend(note_unchanged(analysis, &design).map(Block::Prose));
    blocks.extend(tabulate_roofs(&design).map(Block::Table));
    blocks.extend(tabulate_transfers(&design).map(Block::Table));
    blocks.extend(list_rates(&design).into_iter().map(Block::Prose));
    blocks.push(Block::Table(tabulate_resources(&design)));
    blocks.extend(tabulate_regions(&design).map(Block::Table));
    blocks.extend(list_unknown(&design).into_iter().map(Block::Prose));
    Some(Section::new("Design", "The kernels of the design", blocks))
}

/// What the kernels of the design take; `None` where the project describes none.
pub(crate) fn summarise_design(analysis: &Analysis) -> Option<String> {
    let design = join_kernels(analysis).ok().flatten()?;
    let measured = describe_measured(&design).map_or_else(String::new, |said| format!(" {said}"));
    Some(write_time(&design) + &measured)
}

/// What an inference takes.
fn write_time(design: &KernelDesign) -> String {
    let totals = &design.totals;
    let (Some(latency), Some([low, high])) = (&totals.latency, totals.range) else {
        return "The time of the kernels is unknown: see the reasons in the section of the design."
            .to_owned();
    };
    let range = if quantity(low) == quantity(high) {
        String::new()
    } else {
        format!(", between {} and {}", quantity(low), quantity(high))
    };
    format!(
        "The kernels take {} per inference{range} ({}), {} of it for launches and {} for transfers between host and card.",
        quantity(latency.value),
        latency.provenance,
        quantity(totals.launches),
        quantity(totals.transfers)
    )
}

/// What an inference takes, and of how much of it that is.
fn write_answer(design: &KernelDesign) -> String {
    let totals = &design.totals;
    let share = significant(100.0 * totals.served_share, 3);
    let Some(latency) = &totals.latency else { return write_time(design) };
    let time = |kernel: &&DesignKernel| kernel.seconds().map_or(0.0, |time| time.value.0);
    let slowest = design.kernels.iter().max_by(|a, b| time(a).total_cmp(&time(b)));
    let slowest = slowest.map_or_else(String::new, |kernel| {
        let share = significant(100.0 * time(&kernel) / latency.value.0, 3);
        format!(" `{}` takes {share} % of it.", kernel.name)
    });
    let left: Vec<String> = totals.unserved.iter().map(|one| format!("`{}`", one.part)).collect();
    let left = if left.is_empty() {
        String::new()
    } else {
        format!(" No kernel serves all of {}.", left.join(", "))
    };
    format!(
        "{} They serve {share} % of the model's multiply-adds.{slowest}{left}",
        write_time(design)
    )
}

fn tabulate_kernels(design: &KernelDesign) -> Table {
    let all = design.totals.latency.as_ref().map(|latency| latency.value.0);
    let row = |kernel: &DesignKernel| {
        let (whole, three) = (NumberFormat::Integer, NumberFormat::Significant(3));
        let time = kernel.seconds().map(|time| time.value.0);
        let needed = kernel.serves.multiply_adds();
        let done = kernel.work_done().filter(|_| needed > 0.0).map(|done| 100.0 * done / needed);
        let rate = kernel.multiply_adds_per_cycle();
        let slices = kernel.amount(ResourceKind::Dsp).filter(|slices| *slices > 0.0);
        vec![
            Cell::text(&kernel.name),
            Cell::text(
                kernel
                    .cycles
                    .as_ref()
                    .map_or_else(String::new, |cycles| cycles.value.provenance.to_string()),
            ),
            number_cell(kernel.cycles.as_ref().map(|cycles| cycles.value.value), whole),
            number_cell(Some(kernel.calls.value), whole),
            number_cell(time.map(|time| 1e3 * time), NumberFormat::Significant(4)),
            number_cell(time.zip(all).map(|(time, all)| 100.0 * time / all), three),
            number_cell(done, three),
            number_cell(rate, three),
            number_cell(rate.zip(slices).map(|(rate, slices)| rate / slices), three),
        ]
    };
    Table {
        name: "design-kernels".to_owned(),
        caption: "Where the time goes, kernel by kernel".to_owned(),
        columns: vec![
            Column::text("kernel", "Kernel"),
            Column::text("provenance", "Known as"),
            Column::number("cycles", "Cycles", "per call"),
            Column::number("calls", "Calls", ""),
            Column::number("time", "Time", "ms"),
            Column::number("share", "Share", "%"),
            Column::number("work", "Work done", "% of needed"),
            Column::number("rate", "Multiply-adds", "per cycle"),
            Column::number("use", "Use of DSP", "MAC/DSP/cycle"),
        ],
        rows: design.kernels.iter().map(row).collect(),
    }
}

/// What is not known of each kernel.
fn list_unknown(design: &KernelDesign) -> Vec<String> {
    const MOST: usize = 3;
    let sentences = design.kernels.iter().flat_map(|kernel| {
        let left = kernel.unknown.len().saturating_sub(MOST);
        let more = (left > 0).then(|| format!("`{}`: {left} more are not known", kernel.name));
        let first = kernel.unknown.iter().take(MOST);
        let first = first.map(|reason| format!("`{}`: {reason}", kernel.name));
        first.chain(more).collect::<Vec<_>>()
    });
    sentences.chain(design.transfers.unknown.iter().cloned()).collect()
}

/// A number, or unknown.
fn number_cell(value: Option<f64>, format: NumberFormat) -> Cell {
    value.map_or_else(|| Cell::Unknown(String::new()), |value| Cell::number(value, format))
}
