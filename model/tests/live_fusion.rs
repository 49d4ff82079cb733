//! Fusion and latency as formulas: they give what derate gives, follow their inputs as derate does, and say where not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::sync::OnceLock;

#[path = "fixture/mod.rs"]
mod fixture;

use derate_model::audit::audit;
use derate_model::estimate::{ScenarioEstimate, estimate, scenarios};
use derate_model::scenario::ladder;
use derate_model::{Analysis, Precision, Storage, present};
use derate_reports::{
    Block, Cell, Column, Document, Edit, Formula, Length, NumberFormat, Table, Value, Values,
};
use fixture::Fixture;

fn report(analysis: &Analysis) -> Document {
    present::report(analysis, &audit(analysis), &estimate(analysis))
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => close(*a, *b),
        (a, b) => a == b,
    }
}

fn seed() -> Fixture {
    Fixture::new("smolvla")
}

/// smolVLA with a `[design]`.
fn with(design: &str) -> Fixture {
    seed().with("derate.toml", "[derate]", &format!("[design]\n{design}\n\n[derate]"))
}

const BLOCK: &str = "rows = 24\ncolumns = 20\nunroll = 2\nprecision = \"int8\"\nschedule = \"block\"\nlanes = 8\naccumulation_ii = 2\nfill = 30\nclock = \"250 MHz\"\nlaunch = \"20 us\"";

/// One of a kind each: what is held, left out, wired, started.
const DESIGNS: [&str; 6] = [
    BLOCK,
    "rows = 8\ncolumns = 8",
    "rows = 8\ncolumns = 12\nprecision = \"as-stored\"\nschedule = \"epilogue\"\nlaunches = \"kernel\"",
    "rows = 16\ncolumns = 8\nhold = [\"connector\", \"expert\"]\nbuffer = \"400 MB\"\nschedule = \"attention\"\nlaunches = \"part\"",
    "rows = 8\ncolumns = 8\nhoist_cross_kv = true\ndrop_dead_work = true\nschedule = \"block\"\nlaunches = \"inference\"",
    "rows = 8\ncolumns = 8\nports = 32\nport_bits = 256\nschedule = \"block\"",
];

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

#[track_caller]
fn gives_what_derate_gives(fixture: &Fixture, least: usize) {
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

#[test]
fn every_formula_gives_what_derate_gives() {
    gives_what_derate_gives(&seed(), 1000);
    gives_what_derate_gives(&Fixture::new("smolvla-bf16"), 1000);
    let linear = seed().with("derate.toml", "workload = \"smolvla\"", "workload = \"linear\"");
    gives_what_derate_gives(&linear, 100);
}

#[test]
fn every_formula_of_a_design_gives_what_derate_gives() {
    for design in DESIGNS {
        println!("{design}");
        gives_what_derate_gives(&with(design), 2000);
    }
}
