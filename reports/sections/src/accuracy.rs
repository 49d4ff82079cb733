//! Predicted against measured, for people.

use derate_render::{Align, Block, Cell, Column, Document, NumberFormat, Section, Table};

use derate_predict::accuracy::{
    Accuracy, ComparedGroup, ComparedPoint, Efficiency, Errors, ErrorsBySide, Half,
};
use derate_units::figures::{count, quantity, rate, significant};

/// What the tables are based on.
const HOW: &str = "Predicted is the roofline of the arithmetic that ran: max(operations / peak, bytes / bandwidth) of each operation, every operand once at its stored size, or what the run itself moved where that is more. Measured is the median repetition. An error is relative to the measured time: predicted / measured - 1. The fit sees every other shape, in the order of their operations, and is tried on the others; it changes neither the predictions nor the platform.";

fn right_column(key: &str, heading: &str) -> Column {
    Column { align: Align::Right, ..Column::text(key, heading) }
}

fn percent_cell(share: f64) -> Cell {
    Cell::number(share, NumberFormat::Percent(1))
}

/// What `derate compare` prints.
pub fn accuracy(accuracy: &Accuracy) -> Document {
    let mut first = vec![
        Block::Prose(write_sentence(accuracy)),
        Block::Table(tabulate_errors(accuracy)),
        Block::Table(tabulate_efficiencies(accuracy)),
        Block::Prose(HOW.to_owned()),
    ];
    first.extend(accuracy.notes.iter().cloned().map(Block::Prose));
    let left_out = accuracy.left_out.iter().map(|one| {
        Block::Prose(format!("Left out: {}, runs[{}]: {}.", one.file, one.run, one.reason))
    });
    first.extend(left_out);
    let points = accuracy
        .groups
        .iter()
        .enumerate()
        .map(|(at, group)| Block::Table(tabulate_points(accuracy, at, group)))
        .collect();
    Document {
        title: "Predicted against measured".to_owned(),
        subtitle: format!(
            "{} on {}, {}",
            count(accuracy.points.len(), "run"),
            accuracy.platform.title,
            quantity(accuracy.bandwidth)
        ),
        controls: Vec::new(),
        sections: vec![
            Section::new("Accuracy", "How far off", first),
            Section::new("Points", "Run by run", points),
        ],
    }
}

fn write_sentence(accuracy: &Accuracy) -> String {
    let shown = |errors: Errors| {
        format!(
            "{} % in the median and {} % at the ninetieth percentile",
            significant(100.0 * errors.median, 3),
            significant(100.0 * errors.p90, 3)
        )
    };
    let whole = &accuracy.whole;
    let before = whole.roofline.map(shown).unwrap_or_default();
    let fitted = match (whole.tested_before, whole.tested_after) {
        (Some(before), Some(after)) => format!(
            " On the shapes that the fit has not seen it is off by {}, with the fitted efficiencies by {}.",
            shown(before),
            shown(after)
        ),
        _ => String::new(),
    };
    format!("The roofline is off by {before}.{fitted}")
}

/// The arithmetic of a group: `fp32`, `int8 into int32`; `None` where its runs do not tell.
fn describe_run(group: &ComparedGroup) -> Option<String> {
    let (arithmetic, accumulate) = (group.arithmetic.as_ref()?, group.accumulate.as_ref()?);
    Some(if arithmetic == accumulate {
        arithmetic.clone()
    } else {
        format!("{arithmetic} into {accumulate}")
    })
}

/// Where a group ran, where groups differ in that.
fn list_places(accuracy: &Accuracy) -> Option<Vec<String>> {
    let place = |group: &ComparedGroup| {
        let threads = group.threads.map(|threads| {
            format!(", {}", count(usize::try_from(threads).unwrap_or(usize::MAX), "thread"))
        });
        let alike = |other: &&ComparedGroup| {
            (other.kind, &other.precision, &other.arithmetic, &other.accumulate, &other.device)
                == (
                    group.kind,
                    &group.precision,
                    &group.arithmetic,
                    &group.accumulate,
                    &group.device,
                )
                && other.threads == group.threads
        };
        // A card at several clocks has as many peaks.
        let twins = accuracy.groups.iter().filter(alike).count() > 1;
        let peak = twins.then(|| format!(", peak {}", rate(group.peak, group.peak_of)));
        format!("{}{}{}", group.device, threads.unwrap_or_default(), peak.unwrap_or_default())
    };
    let all: Vec<String> = accuracy.groups.iter().map(place).collect();
    let first = all.first()?;
    let differ = all.iter().any(|place| place != first);
    differ.then_some(all)
}

/// The first cells of a group's row, and their columns: what tells it from the others.
fn name_columns(accuracy: &Accuracy) -> (Vec<Column>, Vec<Vec<Cell>>) {
    let mut columns = vec![
        Column::text("kind", "Operator"),
        Column::text("precision", "Stored"),
        Column::text("arithmetic", "Ran in"),
    ];
    let names = |g: &ComparedGroup| {
        let none =
            || Cell::Unknown("these runs do not tell what arithmetic they ran in".to_owned());
        let ran = describe_run(g).map_or_else(none, Cell::text);
        vec![Cell::text(g.kind.to_string()), Cell::text(&g.precision), ran]
    };
    let mut rows: Vec<Vec<Cell>> = accuracy.groups.iter().map(names).collect();
    if let Some(places) = list_places(accuracy) {
        columns.push(Column::text("place", "On"));
        rows.iter_mut().zip(places).for_each(|(row, place)| row.push(Cell::text(place)));
    }
    (columns, rows)
}

/// Of each group, and of all.
fn tabulate_errors(accuracy: &Accuracy) -> Table {
    let row = |mut row: Vec<Cell>, halves: &ErrorsBySide| {
        let runs = halves.roofline.map_or(0, |errors| errors.runs);
        row.push(Cell::number(runs as f64, NumberFormat::Integer));
        let all =
            [halves.fitted_before, halves.fitted_after, halves.tested_before, halves.tested_after];
        for errors in all {
            for of in [|e: Errors| e.median, |e: Errors| e.p90] {
                let none = || Cell::Unknown("too few shapes for a fit".to_owned());
                row.push(errors.map(of).map_or_else(none, percent_cell));
            }
        }
        row
    };
    let (mut columns, names) = name_columns(accuracy);
    let mut all = vec![Cell::Empty; columns.len()];
    if let Some(first) = all.first_mut() {
        *first = Cell::text("all");
    }
    let mut rows: Vec<Vec<Cell>> =
        names.into_iter().zip(&accuracy.groups).map(|(names, g)| row(names, &g.errors)).collect();
    rows.push(row(all, &accuracy.whole));
    columns.extend([
        Column::number("runs", "Runs", ""),
        Column::number("fitted_median", "Fitted: median", ""),
        Column::number("fitted_p90", "p90", ""),
        Column::number("fitted_after_median", "after: median", ""),
        Column::number("fitted_after_p90", "p90", ""),
        Column::number("tested_median", "Tested: median", ""),
        Column::number("tested_p90", "p90", ""),
        Column::number("tested_after_median", "after: median", ""),
        Column::number("tested_after_p90", "p90", ""),
    ]);
    Table {
        name: "errors".to_owned(),
        caption: "Size of predicted / measured - 1: of the roofline, then with the fitted efficiencies; on the half that the \
                  fit saw, then on the other"
            .to_owned(),
        columns,
        rows,
    }
}

fn tabulate_efficiencies(accuracy: &Accuracy) -> Table {
    let share = |share: Option<f64>| {
        share.map_or_else(
            || Cell::Unknown("not determined by these shapes".to_owned()),
            |share| Cell::number(share, NumberFormat::Significant(3)),
        )
    };
    let (mut columns, names) = name_columns(accuracy);
    let row = |(mut row, group): (Vec<Cell>, &ComparedGroup)| {
        let own = group.efficiency.unwrap_or(Efficiency::ROOFLINE);
        let launch = own.launch_seconds.map_or(Cell::Empty, |time| Cell::text(quantity(time)));
        row.extend([
            share(own.compute),
            share(own.memory),
            own.cached.map_or(Cell::Empty, |cached| share(Some(cached))),
            launch,
        ]);
        row
    };
    columns.extend([
        Column::number("compute", "Of the peak", ""),
        Column::number("memory", "Of the bandwidth", ""),
        Column::number("cached", "The same in the cache", ""),
        right_column("launch", "Launch"),
    ]);
    Table {
        name: "efficiencies".to_owned(),
        caption: "Fitted on every other shape: shares of the peak and of the bandwidth; in a cache, and a launch, where they pay"
            .to_owned(),
        columns,
        rows: names.into_iter().zip(&accuracy.groups).map(row).collect(),
    }
}

fn tabulate_points(accuracy: &Accuracy, at: usize, group: &ComparedGroup) -> Table {
    let own = accuracy.points.iter().filter(|point| point.group == at);
    let before = accuracy.groups.iter().take(at);
    let twins = before.filter(|g| (g.kind, &g.precision) == (group.kind, &group.precision)).count();
    let twin = if twins == 0 { String::new() } else { format!("-{}", twins + 1) };
    let place = list_places(accuracy).and_then(|places| places.into_iter().nth(at));
    let place = place.map_or_else(String::new, |place| format!(", on {place}"));
    let rows = own.map(|point: &ComparedPoint| {
        let half = match point.half {
            Some(Half::Fitted) => Cell::text("fitted"),
            Some(Half::Tested) => Cell::text("tested"),
            None => Cell::Empty,
        };
        vec![
            Cell::text(&point.shape),
            Cell::number(point.oi.0, NumberFormat::Significant(4)),
            Cell::text(point.bound.as_str()),
            Cell::text(quantity(point.predicted_seconds)),
            Cell::text(quantity(point.measured_seconds)),
            percent_cell(point.error),
            percent_cell(point.error_of_predicted),
            half,
            point.fitted_seconds.map_or(Cell::Empty, |time| Cell::text(quantity(time))),
            point.fitted_error.map_or(Cell::Empty, percent_cell),
        ]
    });
    Table {
        name: format!("{}-{}{twin}", group.kind, group.precision),
        caption: format!(
            "{} in {}, {}{place}",
            group.kind,
            group.precision,
            describe_run(group).map_or_else(
                || "in an arithmetic that nobody tells".to_owned(),
                |ran| format!("computed in {ran}")
            )
        ),
        columns: vec![
            Column::text("shape", "Shape"),
            Column::number("oi", "OI", "OP/B"),
            Column::text("bound", "Bound"),
            right_column("predicted", "Predicted"),
            right_column("measured", "Measured"),
            Column::number("error", "Error", ""),
            Column::number("error_of_predicted", "|p - m| / p", ""),
            Column::text("half", "Half"),
            right_column("fitted", "With the fit"),
            Column::number("fitted_error", "Error then", ""),
        ],
        rows: rows.collect(),
    }
}
