//! Cached values of formulas.

use super::{live, section};
use derate_render::{Block, Cell, Column, Document, Formula, Table, Values};

/// Puts what the formulas come to where values are cached, live places too.
pub(super) fn filled(document: &Document) -> Document {
    let (mut places, mut lengths) = (Vec::new(), Vec::new());
    for block in document.sections.iter().flat_map(|section| &section.blocks) {
        match block {
            Block::Chart(chart) => {
                let own = chart.lines.iter().flat_map(|line| &line.corners);
                let own =
                    own.chain(chart.points.iter().flat_map(|s| s.points.iter().map(|p| &p.at)));
                places.extend(own.filter_map(|at| at.live.clone()).flat_map(|pair| *pair));
            }
            Block::Bars(bars) => {
                let own = bars.series.iter().flat_map(|series| series.lengths.iter().flatten());
                lengths.extend(own.filter_map(|length| length.live.clone()));
            }
            _ => {}
        }
    }
    let count = places.len();
    let computed = computed(document, places.into_iter().chain(lengths).collect());
    let mut out = document.clone();
    let values = Values::of(document, &[]).unwrap();
    let (mut next_place, mut next_length) = (0, count);
    for block in out.sections.iter_mut().flat_map(|section| &mut section.blocks) {
        match block {
            Block::Table(table) => {
                let keys: Vec<String> =
                    table.columns.iter().map(|column| column.key.clone()).collect();
                for (row, cells) in table.rows.iter_mut().enumerate() {
                    for (cell, key) in cells.iter_mut().zip(&keys) {
                        if let Cell::Formula { value, .. } = cell {
                            *value = values.get(&table.name, row, key).unwrap().clone();
                        }
                    }
                }
            }
            Block::KeyFigures(figures) => {
                for (row, figure) in figures.iter_mut().enumerate() {
                    for (heading, cell) in &mut figure.values {
                        if let Cell::Formula { value, .. } = cell {
                            *value = values.get("key-figures", row, heading).unwrap().clone();
                        }
                    }
                }
            }
            Block::Chart(chart) => {
                let own = chart.lines.iter_mut().flat_map(|line| &mut line.corners);
                let points =
                    chart.points.iter_mut().flat_map(|s| s.points.iter_mut().map(|p| &mut p.at));
                for at in own.chain(points).filter(|at| at.live.is_some()) {
                    (at.x, at.y) = (computed[next_place], computed[next_place + 1]);
                    next_place += 2;
                }
            }
            Block::Bars(bars) => {
                for length in
                    bars.series.iter_mut().flat_map(|series| series.lengths.iter_mut().flatten())
                {
                    length.value = computed[next_length];
                    next_length += 1;
                }
            }
            _ => {}
        }
    }
    out
}

/// What formulas that are in no table come to.
fn computed(document: &Document, formulas: Vec<Formula>) -> Vec<f64> {
    let count = formulas.len();
    let table = Table {
        name: "computed".to_owned(),
        caption: String::new(),
        columns: vec![Column::text("value", "")],
        rows: formulas.into_iter().map(|formula| vec![live(formula)]).collect(),
    };
    let mut with = document.clone();
    with.sections.push(section("computed", "", vec![Block::Table(table)]));
    let values = Values::of(&with, &[]).unwrap();
    (0..count).map(|row| values.get("computed", row, "value").unwrap().number().unwrap()).collect()
}
