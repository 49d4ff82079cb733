//! The best design: what to choose, and what it takes.

use derate_explore::{Exploration, FoundDesign};
use derate_machine::ResourceKind;
use derate_render::{Cell, Column, NumberFormat, Table};

use super::cells::{SHOWN, is_changed, show_value, time_cell, time_column, written_value};

/// The best design for each value of the first axis.
pub(super) fn tabulate_best_of(found: &Exploration) -> Table {
    let names = found.axes.iter().map(|axis| Column::text(&axis.name, &axis.name));
    let mut columns: Vec<Column> = names.collect();
    columns.push(time_column(found));
    columns.push(Column::number("dsp", "DSP", ""));
    columns.push(Column::number("share", "Share", "%"));
    let row = |design: &FoundDesign| {
        let mut cells: Vec<Cell> =
            design.values.iter().map(|one| Cell::text(show_value(one))).collect();
        cells.push(time_cell(found, design));
        cells.push(Cell::number(design.usage.dsp.round(), NumberFormat::Integer));
        cells.push(Cell::number(100.0 * design.share, NumberFormat::Significant(3)));
        cells
    };
    let name = found.axes.first().map_or("", |axis| axis.name.as_str());
    Table {
        name: "best-of".to_owned(),
        caption: format!("The best design for each {name}"),
        columns,
        rows: found.best_of.iter().map(row).collect(),
    }
}

/// The values of the best design that are others than in the source; of a project, all where they are few.
pub(super) fn tabulate_best(found: &Exploration, best: &FoundDesign) -> Table {
    let chosen = found.axes.iter().zip(&best.values).enumerate();
    let is_kernel = !found.written.is_empty();
    let is_shown = |(at, (axis, value)): &(usize, (&derate_explore::Axis, &String))| {
        is_changed(found, *at, value)
            && (is_kernel || found.axes.len() <= SHOWN || axis.values.first() != Some(*value))
    };
    let row = |(at, (axis, value)): (usize, (&derate_explore::Axis, &String))| {
        let written = written_value(found, at).map(|own| Cell::text(show_value(own)));
        let own = [Cell::text(&axis.name), Cell::text(show_value(value))].into_iter();
        own.chain(written).chain([Cell::text(show_values(axis))]).collect()
    };
    let written = is_kernel.then(|| Column::text("written", "Written"));
    let columns = [Column::text("key", "Open"), Column::text("value", "Value")].into_iter();
    Table {
        name: "best".to_owned(),
        caption: if is_kernel { "What to change" } else { "What to choose" }.to_owned(),
        columns: columns.chain(written).chain([Column::text("of", "Of")]).collect(),
        rows: chosen.filter(is_shown).map(row).collect(),
    }
}

/// All values of an axis; of many, how many there are.
fn show_values(axis: &derate_explore::Axis) -> String {
    match axis.values.as_slice() {
        [first, .., last] if axis.values.len() > SHOWN => {
            let count = axis.values.len();
            // Long texts are designs, which are not a range.
            if first.len() + last.len() > 24 {
                format!("{count} designs")
            } else {
                format!("{count} from {first} to {last}")
            }
        }
        values => values.iter().map(|one| show_value(one)).collect::<Vec<_>>().join(", "),
    }
}

pub(super) fn tabulate_usage(found: &Exploration, best: &FoundDesign) -> Table {
    let row = |resource: ResourceKind| {
        let (used, limit) = (best.usage.amount(resource), found.limits.limit(resource)?);
        let share = if used <= 0.0 { 0.0 } else { 100.0 * used / limit };
        Some(vec![
            Cell::text(resource.name()),
            Cell::number(used.round(), NumberFormat::Integer),
            Cell::number(limit.floor(), NumberFormat::Integer),
            Cell::number(share, NumberFormat::Significant(3)),
        ])
    };
    Table {
        name: "usage".to_owned(),
        caption: "What it takes of what it may take".to_owned(),
        columns: vec![
            Column::text("resource", "Resource"),
            Column::number("used", "Used", ""),
            Column::number("limit", "Limit", ""),
            Column::number("share", "Share", "%"),
        ],
        rows: ResourceKind::ALL.into_iter().filter_map(row).collect(),
    }
}
