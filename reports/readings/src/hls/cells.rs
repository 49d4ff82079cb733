//! What a tool printed as cells: a word that is not a number stays that word.

use derate_hls::{Decimal, Figure, Located, Sources, Unparsed};
use derate_render::{Block, Cell, NumberFormat, TableBuilder};

pub(super) fn figure_cell(figure: Option<&Located<Figure>>) -> Cell {
    match figure.map(|located| &located.value) {
        None => Cell::Empty,
        Some(Figure::Known(value)) => Cell::number(*value as f64, NumberFormat::Integer),
        Some(other) => Cell::text(other.to_string()),
    }
}

pub(super) fn word_cell(text: Option<&Located<String>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(&located.value))
}

pub(super) fn decimal_cell(text: Option<&Located<Decimal>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(located.value.to_string()))
}

pub(super) fn yes_cell(says: Option<bool>) -> Cell {
    says.map_or(Cell::Empty, |yes| Cell::text(if yes { "yes" } else { "no" }))
}

/// A table without the columns that are empty; `None` without rows.
pub(super) fn filled_table<T>(table: TableBuilder<T>) -> Option<Block> {
    table.without_empty_columns().build_unless_empty().map(Block::Table)
}

/// The places that could not be read.
pub(super) fn unread_blocks(sources: &Sources, places: &[Unparsed]) -> Vec<Block> {
    let line = |place: &Unparsed| {
        format!(
            "{}:{}: not read: {}",
            sources.name(place.span.file),
            sources.position(place.span).line,
            place.reason
        )
    };
    places.iter().map(|place| Block::Prose(line(place))).collect()
}
