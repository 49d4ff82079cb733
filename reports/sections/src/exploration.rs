//! What `derate explore` found: the best design, how sure that is, and the front.

use derate_explore::{Certificate, Exploration, FoundDesign, Objective, RankedDesign};
use derate_machine::ResourceKind;
use derate_render::{
    Axis, Block, Cell, Chart, Column, Document, Line, LineStyle, Marker, NumberFormat, Point,
    PointSeries, Position, Table,
};
use derate_units::Seconds;
use derate_units::figures::{grouped, quantity, significant};

use crate::chart::decade_range;
use crate::section::new_section;

/// Rows of the front and of the ranking on a screen.
const SHOWN: usize = 12;

/// What was found, for people.
pub fn exploration(found: &Exploration) -> Document {
    let table = tabulate_choices(found);
    let left = table.rows.len().saturating_sub(SHOWN);
    let rows = table.rows.into_iter().take(SHOWN).collect();
    let mut blocks = vec![Block::Table(Table { rows, ..table })];
    if left > 0 {
        blocks.push(Block::Prose(format!("{left} more rows: see --format csv.")));
    }
    write_document(found, blocks)
}

/// The same for a page and a workbook: with the chart, and with all rows.
pub fn exploration_report(found: &Exploration) -> Document {
    let mut blocks: Vec<Block> = plot_designs(found).map(Block::Chart).into_iter().collect();
    blocks.push(Block::Table(exploration_table(found)));
    write_document(found, blocks)
}

fn write_document(found: &Exploration, designs: Vec<Block>) -> Document {
    let mut first = vec![Block::Prose(write_answer(found))];
    first.extend(found.best.as_ref().map(|best| Block::Table(tabulate_best(found, best))));
    first.extend(found.best.as_ref().map(|best| Block::Table(tabulate_usage(found, best))));
    first.extend(describe_refusals(found).map(Block::Prose));
    if found.best_of.len() > 1 {
        first.push(Block::Table(tabulate_best_of(found)));
    }
    let mut sections = vec![new_section("Best", "The best design", first)];
    if found.front.len() > 1 || !found.ranking.is_empty() {
        sections.push(new_section("Designs", "Designs to choose from", designs));
    }
    if !found.assumed.is_empty() {
        let lines = found.assumed.iter().map(|one| format!("{one}."));
        let blocks = lines.map(Block::Prose).collect();
        sections.push(new_section("Assumed", "What is assumed", blocks));
    }
    Document {
        title: format!("Designs of {}", found.subject),
        subtitle: format!(
            "{} at {} ns; modelled, not synthesised",
            found.part,
            significant(found.clock_ns, 4)
        ),
        controls: Vec::new(),
        sections,
    }
}

/// An objective as it is shown: cycles with their time at the clock that is asked for, or time.
fn show(found: &Exploration, value: f64) -> String {
    match found.objective {
        Objective::Cycles => {
            let time = quantity(Seconds(value * found.clock_ns * 1e-9));
            format!("{} cycles ({time})", grouped(value.round()))
        }
        Objective::Interval => {
            format!(
                "{} ({} results per second)",
                quantity(Seconds(value)),
                significant(1.0 / value, 4)
            )
        }
        Objective::Latency(_) => quantity(Seconds(value)),
    }
}

fn write_answer(found: &Exploration) -> String {
    let looked = format!(
        "{} of {} designs were {}",
        grouped(found.evaluated as f64),
        significant(found.designs, 4),
        if found.best_of.is_empty() { "scheduled" } else { "estimated one by one" }
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
            ", {} times as fast as the source as it is written ({}{fits})",
            significant(start.objective / best.objective, 3),
            match found.objective {
                Objective::Cycles => format!("{} cycles", grouped(start.objective.round())),
                _ => show(found, start.objective),
            }
        )
    });
    let proof = match found.certificate {
        Certificate::Unknown { designs } => {
            format!("The cycles of {designs} designs are not known; one of them may be better")
        }
        _ if !found.ranking.is_empty() => "It is the best row of the table".to_owned(),
        Certificate::Optimal => "It is optimal within the model".to_owned(),
        Certificate::Gap { bound } if bound > 0.0 => {
            let least = match found.objective {
                Objective::Cycles => format!("has fewer than {} cycles", grouped(bound.floor())),
                _ => format!("takes less than {}", show(found, bound)),
            };
            format!("A better design is not excluded; none {least}")
        }
        _ => "A better design is not excluded".to_owned(),
    };
    let claimed = found.claimed.as_ref().map_or_else(String::new, |claim| {
        format!(
            " The claim is {}, {} times that ({}).",
            quantity(claim.value),
            significant(claim.value.0 / best.objective, 3),
            claim.source
        )
    });
    format!(
        "The best design takes {}{faster}.{claimed} {proof}: {looked}.",
        show(found, best.objective)
    )
}

/// The best design for each value of the first axis.
fn tabulate_best_of(found: &Exploration) -> Table {
    let names = found.axes.iter().map(|axis| Column::text(&axis.name, &axis.name));
    let mut columns: Vec<Column> = names.collect();
    columns.push(objective_column(found));
    columns.push(Column::number("dsp", "DSP", ""));
    columns.push(Column::number("share", "Share", "%"));
    let row = |design: &FoundDesign| {
        let mut cells: Vec<Cell> =
            design.values.iter().map(|one| Cell::text(show_value(one))).collect();
        cells.push(objective_cell(found, design));
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

fn objective_column(found: &Exploration) -> Column {
    match found.objective {
        Objective::Cycles => Column::number("cycles", "Cycles", ""),
        Objective::Latency(_) => Column::number("latency", "Latency", "ms"),
        Objective::Interval => Column::number("interval", "Interval", "ms"),
    }
}

fn objective_cell(found: &Exploration, design: &FoundDesign) -> Cell {
    match found.objective {
        Objective::Cycles => Cell::number(design.objective.round(), NumberFormat::Integer),
        _ => Cell::number(1e3 * design.objective, NumberFormat::Significant(4)),
    }
}

/// Time against the largest share of a resource: all designs of the front, the best, and the design as it is written.
fn plot_designs(found: &Exploration) -> Option<Chart> {
    let place = |design: &FoundDesign| {
        let x = match found.objective {
            Objective::Cycles => design.objective,
            _ => 1e3 * design.objective,
        };
        (design.share > 0.0 && x > 0.0).then(|| Position::fixed(x, 100.0 * design.share))
    };
    let series = |name: &str, marker, designs: &[(&str, &FoundDesign)]| PointSeries {
        name: name.to_owned(),
        points: designs
            .iter()
            .filter_map(|(label, design)| {
                Some(Point { label: (*label).to_owned(), at: place(design)? })
            })
            .collect(),
        marker,
    };
    let ranked = found.ranking.iter().filter_map(|one| one.design.as_ref());
    let listed: Vec<(&str, &FoundDesign)> = ranked.map(|one| ("", one)).collect();
    let front: Vec<(&str, &FoundDesign)> = found.front.iter().map(|one| ("", one)).collect();
    let start: Vec<_> = found.start.iter().map(|one| ("as written", one)).collect();
    let best: Vec<_> = found.best.iter().map(|one| ("best", one)).collect();
    let mut points = vec![
        series("Designs of the table", Marker::Diamond, &listed),
        series("Front", Marker::Solid, &front),
        series("As written", Marker::Hollow, &start),
        series("Best", Marker::Measured, &best),
    ];
    points.retain(|one| !one.points.is_empty());
    let all = || points.iter().flat_map(|one| &one.points);
    let x = decade_range(all().map(|point| point.at.x))?;
    let y = decade_range(all().map(|point| point.at.y).chain([100.0]))?;
    let line =
        |name: &str, corners: Vec<Position>, style| Line { name: name.to_owned(), corners, style };
    let limit = vec![Position::fixed(x.0, 100.0), Position::fixed(x.1, 100.0)];
    let steps = found.front.iter().filter_map(place).collect();
    let (label, unit) = match found.objective {
        Objective::Cycles => ("Cycles of a call", ""),
        Objective::Latency(_) => ("Latency", "ms"),
        Objective::Interval => ("Interval", "ms"),
    };
    Some(Chart {
        name: "designs".to_owned(),
        title: "Designs and their front".to_owned(),
        caption: "Designs to the left are faster, designs below are smaller. What is above the line does not fit.".to_owned(),
        x: Axis { label: label.to_owned(), unit: unit.to_owned(), min: x.0, max: x.1 },
        y: Axis {
            label: "Largest share of a resource".to_owned(),
            unit: "%".to_owned(),
            min: y.0,
            max: y.1,
        },
        lines: vec![
            line("All of it", limit, LineStyle::Claimed),
            line("Front", steps, LineStyle::Corrected),
        ],
        points,
    })
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
                vec![
                    Cell::text(&axis.name),
                    Cell::text(show_value(value)),
                    Cell::text(show_values(axis)),
                ]
            })
            .collect(),
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
        // What a project chooses has no first value that is as it was.
        let is_project = found.objective != Objective::Cycles;
        let changed = chosen.filter(|(axis, value)| {
            axis.values.len() > 1 && (is_project || axis.values.first() != Some(*value))
        });
        changed
            .map(|(axis, value)| format!("{}={}", axis.name, show_value(value)))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let row = |label: Cell, design: &FoundDesign| {
        let used = shown_resources(found).into_iter();
        let used =
            used.map(|one| Cell::number(design.usage.amount(one).round(), NumberFormat::Integer));
        let mut cells = vec![label, objective_cell(found, design)];
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
        columns: {
            let mut columns = vec![Column::number("row", label, ""), objective_column(found)];
            let shown = shown_resources(found).into_iter();
            columns.extend(shown.map(|one| Column::number(one.name(), one.name(), "")));
            columns.push(Column::number("share", "Share", "%"));
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
    columns.push(objective_column(found));
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
        cells.push(objective_cell(found, design));
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
