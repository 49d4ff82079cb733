//! Reports of small projects, and when two figures are the same.

use std::sync::OnceLock;

use derate_model::Analysis;
use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_reports::sections::{self, Reader};
use derate_reports::{
    Block, Cell, Column, Document, Edit, Formula, Length, NumberFormat, Table, Value, Values,
};

use crate::fixture::Fixture;

pub(crate) fn report(analysis: &Analysis) -> Document {
    sections::report(analysis, &audit(analysis), &estimate(analysis))
}

pub(crate) fn report_on_paper(analysis: &Analysis) -> Document {
    let (audit, estimate) = (audit(analysis), estimate(analysis));
    sections::make_report(analysis, &audit, &estimate, &[], Reader::Paper)
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => close(*a, *b),
        (a, b) => a == b,
    }
}

pub(crate) fn seed() -> Fixture {
    Fixture::new("smolvla")
}

/// A project whose workload is `linear`.
pub(crate) fn linear() -> Fixture {
    Fixture::new("smolvla").with("derate.toml", "workload = \"smolvla\"", "workload = \"linear\"")
}

pub(crate) fn edit(input: &str, value: impl Into<Value>) -> Edit {
    Edit { input: input.to_owned(), value: value.into() }
}

/// What a cell shows: its number, or its word.
pub(crate) fn shown(cell: &Cell) -> Value {
    match cell {
        Cell::Formula { value, .. } => value.clone(),
        Cell::Unknown(_) => Value::from("unknown"),
        cell => cell.as_number().map_or_else(|| Value::from(cell.display()), Value::from),
    }
}

/// The lengths of the bars and the places of the chart as a table: formulas alone are evaluated.
fn of_pictures(document: &Document) -> Table {
    let bars = document.sections.iter().flat_map(|s| &s.blocks).filter_map(|block| match block {
        Block::Bars(bars) => Some(bars),
        _ => None,
    });
    let lengths = bars.flat_map(|bars| &bars.series).flat_map(|s| &s.lengths).flatten();
    let lengths = lengths.filter_map(|Length { value, live }| Some((*value, live.clone()?)));
    let places = document.charts().flat_map(|chart| {
        let corners = chart.lines.iter().flat_map(|line| &line.corners);
        corners.chain(chart.points.iter().flat_map(|s| &s.points).map(|point| &point.at))
    });
    let places = places.filter_map(|at| Some((at, at.live.as_deref()?.clone())));
    let places = places.flat_map(|(at, [x, y])| [(at.x, x), (at.y, y)]);
    let cell = |(value, formula): (f64, Formula)| {
        vec![Cell::formula(value, formula, NumberFormat::Integer)]
    };
    Table {
        name: "of-pictures".to_owned(),
        caption: String::new(),
        columns: vec![Column::number("value", "value", "")],
        rows: lengths.chain(places).map(cell).collect(),
    }
}

/// Every formula gives the value that is in its cell; there are more than `least`.
#[track_caller]
pub(crate) fn agrees_with_itself(fixture: &Fixture, least: usize) {
    let mut document = report(&fixture.analysis());
    let pictures = Block::Table(of_pictures(&document));
    document.sections[0].blocks.push(pictures);
    let values = Values::of(&document, &[]).unwrap();
    let wrong: Vec<String> = values
        .formulas()
        .filter(|(.., cached, value)| !value.is_some_and(|value| same(cached, value)))
        .map(|(table, row, column, cached, value)| {
            format!("{} {row} {}: {cached:?} is {value:?}", table.name, table.columns[column].key)
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
    assert!(values.formulas().count() > least, "{}", values.formulas().count());
}

/// The report of the seed, made once.
pub(crate) fn of_seed() -> &'static Document {
    static DOCUMENT: OnceLock<Document> = OnceLock::new();
    DOCUMENT.get_or_init(|| report(&seed().analysis()))
}
