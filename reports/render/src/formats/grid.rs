//! Aligned columns for a terminal.
//!
//! A table that is too wide first wraps its texts at words, then stacks its columns in bands that repeat the first
//! column; numbers are never broken.

use unicode_width::UnicodeWidthStr;

use super::plain::one_line;
use super::style::{Style, status_sign};
use super::wrap::{cut_middle, longest_word, two_line_width, wrap_words};
use crate::{Align, Cell, Column, Table};

/// The space between columns.
const GAP: &str = "  ";

/// The least width of a text column.
const NARROWEST_TEXT: usize = 14;

/// A longer word may be cut.
const LONGEST_WORD: usize = 28;

/// Lays out `table` in `width` columns; the reasons of unknown figures follow as numbered notes.
pub(super) fn draw_grid(table: &Table, color: bool, width: usize) -> String {
    let mut reasons = Vec::new();
    let columns: Vec<TextColumn> =
        (0..table.columns.len()).map(|index| TextColumn::of(table, index, &mut reasons)).collect();
    let bands = split_into_bands(&columns, width);
    let mut out =
        bands.iter().map(|band| draw_band(band, width, color)).collect::<Vec<_>>().join("\n");
    for (index, reason) in reasons.iter().enumerate() {
        let note = format!("[{}] {reason}", index + 1);
        for line in wrap_words(&note, width) {
            out.push_str(&Style::Dim.paint(&line, color));
            out.push('\n');
        }
    }
    out
}

/// A column, ready to be laid out.
struct TextColumn {
    heading: String,
    unit: String,
    cells: Vec<(String, Style)>,
    align: Align,
    /// The width that breaks nothing.
    natural: usize,
    /// The width below which words or numbers would be cut.
    least: usize,
}

impl TextColumn {
    /// The column at `index`; new reasons for unknown figures are added to `reasons`.
    fn of(table: &Table, index: usize, reasons: &mut Vec<String>) -> Self {
        let Column { heading, unit, align, .. } = &table.columns[index];
        let (heading, unit) =
            (one_line(heading), unit.as_deref().map(one_line).unwrap_or_default());
        let cells: Vec<_> =
            (0..table.rows.len()).map(|row| style_cell(table, row, index, reasons)).collect();
        let texts = (0..table.rows.len()).all(|row| {
            !matches!(table.cell(row, index), Cell::Number { .. } | Cell::Formula { .. })
        });
        let head = longest_word(&heading).min(LONGEST_WORD).max(unit.width());
        let widest = cells.iter().map(|(text, _)| text.width()).max().unwrap_or(0);
        let words = cells.iter().map(|(text, _)| longest_word(text)).max().unwrap_or(0);
        let least =
            if texts { words.min(LONGEST_WORD).max(NARROWEST_TEXT.min(widest)) } else { widest };
        let two_lines = two_line_width(&heading, LONGEST_WORD).max(head);
        Self {
            heading,
            unit,
            cells,
            align: *align,
            natural: two_lines.max(widest),
            least: head.max(least),
        }
    }

    /// The heading's lines in `width` columns: words, then the unit.
    fn heading_lines(&self, width: usize) -> Vec<String> {
        let mut lines = wrap_words(&self.heading, width);
        if !self.unit.is_empty() {
            lines.push(self.unit.clone());
        }
        lines
    }
}

fn style_cell(
    table: &Table,
    row: usize,
    column: usize,
    reasons: &mut Vec<String>,
) -> (String, Style) {
    match table.cell(row, column) {
        Cell::Unknown(reason) if reason.is_empty() => ("unknown".to_owned(), Style::Dim),
        Cell::Unknown(reason) => {
            let reason = one_line(reason);
            let known = reasons.iter().position(|other| *other == reason);
            let index = known.unwrap_or_else(|| {
                reasons.push(reason);
                reasons.len() - 1
            });
            (format!("unknown [{}]", index + 1), Style::Dim)
        }
        Cell::Status(level, text) => {
            (format!("{} {}", status_sign(*level), one_line(text)), Style::Level(*level))
        }
        cell => {
            let style = if table.is_total(row) { Style::Bold } else { Style::Plain };
            (one_line(&cell.display()), style)
        }
    }
}

/// Distributes the columns over as few bands as hold their least widths.
fn split_into_bands(columns: &[TextColumn], width: usize) -> Vec<Vec<&TextColumn>> {
    let Some((first, rest)) = columns.split_first() else { return Vec::new() };
    let mut bands = Vec::new();
    let mut band = vec![first];
    let mut used = first.least;
    for column in rest {
        if used + GAP.len() + column.least > width && band.len() > 1 {
            bands.push(std::mem::replace(&mut band, vec![first]));
            used = first.least;
        }
        used += GAP.len() + column.least;
        band.push(column);
    }
    bands.push(band);
    bands
}

/// The widths of a band's columns: natural where they fit, else the widest are squeezed.
fn fit_widths(band: &[&TextColumn], width: usize) -> Vec<usize> {
    let mut widths: Vec<usize> =
        band.iter().map(|column| column.natural.max(column.least)).collect();
    let gaps = GAP.len() * band.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let squeezable = widths
            .iter()
            .zip(band)
            .enumerate()
            .filter(|(_, (width, column))| **width > column.least);
        let Some((widest, _)) = squeezable.max_by_key(|(_, (width, _))| **width) else { break };
        widths[widest] -= 1;
    }
    widths
}

/// Draws a band: headings, a rule, rows.
fn draw_band(band: &[&TextColumn], width: usize, color: bool) -> String {
    let widths = fit_widths(band, width);
    let heads: Vec<_> =
        band.iter().zip(&widths).map(|(column, width)| column.heading_lines(*width)).collect();
    let height = heads.iter().map(Vec::len).max().unwrap_or(0);
    let mut out = String::new();
    for line in 0..height {
        // Headings are aligned with the rule below them.
        let pieces = heads.iter().map(|head| {
            let text = (line + head.len()).checked_sub(height).and_then(|index| head.get(index));
            (text.cloned().unwrap_or_default(), Style::Bold)
        });
        push_line(pieces.collect(), band, &widths, color, &mut out);
    }
    let rules = widths.iter().map(|width| ("─".repeat(*width), Style::Dim)).collect();
    push_line(rules, band, &widths, color, &mut out);
    for row in 0..band.first().map_or(0, |column| column.cells.len()) {
        let cells: Vec<_> = band
            .iter()
            .zip(&widths)
            .map(|(column, width)| {
                column.cells.get(row).map(|(text, style)| (wrap_words(text, *width), *style))
            })
            .collect();
        let height = cells.iter().flatten().map(|(lines, _)| lines.len()).max().unwrap_or(0);
        for line in 0..height {
            let pieces = cells.iter().map(|cell| match cell {
                Some((lines, style)) => (lines.get(line).cloned().unwrap_or_default(), *style),
                None => (String::new(), Style::Plain),
            });
            push_line(pieces.collect(), band, &widths, color, &mut out);
        }
    }
    out
}

/// Appends one line of aligned pieces, without blanks at its end.
fn push_line(
    pieces: Vec<(String, Style)>,
    band: &[&TextColumn],
    widths: &[usize],
    color: bool,
    out: &mut String,
) {
    let mut blanks = 0;
    for (index, ((text, style), (column, width))) in
        pieces.into_iter().zip(band.iter().zip(widths)).enumerate()
    {
        let text = cut_middle(&text, *width);
        let space = width.saturating_sub(text.width());
        let before = match column.align {
            Align::Left => 0,
            Align::Right => space,
            Align::Center => space / 2,
        };
        blanks += before + if index > 0 { GAP.len() } else { 0 };
        if text.is_empty() {
            blanks += space - before;
            continue;
        }
        out.extend(std::iter::repeat_n(' ', blanks));
        out.push_str(&style.paint(&text, color));
        blanks = space - before;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumberFormat;
    use proptest::prelude::*;

    fn table(columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Table {
        Table { name: String::new(), caption: String::new(), columns, rows }
    }

    #[test]
    fn a_reason_is_given_once() {
        let unknown = || Cell::Unknown("no synthesis report".to_owned());
        let table = table(
            vec![Column::text("k", "Kernel"), Column::number("l", "Latency", "ms")],
            vec![
                vec![Cell::text("Q"), unknown()],
                vec![Cell::text("K"), Cell::number(1.25, NumberFormat::Fixed(2))],
                vec![Cell::text("V"), unknown()],
            ],
        );
        insta::assert_snapshot!(draw_grid(&table, false, 80), @"
                    Latency
        Kernel           ms
        ──────  ───────────
        Q       unknown [1]
        K              1.25
        V       unknown [1]
        [1] no synthesis report
        ");
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(draw_grid(&table(vec![], vec![vec![Cell::text("x")]]), false, 80), "");
    }

    proptest! {
        #[test]
        fn numbers_are_never_cut(values in prop::collection::vec(-1e12_f64..1e12, 1..12), width in 48_usize..100) {
            let format = NumberFormat::Fixed(3);
            let columns = (0..values.len()).map(|index| Column::number(index.to_string(), "A rate", "GB/s"));
            let row = values.iter().map(|value| Cell::number(*value, format)).collect();
            let text = draw_grid(&table(columns.collect(), vec![row]), false, width);
            for value in values {
                prop_assert!(text.contains(&crate::format_number(value, format)));
            }
            for line in text.lines() {
                prop_assert!(line.width() <= width, "{}", line);
            }
        }

        #[test]
        fn no_line_is_too_wide(cells in prop::collection::vec("[ -~µ日]{0,40}", 1..9), width in 60_usize..120) {
            let columns = (0..cells.len()).map(|index| Column::text(index.to_string(), "Heading"));
            let row = cells.iter().map(Cell::text).collect();
            for line in draw_grid(&table(columns.collect(), vec![row]), false, width).lines() {
                prop_assert!(line.width() <= width, "{}", line);
            }
        }
    }
}
