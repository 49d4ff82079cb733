//! The columns of a sheet, which all its tables share. The table with the most columns sets the widths; a column of another
//! table is merged from as many as it needs.

use super::widths::{column_widths, is_text};
use crate::Table;

/// A column of texts is wide enough at this share of its wished width.
const ENOUGH: f64 = 0.85;

/// A wider column is two for the other tables, and the first of them is this wide.
const BROAD: f64 = 40.0;
const FIRST: f64 = 24.0;

/// The columns of a sheet, in Excel's units.
pub(super) struct SheetColumns {
    widths: Vec<f64>,
}

/// The columns of the sheet that a column of a table covers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) width: f64,
}

pub(super) struct TableSite<'a> {
    pub(super) row: u32,
    /// What its columns cover.
    pub(super) spans: &'a [Span],
    /// The heights of its rows, that of the headings first.
    pub(super) heights: &'a [f64],
    /// Whether the document's formulas may refer to it.
    pub(super) known: bool,
}

impl SheetColumns {
    /// Columns that fit `tables`.
    pub(super) fn of(tables: &[&Table]) -> Self {
        let most = tables.iter().map(|table| table.columns.len()).max().unwrap_or(0);
        let kinds = |table: &Table| -> Vec<bool> {
            (0..table.columns.len()).map(|column| is_text(table, column)).collect()
        };
        let Some(widest) = tables.iter().find(|table| table.columns.len() == most) else {
            return Self { widths: Vec::new() };
        };
        let mut widths = column_widths(widest);
        let kind = kinds(widest);
        for table in tables.iter().filter(|table| kinds(table) == kind) {
            for (width, own) in widths.iter_mut().zip(column_widths(table)) {
                *width = width.max(own);
            }
        }
        if tables.len() > 1 {
            let parts =
                |width| if width > BROAD { vec![FIRST, width - FIRST] } else { vec![width] };
            widths = widths.into_iter().flat_map(parts).collect();
        }
        let mut grid = Self { widths };
        for table in tables {
            grid.fit_table(table);
        }
        grid
    }

    pub(super) fn widths(&self) -> &[f64] {
        &self.widths
    }

    /// The spans of the columns of one of the tables.
    pub(super) fn column_spans(&self, table: &Table) -> Vec<Span> {
        Self { widths: self.widths.clone() }.fit_table(table)
    }

    /// The same, with more columns where there are too few.
    fn fit_table(&mut self, table: &Table) -> Vec<Span> {
        let wishes = column_widths(table);
        let mut next = 0;
        let mut spans = Vec::new();
        for (column, wish) in wishes.into_iter().enumerate() {
            let need = if is_text(table, column) { wish * ENOUGH } else { wish };
            let first = next;
            let mut width = self.width_or_new(next, wish);
            next += 1;
            while width < need {
                width += self.width_or_new(next, wish - width);
                next += 1;
            }
            let place = |column: usize| u16::try_from(column).unwrap_or(u16::MAX);
            spans.push(Span { left: place(first), right: place(next - 1), width });
        }
        spans
    }

    /// The width of a column; a new one has `wish`.
    fn width_or_new(&mut self, column: usize, wish: f64) -> f64 {
        if column >= self.widths.len() {
            self.widths.push(wish.max(4.0));
        }
        self.widths.get(column).copied().unwrap_or(wish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column, NumberFormat};

    #[test]
    fn a_wide_text_runs_over_the_narrow_columns_of_another_table() {
        let number = |key: &str| Column::number(key, key, "");
        let figures = Table {
            name: "figures".to_owned(),
            caption: String::new(),
            columns: vec![Column::text("a", "A"), number("b"), number("c"), number("d")],
            rows: vec![vec![
                Cell::text("word"),
                Cell::number(1.0, NumberFormat::Integer),
                Cell::number(2.0, NumberFormat::Integer),
                Cell::number(3.0, NumberFormat::Integer),
            ]],
        };
        let texts = Table {
            name: "texts".to_owned(),
            caption: String::new(),
            columns: vec![Column::text("e", "E"), Column::text("f", "F")],
            rows: vec![vec![Cell::text("a dozen words"), Cell::text("word ".repeat(30))]],
        };
        let grid = SheetColumns::of(&[&texts, &figures]);
        let own = column_widths(&figures);
        assert_eq!(grid.widths()[..4], own[..], "numbers stay even");
        let spans = grid.column_spans(&texts);
        assert_eq!(spans[0].left, 0);
        assert!(spans[0].right > 0, "a dozen words need more than `word`: {spans:?}");
        assert_eq!(spans[1].left, spans[0].right + 1);
        assert!(spans[1].right > 3, "more columns than the figures have: {spans:?}");
        assert!(spans[1].width >= 0.85 * column_widths(&texts)[1]);
        assert_eq!(usize::from(spans[1].right) + 1, grid.widths().len());
    }
}
