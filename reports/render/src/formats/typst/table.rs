//! Tables of the paper.

use std::borrow::Cow;

use super::layout::{LONGEST_WORD, Layout, ems};
use super::literal::{array, line, lines};
use crate::{Align, Cell, Table};

/// Writes `table` in the setting that `layout` found.
pub(super) fn push(table: &Table, layout: &Layout, out: &mut String) {
    for (index, band) in layout.bands.iter().enumerate() {
        let caption = match index {
            _ if table.caption.is_empty() => "none".to_owned(),
            0 => lines(&table.caption),
            _ => line("The same, further columns."),
        };
        push_band(table, layout, band, &caption, out);
    }
}

/// The columns of one band.
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
    let head: Vec<String> = columns().map(|column| line(&column.heading_with_unit())).collect();
    let mut notes = Vec::new();
    let mut rows = String::new();
    for row in 0..table.rows.len() {
        let cells: Vec<String> =
            band.iter().map(|&column| cell(table.cell(row, column), &mut notes)).collect();
        rows.push_str("  ");
        rows.push_str(&cells.join(", "));
        rows.push_str(",\n");
    }
    let setting = format!(
        "#listing({}pt, {}, {}, {}, {caption}, {}, {},\n",
        layout.size,
        is_short(table),
        array(&widths),
        array(&aligns),
        array(&head),
        array(&notes)
    );
    out.push_str(&[&setting, rows.as_str(), ")\n\n"].concat());
}

/// A table of so many rows, with so many characters below one another, fits a page however it is set.
const SHORT_ROWS: usize = 14;
const SHORT_TEXT: usize = 900;

/// Whether a table need not go on over the page.
fn is_short(table: &Table) -> bool {
    let longest = |row: usize| {
        let texts = (0..table.columns.len()).map(|at| table.cell(row, at).display());
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    table.rows.len() <= SHORT_ROWS
        && (0..table.rows.len()).map(longest).sum::<usize>() <= SHORT_TEXT
}

/// One cell; new reasons for unknown figures are added to `notes`.
fn cell(cell: &Cell, notes: &mut Vec<String>) -> String {
    match cell {
        Cell::Unknown(reason) if reason.is_empty() => "unknown(none)".to_owned(),
        Cell::Unknown(reason) => {
            let reason = line(reason);
            let known = notes.iter().position(|other| *other == reason);
            let index = known.unwrap_or_else(|| {
                notes.push(reason);
                notes.len() - 1
            });
            format!("unknown({})", index + 1)
        }
        Cell::Status(level, text) => {
            format!("status(\"{}\", {})", level.name(), line(&breakable(text)))
        }
        cell => lines(&breakable(&cell.display())),
    }
}

/// `text` with places in its longest words where a line may end: a word without one runs over the next column.
fn breakable(text: &str) -> Cow<'_, str> {
    if text.split_whitespace().all(|word| ems(word) <= LONGEST_WORD) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut used = 0.0;
    for word in text.split_inclusive(char::is_whitespace) {
        let long = ems(word.trim_end()) > LONGEST_WORD;
        for c in word.chars() {
            let width = ems(c.encode_utf8(&mut [0; 4]));
            used += width;
            // Between two of its parts, or else in one that is too long itself.
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

/// A space without a width: a line may end there.
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
            let broken = breakable(text);
            assert_eq!(broken.replace(BREAK, ""), text);
            let pieces = broken.split([BREAK, ' ']);
            assert!(pieces.clone().all(|piece| ems(piece) <= LONGEST_WORD), "{broken:?}");
            assert_eq!(
                pieces.count() > text.split(' ').count(),
                text != "short words stay as they are"
            );
        }
    }
}
