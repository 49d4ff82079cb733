//! How wide columns and how high rows must be, in Excel's units: characters and points.

use unicode_width::UnicodeWidthStr;

use super::super::wrap::{longest_word, wrap};
use crate::{Cell, Column, Table};

/// The height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// A text column is not wider than this; longer texts wrap.
const WIDEST: usize = 52;

/// Text columns are squeezed down to this where a table would be wider than a page.
const NARROWEST: usize = 22;

/// What a landscape page holds without shrinking out of sight.
const PAGE: f64 = 160.0;

/// The air in a column: the indent, and what fonts differ.
const PADDING: f64 = 2.5;

/// How many letters stand in the room of a digit, by which Excel measures.
const LETTERS: f64 = 1.07;

/// Excel draws no row higher.
const HIGHEST: f64 = 400.0;

/// The widths of a table's columns.
pub(super) fn column_widths(table: &Table) -> Vec<f64> {
    let mut widths = capped_widths(table, WIDEST);
    for cap in (NARROWEST..WIDEST).rev() {
        if widths.iter().sum::<f64>() <= PAGE {
            break;
        }
        widths = capped_widths(table, cap);
    }
    widths
}

/// The same with texts wrapped at `cap`.
fn capped_widths(table: &Table, cap: usize) -> Vec<f64> {
    let columns = table.columns.iter().enumerate();
    let width = |(index, column): (usize, &Column)| {
        let heading = column.heading_with_unit();
        let two_lines = (longest_word(&heading)..=heading.width())
            .find(|&width| wrap(&heading, width).len() <= 2)
            .unwrap_or(heading.width());
        let natural = widest(table, index, |text| {
            text.lines().map(UnicodeWidthStr::width).max().unwrap_or(0)
        });
        let words = widest(table, index, longest_word).min(WIDEST);
        let capped = if is_text(table, index) { natural.min(cap.max(words)) } else { natural };
        // Bold headings need more room, and a filter's button stands in the corner.
        chars(capped.max(two_lines + 2)) + PADDING
    };
    columns.map(width).collect()
}

/// The height of a row of texts in columns of some widths.
pub(super) fn row_height<'a>(texts: impl Iterator<Item = (&'a str, f64)>) -> f64 {
    let lines = texts
        .map(|(text, width)| wrap(text, whole((width - PADDING) * LETTERS)).len())
        .max()
        .unwrap_or(1);
    (chars(lines.max(1)) * LINE).min(HIGHEST)
}

/// The widest cell of a column, as `measure` has it.
fn widest(table: &Table, column: usize, measure: impl Fn(&str) -> usize) -> usize {
    (0..table.rows.len()).map(|row| measure(&table.cell(row, column).display())).max().unwrap_or(0)
}

/// Whether a column may wrap.
pub(super) fn is_text(table: &Table, column: usize) -> bool {
    let mut cells = (0..table.rows.len()).map(|row| table.cell(row, column));
    !cells.any(|cell| matches!(cell, Cell::Number { .. } | Cell::Formula { .. }))
}

/// A count as a measure.
fn chars(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A measure as a count: the widths of Excel's columns end at 255.
fn whole(width: f64) -> usize {
    (1..=255_u32)
        .take_while(|&count| f64::from(count) <= width)
        .last()
        .map_or(1, |count| count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumberFormat;

    #[test]
    fn content_fits_and_long_text_wraps() {
        let table = Table {
            name: String::new(),
            caption: String::new(),
            columns: vec![Column::number("a", "Operations", "FLOP"), Column::text("b", "Message")],
            rows: vec![vec![
                Cell::number(4_730_880_000.0, NumberFormat::Integer),
                Cell::text("word ".repeat(40)),
            ]],
        };
        let widths = column_widths(&table);
        assert!(widths[0] >= 13.0 && widths[0] < 20.0);
        assert!((widths[1] - 54.5).abs() < 1e-9);
        let height = row_height([("word ".repeat(40).as_str(), widths[1])].into_iter());
        assert!((height - 4.0 * LINE).abs() < 1e-9, "{height}");
    }
}
