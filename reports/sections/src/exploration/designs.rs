//! The front, or the ranking of a table of designs.

use derate_explore::{Exploration, FoundDesign, RankedDesign};
use derate_machine::ResourceKind;
use derate_render::{Cell, Column, NumberFormat, Table};

use super::cells::{is_changed, show_value, time_cell, time_column};

/// The front or the ranking, with what differs from the first values in one cell.
pub(super) fn tabulate_choices(found: &Exploration) -> Table {
    let changes = |design: &FoundDesign| {
        let chosen = found.axes.iter().zip(&design.values).enumerate();
        let changed = chosen.filter(|(at, (axis, value))| {
            // One value that is open is a change where the source is known to have another.
            let is_known = found.written.get(*at).is_some_and(Option::is_some);
            (is_known || axis.values.len() > 1) && is_changed(found, *at, value)
        });
        changed
            .map(|(_, (axis, value))| format!("{}={}", axis.name, show_value(value)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let changes_interface = found.front.iter().any(|one| !one.changed_arguments.is_empty());
    let row = |label: Cell, design: &FoundDesign| {
        let used = shown_resources(found).into_iter();
        let used =
            used.map(|one| Cell::number(design.usage.amount(one).round(), NumberFormat::Integer));
        let mut cells = vec![label, time_cell(found, design)];
        cells.extend(used);
        cells.push(Cell::number(100.0 * design.share, NumberFormat::Significant(3)));
        if changes_interface {
            let names = design.changed_arguments.iter().map(|one| one.argument.as_str());
            cells.push(Cell::text(names.collect::<Vec<_>>().join(" ")));
        }
        cells.push(Cell::text(changes(design)));
        cells
    };
    let ranked = found.ranking.iter().filter_map(|one| {
        let design = one.design.as_ref().filter(|_| one.refused_by.is_none())?;
        Some(row(Cell::number(one.row as f64, NumberFormat::Integer), design))
    });
    let front = found.front.iter().enumerate();
    let front =
        front.map(|(at, one)| row(Cell::number(at as f64 + 1.0, NumberFormat::Integer), one));
    let (label, caption) = captions(found);
    Table {
        name: "designs".to_owned(),
        caption,
        columns: {
            let mut columns = vec![Column::number("row", label, ""), time_column(found)];
            let shown = shown_resources(found).into_iter();
            columns.extend(shown.map(|one| Column::number(one.name(), one.name(), "")));
            columns.push(Column::number("share", "Share", "%"));
            if changes_interface {
                columns.push(Column::text("interface", "Ports changed"));
            }
            columns.push(Column::text("changes", "Changes"));
            columns
        },
        rows: if found.ranking.is_empty() { front.collect() } else { ranked.collect() },
    }
}

/// Resources with a column on a screen: LUT where it is limited, else URAM.
fn shown_resources(found: &Exploration) -> [ResourceKind; 3] {
    let third = if found.limits.lut.is_some() { ResourceKind::Lut } else { ResourceKind::Uram };
    [ResourceKind::Dsp, ResourceKind::Bram18, third]
}

/// What rows are, and the caption of a table of them.
fn captions(found: &Exploration) -> (&'static str, String) {
    if found.ranking.is_empty() {
        let caption = "No other design that was looked at is both faster and smaller";
        return ("Design", caption.to_owned());
    }
    ("Row", "Rows of the table, the best first".to_owned())
}

/// The front, or the ranking of a table of designs: a row for each design.
pub fn exploration_table(found: &Exploration) -> Table {
    let is_ranking = !found.ranking.is_empty();
    let mut columns: Vec<Column> = Vec::new();
    if is_ranking {
        columns.push(Column::number("row", "Row", ""));
    }
    columns.extend(found.axes.iter().map(|axis| Column::text(&axis.name, &axis.name)));
    columns.push(time_column(found));
    columns.extend(ResourceKind::ALL.map(|one| Column::number(one.name(), one.name(), "")));
    columns.push(Column::number("share", "Share", "%"));
    if is_ranking {
        columns.push(Column::text("refused", "Refused by"));
    }
    let row = |design: &FoundDesign| {
        let values = design.values.iter().map(|value| Cell::text(show_value(value)));
        let used = ResourceKind::ALL
            .map(|one| Cell::number(design.usage.amount(one).round(), NumberFormat::Integer));
        let mut cells: Vec<Cell> = values.collect();
        cells.push(time_cell(found, design));
        cells.extend(used);
        cells.push(Cell::number(100.0 * design.share, NumberFormat::Significant(3)));
        cells
    };
    let ranked = |one: &RankedDesign| {
        let mut cells = vec![Cell::number(one.row as f64, NumberFormat::Integer)];
        match &one.design {
            Some(design) => cells.extend(row(design)),
            None => cells.extend((0..columns.len() - 2).map(|_| Cell::Unknown(String::new()))),
        }
        cells.push(one.refused_by.map_or(Cell::Empty, |resource| Cell::text(resource.name())));
        cells
    };
    let rows = if is_ranking {
        found.ranking.iter().map(ranked).collect()
    } else {
        found.front.iter().map(row).collect()
    };
    let (_, caption) = captions(found);
    Table { name: "designs".to_owned(), caption, columns, rows }
}
