//! What `derate explore` found: the best design, how sure that is, and the front.

use derate_explore::{Certificate, Exploration, FoundDesign, RankedDesign};
use derate_machine::ResourceKind;
use derate_render::{Block, Cell, Column, Document, NumberFormat, Table};
use derate_units::Seconds;
use derate_units::figures::{grouped, quantity, significant};

use crate::section::new_section;

/// Rows of the front and of the ranking on a screen.
const SHOWN: usize = 12;

/// What was found, for people.
pub fn exploration(found: &Exploration) -> Document {
    let mut first = vec![Block::Prose(write_answer(found))];
    first.extend(found.best.as_ref().map(|best| Block::Table(tabulate_best(found, best))));
    first.extend(found.best.as_ref().map(|best| Block::Table(tabulate_usage(found, best))));
    first.extend(describe_refusals(found).map(Block::Prose));
    let mut sections = vec![new_section("Best", "The best design", first)];
    let table = tabulate_choices(found);
    if table.rows.len() > 1 {
        let left = table.rows.len().saturating_sub(SHOWN);
        let rows = table.rows.into_iter().take(SHOWN).collect();
        let mut blocks = vec![Block::Table(Table { rows, ..table })];
        if left > 0 {
            blocks.push(Block::Prose(format!("{left} more rows: see --format csv.")));
        }
        sections.push(new_section("Designs", "Designs to choose from", blocks));
    }
    Document {
        title: format!("Designs of {}", found.top),
        subtitle: format!(
            "{} at {} ns; modelled, not synthesised",
            found.part,
            significant(found.clock_ns, 4)
        ),
        controls: Vec::new(),
        sections,
    }
}

/// Cycles as time at the clock that is asked for.
fn time(found: &Exploration, cycles: f64) -> String {
    quantity(Seconds(cycles * found.clock_ns * 1e-9))
}

fn write_answer(found: &Exploration) -> String {
    let looked = format!(
        "{} of {} designs were scheduled",
        grouped(found.evaluated as f64),
        significant(found.designs, 4)
    );
    let Some(best) = &found.best else {
        return match found.certificate {
            Certificate::Infeasible => format!("No design fits: {looked}."),
            Certificate::Unknown { designs } => {
                format!(
                    "The cycles of {designs} designs are not known, and no other fits: {looked}."
                )
            }
            _ => format!("No design that fits was found yet: {looked}. Give more --seconds."),
        };
    };
    let faster = found.start.as_ref().map_or_else(String::new, |start| {
        let fits = if start.share > 1.0 { ", which does not fit" } else { "" };
        format!(
            ", {} times as fast as the source as it is written ({} cycles{fits})",
            significant(start.cycles / best.cycles, 3),
            grouped(start.cycles.round())
        )
    });
    let proof = match found.certificate {
        Certificate::Unknown { designs } => {
            format!("The cycles of {designs} designs are not known; one of them may be better")
        }
        _ if !found.ranking.is_empty() => "It is the best row of the table".to_owned(),
        Certificate::Optimal => "It is optimal within the model".to_owned(),
        Certificate::Gap { bound } if bound > 0.0 => {
            format!(
                "A better design is not excluded; none has fewer than {} cycles",
                grouped(bound.floor())
            )
        }
        _ => "A better design is not excluded".to_owned(),
    };
    format!(
        "The best design takes {} cycles ({}){faster}. {proof}: {looked}.",
        grouped(best.cycles.round()),
        time(found, best.cycles)
    )
}

/// The values of the best design that are worth a line: what is as it was is left out where there are many.
fn tabulate_best(found: &Exploration, best: &FoundDesign) -> Table {
    let is_changed = |(axis, value): &(&derate_explore::Axis, &String)| {
        found.axes.len() <= SHOWN || axis.values.first() != Some(*value)
    };
    let chosen = found.axes.iter().zip(&best.values).filter(is_changed);
    Table {
        name: "best".to_owned(),
        caption: "What to choose".to_owned(),
        columns: vec![
            Column::text("key", "Open"),
            Column::text("value", "Value"),
            Column::text("of", "Of"),
        ],
        rows: chosen
            .map(|(axis, value)| {
                let values = axis.values.iter().map(|one| show_value(one)).collect::<Vec<_>>();
                vec![
                    Cell::text(&axis.name),
                    Cell::text(show_value(value)),
                    Cell::text(values.join(", ")),
                ]
            })
            .collect(),
    }
}

fn show_value(value: &str) -> String {
    if value.trim().is_empty() { "(blank)".to_owned() } else { value.to_owned() }
}

fn tabulate_usage(found: &Exploration, best: &FoundDesign) -> Table {
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

fn describe_refusals(found: &Exploration) -> Option<String> {
    let refused: Vec<String> = found
        .refused
        .iter()
        .map(|one| format!("{} refuses {}", one.resource.name(), grouped(one.designs)))
        .collect();
    (!refused.is_empty()).then(|| format!("Designs that do not fit: {}.", refused.join(", ")))
}

/// The front or the ranking, with what differs from the first values in one cell.
fn tabulate_choices(found: &Exploration) -> Table {
    let changes = |design: &FoundDesign| {
        let chosen = found.axes.iter().zip(&design.values);
        let changed = chosen.filter(|(axis, value)| axis.values.first() != Some(*value));
        changed
            .map(|(axis, value)| format!("{}={}", axis.name, show_value(value)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let row = |label: Cell, design: &FoundDesign| {
        let used = [ResourceKind::Dsp, ResourceKind::Bram18, ResourceKind::Lut];
        let used =
            used.map(|one| Cell::number(design.usage.amount(one).round(), NumberFormat::Integer));
        let mut cells = vec![label, Cell::number(design.cycles.round(), NumberFormat::Integer)];
        cells.extend(used);
        cells.push(Cell::number(100.0 * design.share, NumberFormat::Significant(3)));
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
        columns: vec![
            Column::number("row", label, ""),
            Column::number("cycles", "Cycles", ""),
            Column::number("dsp", "DSP", ""),
            Column::number("bram18", "BRAM18", ""),
            Column::number("lut", "LUT", ""),
            Column::number("share", "Share", "%"),
            Column::text("changes", "Changes"),
        ],
        rows: if found.ranking.is_empty() { front.collect() } else { ranked.collect() },
    }
}

/// What rows are, and the caption of a table of them.
fn captions(found: &Exploration) -> (&'static str, String) {
    if found.ranking.is_empty() {
        let caption = "No other design that was scheduled has both fewer cycles and a smaller share of the card";
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
    columns.push(Column::number("cycles", "Cycles", ""));
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
        cells.push(Cell::number(design.cycles.round(), NumberFormat::Integer));
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
