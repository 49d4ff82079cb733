//! The parts of an inference under several estimates side by side: one narrow table per figure.

use derate_reports::{Cell, Column, NumberFormat, Table};

use crate::estimate::{ScenarioEstimate, Totals};
use crate::units::Seconds;

const FIGURES: NumberFormat = NumberFormat::Significant(4);

/// An estimate and the head of its columns.
pub(super) struct Compared<'a> {
    pub(super) key: &'a str,
    pub(super) head: String,
    pub(super) estimate: &'a ScenarioEstimate,
}

/// Each part that an inference runs, and the whole where that is more than one part.
pub(super) fn named(estimate: &ScenarioEstimate) -> Vec<(&str, &Totals)> {
    let parts = estimate.parts.iter().filter(|part| part.runs);
    let mut rows: Vec<(&str, &Totals)> =
        parts.map(|part| (part.name.as_str(), &part.totals)).collect();
    if rows.len() > 1 || host_call(estimate).is_some() {
        rows.push(("whole inference", &estimate.totals));
    }
    rows
}

fn milliseconds(time: Option<Seconds>) -> Cell {
    time.map_or_else(|| Cell::Unknown(String::new()), |t| Cell::number(t.0 * 1e3, FIGURES))
}

/// The time of the call that starts all parts, and is no part's.
fn host_call(estimate: &ScenarioEstimate) -> Option<Seconds> {
    estimate.latency.as_ref().map(|latency| latency.host_call).filter(|time| time.0 > 0.0)
}

/// Traffic, intensity and times; their captions begin with `lead`.
pub(super) fn tables(name: &str, lead: &str, all: &[Compared<'_>]) -> Vec<Table> {
    let head = |c: &Compared<'_>| c.head.clone();
    let by_figure = |figure: &str, unit: &str, what: &str, cell: fn(&Totals) -> Cell| {
        let columns = all.iter().map(|c| Column::number(c.key, head(c), unit));
        let cells = |at: usize| {
            all.iter()
                .map(|c| named(c.estimate).get(at).map_or(Cell::Empty, |(_, t)| cell(t)))
                .collect()
        };
        table(format!("{name}-{figure}"), format!("{lead}{what}"), columns, all, cells)
    };
    vec![
        by_figure("traffic", "MB", "bytes that cross external memory", |t| {
            Cell::number(t.bytes.0 / 1e6, FIGURES)
        }),
        by_figure("oi", "OP/B", "operational intensity", |t| {
            Cell::number(t.oi.0, NumberFormat::Fixed(1))
        }),
        times(name, lead, all),
    ]
}

/// The roofline time of each, and the latency of those that have one.
fn times(name: &str, lead: &str, all: &[Compared<'_>]) -> Table {
    let latencies = || all.iter().filter(|c| c.estimate.latency.is_some());
    let roofline = all.iter().map(|c| Column::number(c.key, c.head.clone(), "ms"));
    let latency = latencies().map(|c| {
        Column::number(format!("{}_latency", c.key), format!("Latency, {}", c.head), "ms")
    });
    let cells = |at: usize| {
        let of = |c: &Compared<'_>, time: fn(&Totals) -> Option<Seconds>| {
            named(c.estimate).get(at).map_or(Cell::Empty, |(_, totals)| milliseconds(time(totals)))
        };
        let roofline = all.iter().map(|c| of(c, |t| t.throughput_seconds));
        roofline.chain(latencies().map(|c| of(c, |t| t.latency_seconds))).collect()
    };
    let what = match latencies().next() {
        Some(_) => "roofline time, and latency where there is a design",
        None => "roofline time",
    };
    let columns = roofline.chain(latency);
    let mut table = table(format!("{name}-time"), format!("{lead}{what}"), columns, all, cells);
    if latencies().any(|c| host_call(c.estimate).is_some()) {
        let mut row = vec![Cell::text("call of the host")];
        row.resize(1 + all.len(), Cell::Empty);
        row.extend(
            latencies().map(|c| {
                host_call(c.estimate).map_or(Cell::Empty, |time| milliseconds(Some(time)))
            }),
        );
        // Before the sum.
        table.rows.insert(table.rows.len().saturating_sub(1), row);
    }
    table
}

/// A row per part with the cells that `cells` gives for its place.
fn table(
    name: String,
    caption: String,
    columns: impl Iterator<Item = Column>,
    all: &[Compared<'_>],
    cells: impl Fn(usize) -> Vec<Cell>,
) -> Table {
    // An estimate with a call of its own has a sum where the others have but one part.
    let longest = all.iter().map(|c| named(c.estimate)).max_by_key(Vec::len).unwrap_or_default();
    let rows = longest
        .iter()
        .enumerate()
        .map(|(at, (name, _))| std::iter::once(Cell::text(*name)).chain(cells(at)).collect());
    Table {
        name,
        caption,
        rows: rows.collect(),
        columns: std::iter::once(Column::text("part", "Part")).chain(columns).collect(),
    }
}
