//! Tables that are declared by column and filled from a list of items.

use crate::{Align, Cell, Column, Table};

/// A table with one row per item. Each column is declared once, with what an item has in it.
///
/// ```
/// use derate_render::{Cell, NumberFormat, Table};
///
/// struct Kernel {
///     name: String,
///     bytes: u64,
///     flops: Option<u64>,
/// }
///
/// let kernels = [Kernel { name: "Q".to_owned(), bytes: 2_030_000, flops: None }];
/// let integer = |count: u64| Cell::number(count as f64, NumberFormat::Integer);
/// let table = Table::from_items("kernels", "What each kernel costs", &kernels)
///     .text("kernel", "Kernel", |kernel| &kernel.name)
///     .number("flops", "Work", "FLOP", |kernel| kernel.flops.map(integer))
///     .number("bytes", "Traffic", "B", |kernel| integer(kernel.bytes))
///     .build();
/// assert_eq!(table.rows[0], [Cell::text("Q"), Cell::Empty, integer(2_030_000)]);
/// ```
///
/// A value is a [`Cell`], a text, or an `Option` of one: `None` is an empty cell. The builder can be
/// kept in a variable: a column that some tables do not have is declared inside an `if`, and columns
/// that a list gives are declared inside a `for`.
#[must_use]
pub struct TableBuilder<T> {
    table: Table,
    items: Vec<T>,
}

impl Table {
    /// Begins a table with one row for each of `items`. [`TableBuilder`] shows how to declare its columns.
    pub fn from_items<T>(
        name: impl Into<String>,
        caption: impl Into<String>,
        items: impl IntoIterator<Item = T>,
    ) -> TableBuilder<T> {
        let items: Vec<T> = items.into_iter().collect();
        let rows = vec![Vec::new(); items.len()];
        let table = Self { name: name.into(), caption: caption.into(), columns: Vec::new(), rows };
        TableBuilder { table, items }
    }
}

impl<T> TableBuilder<T> {
    /// Adds a column of texts.
    pub fn text<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        heading: impl Into<String>,
        value: impl FnMut(&T) -> C,
    ) -> Self {
        self.column(Column::text(key, heading), value)
    }

    /// Adds a column of numbers in `unit`. The empty unit is a bare number.
    pub fn number<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        heading: impl Into<String>,
        unit: &str,
        value: impl FnMut(&T) -> C,
    ) -> Self {
        self.column(Column::number(key, heading, unit), value)
    }

    /// Adds a column of figures that are texts with units of their own, such as `1.5 ms`. They align to the right.
    pub fn figure<C: Into<Cell>>(
        self,
        key: impl Into<String>,
        heading: impl Into<String>,
        value: impl FnMut(&T) -> C,
    ) -> Self {
        self.column(Column { align: Align::Right, ..Column::text(key, heading) }, value)
    }

    /// Adds any other column.
    pub fn column<C: Into<Cell>>(mut self, column: Column, mut value: impl FnMut(&T) -> C) -> Self {
        self.table.columns.push(column);
        for (row, item) in self.table.rows.iter_mut().zip(&self.items) {
            row.push(value(item).into());
        }
        self
    }

    /// Drops the columns in which every cell so far is empty.
    pub fn without_empty_columns(mut self) -> Self {
        let rows = &self.table.rows;
        let filled: Vec<bool> = (0..self.table.columns.len())
            .map(|column| rows.iter().any(|row| row[column] != Cell::Empty))
            .collect();
        let mut keep = filled.iter();
        self.table.columns.retain(|_| keep.next() == Some(&true));
        for row in &mut self.table.rows {
            let mut keep = filled.iter();
            row.retain(|_| keep.next() == Some(&true));
        }
        self
    }

    /// The finished table.
    pub fn build(self) -> Table {
        self.table
    }

    /// The finished table; `None` where there are no items.
    pub fn build_unless_empty(self) -> Option<Table> {
        (!self.items.is_empty()).then_some(self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_can_depend_on_what_is_shown() {
        let axes = ["m", "n"];
        let points = [[1, 2], [3, 4]];
        let mut table = Table::from_items("sweep", "", &points);
        for (at, axis) in axes.iter().enumerate() {
            table = table.figure(*axis, *axis, |point| point[at].to_string());
        }
        let table = table.text("note", "Note", |_| None::<Cell>).build();
        let keys: Vec<&str> = table.columns.iter().map(|column| column.key.as_str()).collect();
        assert_eq!(keys, ["m", "n", "note"]);
        assert_eq!(table.rows[1], [Cell::text("3"), Cell::text("4"), Cell::Empty]);
        let filled = Table::from_items("t", "", [Some("x"), None])
            .text("empty", "", |_| Cell::Empty)
            .text("filled", "", |text| *text)
            .without_empty_columns()
            .build();
        assert_eq!(filled.columns[0].key, "filled");
        assert_eq!(filled.rows, [[Cell::text("x")], [Cell::Empty]]);
        let none: [u8; 0] = [];
        assert!(Table::from_items("t", "", none).build_unless_empty().is_none());
    }
}
