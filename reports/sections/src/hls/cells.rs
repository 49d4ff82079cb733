//! What a tool printed as cells: a word that is no number stays that word.

use derate_hls::{Decimal, Figure, Located, Sources, Unparsed};
use derate_render::{Block, Cell, Column, NumberFormat, Table};

pub(super) fn figure(figure: Option<&Located<Figure>>) -> Cell {
    match figure.map(|located| &located.value) {
        None => Cell::Empty,
        Some(Figure::Known(value)) => Cell::number(*value as f64, NumberFormat::Integer),
        Some(other) => Cell::text(other.to_string()),
    }
}

pub(super) fn word(text: Option<&Located<String>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(&located.value))
}

pub(super) fn decimal(text: Option<&Located<Decimal>>) -> Cell {
    text.map_or(Cell::Empty, |located| Cell::text(located.value.to_string()))
}

pub(super) fn yes(says: Option<bool>) -> Cell {
    says.map_or(Cell::Empty, |yes| Cell::text(if yes { "yes" } else { "no" }))
}

/// Columns of text, each named by its heading.
pub(super) fn texts(headings: &[&str]) -> Vec<Column> {
    headings.iter().map(|heading| Column::text(*heading, *heading)).collect()
}

/// A table without the columns that say nothing; none at all without rows.
pub(super) fn table(
    name: &str,
    caption: &str,
    columns: Vec<Column>,
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Option<Block> {
    let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
    let says = |index: usize| rows.iter().any(|row| row.get(index) != Some(&Cell::Empty));
    let kept: Vec<bool> = (0..columns.len()).map(says).collect();
    (!rows.is_empty()).then(|| {
        Block::Table(Table {
            name: name.to_owned(),
            caption: caption.to_owned(),
            columns: keep(&kept, columns),
            rows: rows.into_iter().map(|row| keep(&kept, row)).collect(),
        })
    })
}

fn keep<T>(kept: &[bool], all: Vec<T>) -> Vec<T> {
    all.into_iter().zip(kept).filter_map(|(one, keep)| keep.then_some(one)).collect()
}

/// The places that could not be read.
pub(super) fn unread(sources: &Sources, places: &[Unparsed]) -> Vec<Block> {
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
