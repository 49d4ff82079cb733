//! Fits a table to the page: smaller type first, then a landscape page, then bands of columns.

use crate::{Align, Cell, Table};

/// The text width of a portrait page and of a landscape page, in points: A4 without margins.
const UPRIGHT: f64 = 481.0;
const ON_SIDE: f64 = 728.0;

/// Sizes of type in points, portrait and landscape.
const SIZES: [f64; 4] = [9.0, 8.5, 8.0, 7.5];
const SIDE_SIZES: [f64; 4] = [8.5, 8.0, 7.5, 7.0];

/// The room left and right of a cell, in ems.
const INSET: f64 = 1.0;

/// Words beyond this many ems are broken.
pub(super) const LONGEST_WORD: f64 = 14.0;

/// The greatest natural width of a text, in ems.
const LONGEST_TEXT: f64 = 60.0;

/// The share of the wished width that texts get before the type becomes smaller.
const EASE: f64 = 0.35;

/// Headings are heavier than cells.
const BOLD: f64 = 1.12;

/// The widths of a column in ems, without its inset.
#[derive(Debug, Clone, Copy)]
struct ColumnExtent {
    /// Breaks no word and no number.
    least: f64,
    /// Breaks no line, except in the heading.
    natural: f64,
    /// Breaks no line at all: the default of a column.
    alone: f64,
}

#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) size: f64,
    pub(super) flipped: bool,
    /// The columns of each band, from the first; more than one where not all fit beside one another.
    pub(super) bands: Vec<Vec<usize>>,
    /// Widths in ems of the columns that share the page's width; none where the table is narrower.
    pub(super) shares: Option<Vec<f64>>,
}

impl Layout {
    /// The first setting in which no word is broken.
    pub(super) fn of(table: &Table, side_at_hand: bool) -> Self {
        let extents: Vec<ColumnExtent> =
            (0..table.columns.len()).map(|at| measure_column(table, at)).collect();
        let least: f64 = extents.iter().map(|one| one.least + INSET).sum();
        let natural: f64 = extents.iter().map(|one| one.natural + INSET).sum();
        let alone: f64 = extents.iter().map(|one| one.alone + INSET).sum();
        // Long texts want a part of what they would take alone, and get smaller type for it, but no other page.
        let eased = least + EASE * (natural - least);
        let roomy = SIZES.map(|size| (size, false, UPRIGHT, eased));
        let upright = SIZES.map(|size| (size, false, UPRIGHT, least));
        let on_side = SIDE_SIZES.map(|size| (size, true, ON_SIDE, least));
        let upright = roomy.into_iter().chain(upright.into_iter().rev());
        let settings: Vec<_> =
            if side_at_hand { on_side.to_vec() } else { upright.chain(on_side).collect() };
        for (size, flipped, width, asked) in settings {
            if asked * size <= width {
                let shares = (alone * size > width).then(|| share_width(&extents, width / size));
                let bands = vec![(0..extents.len()).collect()];
                return Self { size, flipped, bands, shares };
            }
        }
        let [.., size] = SIDE_SIZES;
        Self {
            size,
            flipped: true,
            bands: split_into_bands(&extents, ON_SIDE / size),
            shares: None,
        }
    }
}

/// The widths that a column needs.
fn measure_column(table: &Table, column: usize) -> ColumnExtent {
    let heading = table.columns.get(column).map(crate::Column::heading_with_unit);
    let right = table.columns.get(column).is_some_and(|column| column.align == Align::Right);
    let head = heading.unwrap_or_default();
    let word = longest_word(&head) * BOLD;
    let alone = text_ems(&head) * BOLD;
    let mut extent = ColumnExtent { least: word, natural: (alone / 2.0).max(word), alone };
    for row in 0..table.rows.len() {
        let cell = table.cell(row, column);
        let text = shown_text(cell);
        let unbroken = matches!(cell, Cell::Status(..))
            || right && !matches!(cell, Cell::Text(_) | Cell::Total(_));
        let least = if unbroken { text_ems(&text).min(LONGEST_WORD) } else { longest_word(&text) };
        extent.least = extent.least.max(least);
        let text = text_ems(&text);
        extent.natural = extent.natural.max(text.min(LONGEST_TEXT)).max(least);
        extent.alone = extent.alone.max(text);
    }
    extent
}

/// The text of a cell in the paper; reasons are below the table.
fn shown_text(cell: &Cell) -> String {
    match cell {
        Cell::Unknown(_) => "unknown 12".to_owned(),
        Cell::Status(_, text) => format!("oo {text}"),
        cell => cell.display(),
    }
}

fn longest_word(text: &str) -> f64 {
    text.split_whitespace().map(|word| text_ems(word).min(LONGEST_WORD)).fold(0.0, f64::max)
}

/// How wide a text is in the paper's type, guessed from above.
pub(super) fn text_ems(text: &str) -> f64 {
    text.chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.3,
            'f' | 't' | 'r' | 's' | '(' | ')' | '[' | ']' | '/' | '-' | 'I' => 0.42,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.9,
            'A'..='Z' => 0.68,
            c if c.is_ascii() => 0.53,
            _ => 1.0,
        })
        .sum()
}

/// Divides `width` ems: every column gets its least width, and a share of the rest.
fn share_width(extents: &[ColumnExtent], width: f64) -> Vec<f64> {
    let least: f64 = extents.iter().map(|one| one.least + INSET).sum();
    let wished: f64 = extents.iter().map(|one| one.natural - one.least).sum();
    let factor = if wished > 0.0 { (width - least).max(0.0) / wished } else { 0.0 };
    extents.iter().map(|one| one.least + INSET + (one.natural - one.least) * factor).collect()
}

/// As few bands as hold the columns, each with the first column again.
fn split_into_bands(extents: &[ColumnExtent], width: f64) -> Vec<Vec<usize>> {
    let wide = |at: usize| extents.get(at).map_or(0.0, |one| one.least + INSET);
    let mut bands: Vec<Vec<usize>> = Vec::new();
    let mut used = f64::INFINITY;
    for at in 1..extents.len() {
        if used + wide(at) > width {
            bands.push(vec![0]);
            used = wide(0);
        }
        used += wide(at);
        if let Some(band) = bands.last_mut() {
            band.push(at);
        }
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, NumberFormat};

    fn table(columns: usize) -> Table {
        let number = |_| Cell::number(1_234_567_890.0, NumberFormat::Integer);
        Table {
            name: "wide".to_owned(),
            caption: String::new(),
            columns: (0..columns)
                .map(|at| Column::number(format!("c{at}"), "Bytes", "B"))
                .collect(),
            rows: vec![(0..columns).map(number).collect()],
        }
    }

    #[test]
    fn columns_that_do_not_fit_alone_share_the_width() {
        let mut table = table(9);
        for column in &mut table.columns {
            column.heading = "A heading of many words".to_owned();
        }
        let layout = Layout::of(&table, false);
        let width = if layout.flipped { ON_SIDE } else { UPRIGHT };
        let headings = 9.0 * text_ems("A heading of many words (B)") * BOLD * layout.size;
        assert!(headings > width, "the paper would squeeze them");
        let shares = layout.shares.expect("told how wide each is");
        assert!(shares.iter().sum::<f64>() * layout.size <= width * 1.001);
        assert!(shares.iter().all(|share| *share >= text_ems("1,234,567,890")), "{shares:?}");
    }

    #[test]
    fn a_wide_table_gets_smaller_type_then_another_page_then_bands() {
        let small = Layout::of(&table(4), false);
        assert!((small.size - 9.0).abs() < 1e-9 && !small.flipped && small.shares.is_none());
        let tight = Layout::of(&table(8), false);
        assert!(tight.size < 9.0 && !tight.flipped, "{tight:?}");
        assert!(Layout::of(&table(11), false).flipped);
        let bands = Layout::of(&table(40), false).bands;
        assert!(bands.len() > 1 && bands.iter().all(|band| band[0] == 0), "{bands:?}");
        let mut all: Vec<usize> = bands.into_iter().flatten().filter(|&at| at > 0).collect();
        all.dedup();
        assert_eq!(all, (1..40).collect::<Vec<_>>());
    }
}
