//! What the page's script computes with: every cell by its place, formulas as trees, charts with their live places.

use serde::Serialize;

use crate::{Bars, Cell, Chart, Control, Document, Formula, Input, NumberFormat, RenderError};

#[derive(Serialize)]
struct Page<'a> {
    tables: Vec<Table<'a>>,
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

/// A number or a text stands for itself, an empty cell is null.
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Empty(()),
    Number(f64),
    /// JSON has no number for it.
    Odd {
        odd: (),
    },
    Text(String),
    Formula {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<&'a str>,
        format: NumberFormat,
        formula: &'a Formula,
    },
    Input {
        input: &'a Input,
    },
}

/// The data as JSON that may stand in a script element: no `<` is in it.
pub(super) fn json(document: &Document) -> Result<String, RenderError> {
    let tables = document.all_tables();
    let blocks = || document.sections.iter().flat_map(|section| &section.blocks);
    let page = Page {
        tables: tables.iter().map(|table| table_of(table)).collect(),
        charts: document.charts().collect(),
        bars: blocks()
            .filter_map(|block| match block {
                crate::Block::Bars(bars) => Some(bars),
                _ => None,
            })
            .collect(),
        controls: &document.controls,
    };
    Ok(serde_json::to_string(&page)?.replace('<', "\\u003c"))
}

fn table_of(table: &crate::Table) -> Table<'_> {
    let columns = table.columns.iter().map(|column| Column {
        key: &column.key,
        heading: &column.heading,
        unit: column.unit.as_deref().unwrap_or_default(),
    });
    let rows = 0..table.rows.len();
    let row = |row| (0..table.columns.len()).map(|at| content(table.cell(row, at))).collect();
    Table { name: &table.name, columns: columns.collect(), rows: rows.map(row).collect() }
}

fn content(cell: &Cell) -> Content<'_> {
    match cell {
        Cell::Empty => Content::Empty(()),
        Cell::Number { value, .. } if value.is_finite() => Content::Number(*value),
        Cell::Number { .. } => Content::Odd { odd: () },
        Cell::Text(_) | Cell::Unknown(_) | Cell::Status(..) => Content::Text(cell.display()),
        Cell::Formula { name, formula, format, .. } => {
            Content::Formula { name: name.as_deref(), format: *format, formula }
        }
        Cell::Input(input) => Content::Input { input },
    }
}
