//! How wide columns and how high rows must be, in Excel's units: characters and points.

use unicode_width::UnicodeWidthStr;

use super::super::wrap::{longest_word, two_line_width, wrap_words};
use crate::{Allowed, Cell, Column, Formula, Function, Input, Table, Value};

/// The height of a line of text.
pub(super) const LINE: f64 = 15.0;

/// A text column is not wider than this; longer texts wrap.
const WIDEST: usize = 52;

/// The width of text columns in a table that is too wide for a page.
const NARROWEST: usize = 30;

/// A text in a column of numbers wraps at this width.
const AMONG_NUMBERS: usize = 20;

/// A table with more columns has figures in most of them.
const MOST_TEXTS: usize = 8;

/// The width of a landscape page that is still readable.
const PAGE: f64 = 190.0;

/// The padding of a column: the indent, and a reserve because fonts differ.
const PADDING: f64 = 2.5;

/// The number of letters in the width of a digit, which is the unit of Excel.
const LETTERS: f64 = 1.2;

/// The greatest height of a row in Excel.
const HIGHEST: f64 = 400.0;

/// The widths that a column needs.
struct ColumnNeed {
    /// The room of the heading on two lines.
    heading: usize,
    /// The room of the cells on one line.
    cells: usize,
    /// The room of the longest word, or of everything where nothing may wrap.
    least: usize,
    /// How long the longest text is in all its lines.
    longest: usize,
}

impl ColumnNeed {
    fn of(table: &Table, index: usize, column: &Column) -> Self {
        let heading = two_line_width(&column.heading_with_unit(), WIDEST);
        let text = is_text(table, index);
        let last = index + 1 == table.columns.len();
        let sizing_text = |cell: &Cell| {
            if last && can_grow(cell) { cell.display() } else { longest_text(cell) }
        };
        let width = |cell: &Cell| {
            let shown = sizing_text(cell);
            let width = shown.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
            // Words among numbers wrap: they do not widen the column.
            match cell {
                Cell::Text(_)
                | Cell::Total(_)
                | Cell::Link { .. }
                | Cell::Unknown(_)
                | Cell::Status(..)
                    if !text =>
                {
                    width.min(longest_word(&shown).max(AMONG_NUMBERS))
                }
                _ => width,
            }
        };
        let cells =
            (0..table.rows.len()).map(|row| width(table.cell(row, index))).max().unwrap_or(0);
        let shown = || (0..table.rows.len()).map(|row| sizing_text(table.cell(row, index)));
        let words = || shown().map(|text| longest_word(&text)).max().unwrap_or(0).min(WIDEST);
        let least = if text { words() } else { cells };
        let longest = shown().map(|text| text.width()).max().unwrap_or(0);
        Self { heading, cells, least, longest }
    }

    /// The width where texts wrap at `cap`.
    fn width_at(&self, cap: usize) -> f64 {
        // Bold headings need more room, and a filter has a button in the corner.
        let heading = self.heading + self.heading / 8 + 2;
        self.cells.min(cap.max(self.least)).max(heading) as f64 + PADDING
    }
}

pub(super) fn column_widths(table: &Table) -> Vec<f64> {
    let columns = table.columns.iter().enumerate();
    let needs: Vec<ColumnNeed> =
        columns.map(|(index, column)| ColumnNeed::of(table, index, column)).collect();
    // The name of a row is on one line, so that the row is not higher than its figures.
    let names = |at: usize| at == 0 && table.columns.len() > MOST_TEXTS;
    let width =
        |(at, need): (usize, &ColumnNeed), cap| need.width_at(if names(at) { WIDEST } else { cap });
    let at =
        |cap: usize| needs.iter().enumerate().map(|need| width(need, cap)).collect::<Vec<f64>>();
    let fits = |cap: &usize| at(*cap).iter().sum::<f64>() <= PAGE;
    match (NARROWEST..=WIDEST).rev().find(fits) {
        Some(cap) => at(cap),
        None if (0..table.columns.len()).all(|column| is_text(table, column)) => share_page(&needs),
        None => at(NARROWEST),
    }
}

/// The widths of columns of texts that share a page: the longer a text, the more of it, so that rows are not high.
fn share_page(needs: &[ColumnNeed]) -> Vec<f64> {
    let short = |need: &&ColumnNeed| need.longest <= NARROWEST;
    let taken: f64 = needs.iter().filter(short).map(|need| need.width_at(NARROWEST)).sum();
    let weight = |need: &ColumnNeed| (need.longest as f64).sqrt();
    let all: f64 = needs.iter().filter(|need| !short(need)).map(weight).sum();
    let width = |need: &ColumnNeed| {
        let least = need.width_at(need.least);
        if short(&need) {
            need.width_at(NARROWEST)
        } else {
            least.max((PAGE - taken) * weight(need) / all)
        }
    };
    needs.iter().map(width).collect()
}

/// The height of a row of texts in columns of some widths.
pub(super) fn row_height<'a>(texts: impl Iterator<Item = (&'a str, f64)>) -> f64 {
    let lines = texts
        .map(|(text, width)| wrap_words(text, to_count((width - PADDING) * LETTERS)).len())
        .max()
        .unwrap_or(1);
    (lines.max(1) as f64 * LINE).min(HIGHEST)
}

/// The longest text that a cell may show.
pub(super) fn longest_text(cell: &Cell) -> String {
    let shown = cell.display();
    match cell {
        // A figure that changes may need more digits.
        Cell::Formula { value: Value::Number(_), .. }
        | Cell::Input(Input { value: Value::Number(_), .. }) => shown + "00",
        Cell::Formula { formula, .. } => {
            let words = formula_words(formula).into_iter().map(str::to_owned);
            words.chain([shown]).max_by_key(|text| text.width()).unwrap_or_default()
        }
        Cell::Input(Input { allowed: Allowed::OneOf(texts), .. }) => {
            let texts = texts.iter().max_by_key(|text| text.width()).cloned().unwrap_or_default();
            // A button is beside it.
            texts + "00"
        }
        _ => shown,
    }
}

/// The texts that a formula contains as results.
fn formula_words(formula: &Formula) -> Vec<&str> {
    let mut words = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Text(text) => words.push(text.as_str()),
            Formula::Call(Function::If, operands) => open.extend(operands.iter().skip(1)),
            Formula::Call(Function::Known, operands) => open.extend(operands),
            _ => {}
        }
    }
    words
}

/// Whether a formula may give a longer text than it does now: in the last column there is room for that on the right.
pub(super) fn can_grow(cell: &Cell) -> bool {
    matches!(cell, Cell::Formula { value: Value::Text(now), .. } if longest_text(cell).width() > now.width())
}

/// Whether a column may wrap.
pub(super) fn is_text(table: &Table, column: usize) -> bool {
    let mut cells = (0..table.rows.len()).map(|row| table.cell(row, column));
    !cells.any(|cell| match cell {
        Cell::Number { .. } => true,
        Cell::Formula { value, .. } | Cell::Input(Input { value, .. }) => value.number().is_some(),
        _ => false,
    })
}

/// A measure as a count: the widths of Excel's columns end at 255.
fn to_count(width: f64) -> usize {
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
