//! Tables of the paper.

use std::borrow::Cow;

use super::layout::{LONGEST_WORD, Layout, text_ems};
use super::literal::{array_literal, line_literal, lines_literal};
use crate::{Align, Cell, Table};

/// Writes `table` in the setting that `layout` found.
pub(super) fn push_table(table: &Table, layout: &Layout, out: &mut String) {
    for (index, band) in layout.bands.iter().enumerate() {
        let caption = match index {
            _ if table.caption.is_empty() => "none".to_owned(),
            0 => lines_literal(&table.caption),
            _ => line_literal("The same, further columns."),
        };
        push_band(table, layout, band, &caption, out);
    }
}

fn push_band(table: &Table, layout: &Layout, band: &[usize], caption: &str, out: &mut String) {
    let widths: Vec<String> = match &layout.shares {
        Some(shares) => shares.iter().map(|share| format!("{share:.2}fr")).collect(),
        None => band.iter().map(|_| "auto".to_owned()).collect(),
    };
    let columns = || band.iter().filter_map(|&at| table.columns.get(at));
    let aligns: Vec<String> = columns()
        .map(|column| match column.align {
            Align::Left => "left".to_owned(),
            Align::Right => "right".to_owned(),
            Align::Center => "center".to_owned(),
        })
        .collect();
    let head: Vec<String> =
        columns().map(|column| line_literal(&column.heading_with_unit())).collect();
    let mut notes = Vec::new();
    let mut rows = String::new();
    for row in 0..table.rows.len() {
        let total = table.is_total(row);
        let cells = band.iter().map(|&column| {
            let cell = format_cell(table.cell(row, column), &mut notes);
            if total { format!("strong({cell})") } else { cell }
        });
        let cells: Vec<String> = cells.collect();
        rows.push_str("  ");
        rows.push_str(&cells.join(", "));
        rows.push_str(",\n");
    }
    let setting = format!(
        "#listing({}pt, {}, {}, {}, {caption}, {}, {},\n",
        layout.size,
        is_short(table),
        array_literal(&widths),
        array_literal(&aligns),
        array_literal(&head),
        array_literal(&notes)
    );
    out.push_str(&[&setting, rows.as_str(), ")\n\n"].concat());
}

/// A table with at most this many rows and characters fits a page.
const SHORT_ROWS: usize = 14;
const SHORT_TEXT: usize = 900;

/// Whether a table fits a page.
fn is_short(table: &Table) -> bool {
    let longest = |row: usize| {
        let texts = (0..table.columns.len()).map(|at| table.cell(row, at).display());
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    table.rows.len() <= SHORT_ROWS
        && (0..table.rows.len()).map(longest).sum::<usize>() <= SHORT_TEXT
}

/// One cell; new reasons for unknown figures are added to `notes`.
fn format_cell(cell: &Cell, notes: &mut Vec<String>) -> String {
    match cell {
        Cell::Unknown(reason) if reason.is_empty() => "unknown(none)".to_owned(),
        Cell::Unknown(reason) => {
            let reason = line_literal(reason);
            let known = notes.iter().position(|other| *other == reason);
            let index = known.unwrap_or_else(|| {
                notes.push(reason);
                notes.len() - 1
            });
            format!("unknown({})", index + 1)
        }
        Cell::Status(level, text) => {
            format!("status(\"{}\", {})", level.name(), line_literal(&make_breakable(text)))
        }
        cell => lines_literal(&make_breakable(&cell.display())),
    }
}

/// `text` with break points in its longest words: a word without one would overlap the next column.
fn make_breakable(text: &str) -> Cow<'_, str> {
    if text.split_whitespace().all(|word| text_ems(word) <= LONGEST_WORD) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut used = 0.0;
    for word in text.split_inclusive(char::is_whitespace) {
        let long = text_ems(word.trim_end()) > LONGEST_WORD;
        for c in word.chars() {
            let width = text_ems(c.encode_utf8(&mut [0; 4]));
            used += width;
            // Between two parts of the word, or inside a part that is too long.
            if long && used > LONGEST_WORD {
                out.push(BREAK);
                used = width;
            }
            out.push(c);
            if long && matches!(c, '.' | '_' | '/' | '-' | ':' | ',' | '*' | '(') {
                out.push(BREAK);
                used = 0.0;
            }
        }
        used = 0.0;
    }
    Cow::Owned(out)
}

/// A zero-width space: a line may break there.
const BREAK: char = '\u{200b}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_piece_of_a_word_is_wider_than_its_column_may_be() {
        let name = "vision_encoder.layers.*.attention.out_projection: the same";
        for text in
            [name, &"x".repeat(200), "short words stay as they are", "äöü".repeat(30).as_str()]
        {
            let broken = make_breakable(text);
            assert_eq!(broken.replace(BREAK, ""), text);
            let pieces = broken.split([BREAK, ' ']);
            assert!(pieces.clone().all(|piece| text_ems(piece) <= LONGEST_WORD), "{broken:?}");
            assert_eq!(
                pieces.count() > text.split(' ').count(),
                text != "short words stay as they are"
            );
        }
    }
}
