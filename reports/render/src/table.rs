//! Tables: named columns with units, and rows of cells.

use serde::Serialize;

use crate::Cell;

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The short name, for a file or an anchor, such as `kernels`.
    pub name: String,
    /// A sentence about the table; may be empty.
    pub caption: String,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The rows, from top to bottom; a short row is filled up with empty cells, a cell without a column is dropped.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name in formulas and for programs, such as `bytes`.
    pub key: String,
    /// The heading for the reader.
    pub heading: String,
    /// The unit of every number in it.
    pub unit: Option<String>,
    /// How its cells are aligned.
    pub align: Align,
}

/// How the cells of a column are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Text.
    #[default]
    Left,
    /// Numbers.
    Right,
    /// Short marks.
    Center,
}

impl Column {
    /// A column of text.
    pub fn text(key: impl Into<String>, heading: impl Into<String>) -> Self {
        Self { key: key.into(), heading: heading.into(), unit: None, align: Align::Left }
    }

    /// A column of numbers in `unit`; the empty unit is a bare number.
    pub fn number(key: impl Into<String>, heading: impl Into<String>, unit: &str) -> Self {
        let unit = (!unit.is_empty()).then(|| unit.to_owned());
        Self { key: key.into(), heading: heading.into(), unit, align: Align::Right }
    }

    /// The heading with the unit in parentheses.
    pub fn heading_with_unit(&self) -> String {
        name_with_unit(&self.heading, self.unit.as_deref().unwrap_or_default())
    }
}

impl Table {
    /// The position of the column that `key` names.
    pub fn column_index(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key)
    }

    /// The cell at `row` and `column`; empty where the row is short.
    pub fn cell(&self, row: usize, column: usize) -> &Cell {
        self.rows.get(row).and_then(|cells| cells.get(column)).unwrap_or(&Cell::Empty)
    }

    /// Whether a row sums up others.
    pub fn is_total(&self, row: usize) -> bool {
        (0..self.columns.len()).any(|column| matches!(self.cell(row, column), Cell::Total(_)))
    }

    /// Every cell under a column, with its row and column.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, &Cell)> {
        let columns = self.columns.len();
        self.rows.iter().enumerate().flat_map(move |(row, cells)| {
            cells.iter().take(columns).enumerate().map(move |(column, cell)| (row, column, cell))
        })
    }

    /// Whether no cell is an input or a formula.
    pub fn stands_still(&self) -> bool {
        !self.cells().any(|(.., cell)| matches!(cell, Cell::Formula { .. } | Cell::Input(_)))
    }
}

/// A quantity with its unit in parentheses, if it has one.
pub(crate) fn name_with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_row_reads_as_empty() {
        let table = Table {
            name: String::new(),
            caption: String::new(),
            columns: vec![Column::text("a", "A"), Column::number("b", "B", "GB/s")],
            rows: vec![vec![Cell::text("x")]],
        };
        assert_eq!(table.cell(0, 1), &Cell::Empty);
        assert_eq!(table.cell(9, 9), &Cell::Empty);
        assert_eq!(table.column_index("b"), Some(1));
        assert_eq!(table.columns[1].heading_with_unit(), "B (GB/s)");
    }
}
