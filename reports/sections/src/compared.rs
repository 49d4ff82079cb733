//! The parts of an inference under several estimates side by side: one narrow table per figure.

use derate_render::{Cell, Column, Formula, NumberFormat, Table};

use super::live::{self, Followed, Latencies};
use super::part_rows::{find_host_call, list_part_rows, name_row};
use derate_estimate::{ScenarioEstimate, Totals};
use derate_units::Seconds;

const FIGURES: NumberFormat = NumberFormat::Significant(4);

/// An estimate and the head of its columns.
pub(super) struct Compared<'a> {
    pub(super) key: &'a str,
    pub(super) head: String,
    pub(super) estimate: &'a ScenarioEstimate,
    /// Its formulas.
    pub(super) live: Option<&'a Followed<'a>>,
    /// The formulas of its latency.
    pub(super) latency: Option<Latencies<'a>>,
}

fn time_cell(time: Option<Seconds>) -> Cell {
    plain_cell(time.map(|time| time.0 * 1e3), FIGURES)
}

fn plain_cell(value: Option<f64>, format: NumberFormat) -> Cell {
    value.map_or_else(|| Cell::Unknown(String::new()), |value| Cell::number(value, format))
}

/// A figure of every part of every estimate.
struct Shown {
    key: &'static str,
    unit: &'static str,
    what: &'static str,
    format: NumberFormat,
    value: fn(&Totals) -> Option<f64>,
    formula: fn(&Followed<'_>, usize) -> Formula,
}

const TRAFFIC: Shown = Shown {
    key: "traffic",
    unit: "MB",
    what: "bytes that cross external memory",
    format: FIGURES,
    value: |t| Some(t.bytes.0 / 1e6),
    formula: |live, at| live.sum_figure(at, "bytes") / 1e6,
};
const INTENSITY: Shown = Shown {
    key: "oi",
    unit: "OP/B",
    what: "operational intensity",
    format: NumberFormat::Significant(3),
    value: |t| Some(t.oi.0),
    formula: |live, at| live.write_intensity(at),
};
const TIME: Shown = Shown {
    key: "time",
    unit: "ms",
    what: "roofline time",
    format: FIGURES,
    value: |t| Some(t.throughput_seconds?.0 * 1e3),
    formula: |live, at| live.roofline_time(at),
};

impl Compared<'_> {
    /// The figure of the part at that place.
    fn make_cell(&self, shown: &Shown, at: usize) -> Cell {
        let rows = list_part_rows(self.estimate);
        let Some((_, totals)) = rows.get(at) else { return Cell::Empty };
        let value = (shown.value)(totals);
        match self.live {
            Some(live) => live::follow_cell(value, (shown.formula)(live, at), shown.format),
            None => plain_cell(value, shown.format),
        }
    }
}

/// Traffic, intensity and times; their captions begin with `lead`.
pub(super) fn compare_tables(name: &str, lead: &str, all: &[Compared<'_>]) -> Vec<Table> {
    let head = |c: &Compared<'_>| c.head.clone();
    let by_figure = |shown: &Shown| {
        let columns = all.iter().map(|c| Column::number(c.key, head(c), shown.unit));
        let cells = |at: usize| all.iter().map(|c| c.make_cell(shown, at)).collect();
        let caption = format!("{lead}{}", shown.what);
        tabulate_parts(format!("{name}-{}", shown.key), caption, columns, all, cells)
    };
    vec![by_figure(&TRAFFIC), by_figure(&INTENSITY), tabulate_times(name, lead, all)]
}

/// The roofline time of each, and the latency of those that have one.
fn tabulate_times(name: &str, lead: &str, all: &[Compared<'_>]) -> Table {
    let latencies = || all.iter().filter(|c| c.estimate.latency.is_some());
    let roofline = all.iter().map(|c| Column::number(c.key, c.head.clone(), "ms"));
    let latency = latencies().map(|c| {
        Column::number(format!("{}_latency", c.key), format!("Latency, {}", c.head), "ms")
    });
    let cells = |at: usize| {
        let latency = |c: &Compared<'_>| {
            let rows = list_part_rows(c.estimate);
            let Some((_, totals)) = rows.get(at) else { return Cell::Empty };
            match c.latency.as_ref().and_then(|latency| latency.part_time(at)) {
                Some(formula) => {
                    let value = totals.latency_seconds.map(|time| time.0 * 1e3);
                    live::follow_cell(value, formula, FIGURES)
                }
                None => time_cell(totals.latency_seconds),
            }
        };
        let roofline = all.iter().map(|c| c.make_cell(&TIME, at));
        roofline.chain(latencies().map(latency)).collect()
    };
    let what = match latencies().next() {
        Some(_) => "roofline time, and latency where there is a design",
        None => TIME.what,
    };
    let columns = roofline.chain(latency);
    let mut table = tabulate_parts(
        format!("{name}-{}", TIME.key),
        format!("{lead}{what}"),
        columns,
        all,
        cells,
    );
    if latencies().any(|c| find_host_call(c.estimate).is_some()) {
        let mut row = vec![Cell::text("call of the host")];
        row.resize(1 + all.len(), Cell::Empty);
        row.extend(latencies().map(|c| {
            let own = find_host_call(c.estimate).map(|time| time.0 * 1e3);
            match (own, c.latency.as_ref().and_then(Latencies::host_call)) {
                (None, _) => Cell::Empty,
                (own, Some(formula)) => live::follow_cell(own, formula, FIGURES),
                (own, None) => plain_cell(own, FIGURES),
            }
        }));
        // Before the sum.
        table.rows.insert(table.rows.len().saturating_sub(1), row);
    }
    table
}

/// A row per part with the cells that `cells` gives for its place.
fn tabulate_parts(
    name: String,
    caption: String,
    columns: impl Iterator<Item = Column>,
    all: &[Compared<'_>],
    cells: impl Fn(usize) -> Vec<Cell>,
) -> Table {
    // An estimate with a call of its own has a sum where the others have but one part.
    let longest =
        all.iter().map(|c| list_part_rows(c.estimate)).max_by_key(Vec::len).unwrap_or_default();
    let rows = longest.iter().enumerate().map(|(at, (name, _))| {
        let name =
            all.first().map_or_else(|| Cell::text(*name), |c| name_row(c.estimate, at, name));
        std::iter::once(name).chain(cells(at)).collect()
    });
    Table {
        name,
        caption,
        rows: rows.collect(),
        columns: std::iter::once(Column::text("part", "Part")).chain(columns).collect(),
    }
}
