//! What the page's script computes with: every cell by its place, formulas as trees, charts with their live places.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::plain::plain_text;
use crate::{Bars, Cell, Chart, Control, Document, Formula, Input, NumberFormat, RenderError};

#[derive(Serialize)]
struct Page<'a> {
    tables: Vec<Table<'a>>,
    formulas: Vec<Follows<'a>>,
    charts: Vec<&'a Chart>,
    bars: Vec<&'a Bars>,
    controls: &'a [Control],
}

#[derive(Serialize)]
struct Table<'a> {
    name: &'a str,
    columns: Vec<Column<'a>>,
    rows: Vec<Vec<Content<'a>>>,
}

#[derive(Serialize)]
struct Column<'a> {
    key: &'a str,
    heading: &'a str,
    unit: &'a str,
}

/// A number or a text is written as it is, an empty cell as null.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Empty(()),
    Number(f64),
    /// A number that JSON cannot represent.
    Odd {
        odd: (),
    },
    Text(String),
    Formula {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        /// Its index in the list of formulas.
        follows: usize,
    },
    Input {
        input: &'a Input,
    },
}

/// A formula and how its number is written: the rows of a table have most of them in common.
#[derive(Serialize)]
struct Follows<'a> {
    format: NumberFormat,
    formula: &'a Formula,
}

/// Every formula once.
#[derive(Default)]
struct Formulas<'a> {
    all: Vec<Follows<'a>>,
    places: BTreeMap<String, usize>,
}

impl<'a> Formulas<'a> {
    fn index_of(
        &mut self,
        format: NumberFormat,
        formula: &'a Formula,
    ) -> Result<usize, RenderError> {
        let follows = Follows { format, formula };
        let next = self.all.len();
        let place = *self.places.entry(serde_json::to_string(&follows)?).or_insert(next);
        if place == next {
            self.all.push(follows);
        }
        Ok(place)
    }
}

/// The data as JSON for a script element: it contains no `<`.
pub(super) fn page_data(document: &Document) -> Result<String, RenderError> {
    let tables = document.all_tables();
    let mut formulas = Formulas::default();
    let tables = tables.iter().map(|table| table_data(table, &mut formulas));
    let page = Page {
        tables: tables.collect::<Result<_, _>>()?,
        formulas: formulas.all,
        charts: document.charts().collect(),
        bars: document.bars().collect(),
        controls: &document.controls,
    };
    // On one line, so that only marks are dropped.
    Ok(plain_text(&serde_json::to_string(&page)?).replace('<', "\\u003c"))
}

fn table_data<'a>(
    table: &'a crate::Table,
    formulas: &mut Formulas<'a>,
) -> Result<Table<'a>, RenderError> {
    let columns = table.columns.iter().map(|column| Column {
        key: &column.key,
        heading: &column.heading,
        unit: column.unit.as_deref().unwrap_or_default(),
    });
    let mut row = |row| {
        let cells = (0..table.columns.len()).map(|at| cell_data(table.cell(row, at), formulas));
        cells.collect::<Result<Vec<_>, _>>()
    };
    let rows = (0..table.rows.len()).map(&mut row).collect::<Result<_, _>>()?;
    Ok(Table { name: &table.name, columns: columns.collect(), rows })
}

fn cell_data<'a>(cell: &'a Cell, formulas: &mut Formulas<'a>) -> Result<Content<'a>, RenderError> {
    Ok(match cell {
        Cell::Empty => Content::Empty(()),
        Cell::Number { value, .. } if value.is_finite() => Content::Number(*value),
        Cell::Number { .. } => Content::Odd { odd: () },
        Cell::Text(_)
        | Cell::Total(_)
        | Cell::Link { .. }
        | Cell::Unknown(_)
        | Cell::Status(..) => Content::Text(cell.display()),
        Cell::Formula { name, formula, format, .. } => Content::Formula {
            name: name.as_deref(),
            follows: formulas.index_of(*format, formula)?,
        },
        Cell::Input(input) => Content::Input { input },
    })
}
