//! Rows of cells between pipes: Markdown tables, and lines such as
//! `3. model.norm.weight | shape: 4096 | type: F32`.
//!
//! A heading row decides what the columns are; without one, each cell shows by its form what it
//! is. Text around the rows is passed over.

use std::iter;

use super::builder::{DumpBuilder, FoundTensor};
use super::columns::{self, ColumnRole};
use super::dims::{self, DimsError, clip_text};
use super::dtype::{self, Dtype};
use super::entry;
use super::entry_error::NoEntry;
use super::grouping::Grouping;
use super::line::{TextLine, split_lines};
use super::totals::{self, Total};
use super::{DumpFormat, ProblemKind, cell, entry_name, expand};

/// The cells of a row; `None` for a line that is none.
fn split_cells(line: &str) -> Option<Vec<&str>> {
    let line = line.trim();
    if !line.contains('|') {
        return None;
    }
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = line.strip_suffix('|').unwrap_or(line);
    Some(line.split('|').map(str::trim).collect())
}

/// Which of the two forms a line has, if it is a row with a name and a shape.
pub(super) fn row_form(line: &str) -> Option<DumpFormat> {
    let cells = split_cells(line)?;
    let shaped = cells
        .iter()
        .any(|cell| cell::read_shape(cell, Grouping::Spaces).is_some_and(|shape| shape.is_ok()));
    let named = cells.iter().any(|cell| find_name(cell).is_some());
    let form =
        if line.trim_start().starts_with('|') { DumpFormat::Markdown } else { DumpFormat::Pipe };
    (shaped && named).then_some(form)
}

/// The parameter name in a cell, without a number or a label before it.
fn find_name(cell: &str) -> Option<&str> {
    let text = entry_name::strip_label(entry_name::strip_ordinal(cell::strip_marks(cell)));
    let text = cell::strip_marks(text).trim_matches(['"', '\'']);
    // `norm.weight (final)`: a remark in brackets is not part of the name.
    let text = text.split_once(" (").map_or(text, |(name, _)| cell::strip_marks(name));
    let other =
        dtype::judge_word(text) != Dtype::No || cell::read_shape(text, Grouping::Spaces).is_some();
    (entry_name::is_name(text) && !other).then_some(text)
}

/// Reads every row.
pub(super) fn read_table(text: &str, builder: &mut DumpBuilder) {
    let grouping = Grouping::of(text);
    let mut roles: Option<Vec<ColumnRole>> = None;
    let mut shapes: Option<Option<ColumnPlace>> = None;
    let mut all = split_lines(text);
    while let Some(line) = all.next() {
        let Some(cells) = split_cells(line.text) else {
            (roles, shapes) = (None, None);
            read_outside(line, builder);
            continue;
        };
        let shapes = *shapes.get_or_insert_with(|| shapes_of(iter::once(line).chain(all.clone())));
        if cells.iter().all(|cell| cell.bytes().all(|b| matches!(b, b'-' | b':' | b' ' | b'='))) {
            continue;
        }
        if let Some(heading) = columns::read_heading(&cells) {
            roles = Some(heading);
            continue;
        }
        // A table without a column of shapes is about something else.
        if roles.as_ref().is_none_or(|roles| roles.contains(&ColumnRole::Shape)) {
            let columns = Columns { roles: roles.as_deref().unwrap_or_default(), shapes };
            read_row(&cells, columns, grouping, line, builder);
        }
    }
}

/// A line that is not a row: only totals, damage and gaps matter.
fn read_outside(line: TextLine<'_>, builder: &mut DumpBuilder) {
    let text = line.text.trim_start();
    if let Some(total) = totals::parse_total(text) {
        builder.add_total(total, line.text_range());
    } else if text.starts_with("...") || text.starts_with('…') {
        builder.add_problem(
            ProblemKind::Incomplete,
            line.text_range(),
            "the dump leaves rows out here",
        );
    } else if let Err(why @ NoEntry::Damaged(_)) = entry::parse_entry(text, Grouping::Unknown) {
        builder.add_unread(why, line.text_range(), text);
    }
}

/// What is known of the columns.
#[derive(Clone, Copy)]
struct Columns<'a> {
    /// What a heading says.
    roles: &'a [ColumnRole],
    /// The column of the shapes, as the rows show it.
    shapes: Option<ColumnPlace>,
}

/// A column among so many.
#[derive(Clone, Copy, PartialEq)]
struct ColumnPlace {
    column: usize,
    of: usize,
}

/// Where the rows up to the next line that is none have their shapes; `None` where they differ, or no row shows it.
fn shapes_of<'a>(rows: impl Iterator<Item = TextLine<'a>>) -> Option<ColumnPlace> {
    let mut known: Option<ColumnPlace> = None;
    for cells in rows.map_while(|line| split_cells(line.text)) {
        let shaped = |cell: &&str| cell::read_shape(cell, Grouping::Unknown).is_some();
        for column in (0..cells.len()).filter(|&at| cells.get(at).is_some_and(shaped)) {
            let place = ColumnPlace { column, of: cells.len() };
            if *known.get_or_insert(place) != place {
                return None;
            }
        }
    }
    known
}

/// A bare whole number: the one dimension of a shape, or a count.
fn parse_bare(cell: &str) -> Option<u64> {
    let cell = cell::strip_marks(cell);
    cell.bytes().all(|b| b.is_ascii_digit()).then(|| cell.parse().ok())?
}

fn read_row(
    cells: &[&str],
    columns: Columns<'_>,
    grouping: Grouping,
    line: TextLine<'_>,
    builder: &mut DumpBuilder,
) {
    let Columns { roles, shapes } = columns;
    let of = |role| roles.iter().position(|r| *r == role).and_then(|at| cells.get(at).copied());
    let count =
        of(ColumnRole::Count).and_then(|cell| dims::parse_number(cell::strip_marks(cell)).ok());
    let called = match of(ColumnRole::Name) {
        Some(cell) => find_name(cell),
        None => cells.iter().find_map(|cell| find_name(cell)),
    };
    let shape = match of(ColumnRole::Shape) {
        Some(cell) => Some(cell::read_stated_shape(cell, grouping)),
        None => cells.iter().find_map(|cell| cell::read_shape(cell, grouping)),
    };
    let Some(called) = called else {
        return builder.add_problem(
            ProblemKind::Unread,
            line.text_range(),
            "the row names no parameter",
        );
    };
    if let (true, Some(total)) = (called.eq_ignore_ascii_case("total"), count) {
        return builder.add_total(Total::Parameters(total), line.text_range());
    }
    // Where the other rows have their shapes, a number is not a count.
    let shape = shape.or_else(|| {
        let place = shapes.filter(|place| roles.is_empty() && place.of == cells.len())?;
        let is_total = called.eq_ignore_ascii_case("total");
        Some(Ok(vec![parse_bare(cells.get(place.column)?).filter(|_| !is_total)?]))
    });
    let dims = match shape {
        Some(Ok(dims)) => dims,
        Some(Err(error)) => {
            return builder.add_dims_problem(of_row(error, called), line.text_range());
        }
        // Without a heading that we know, a Markdown row may be about anything.
        None if roles.is_empty() && line.text.trim_start().starts_with('|') => return,
        None => {
            return builder.add_problem(
                ProblemKind::Unread,
                line.text_range(),
                no_shape(called, cells),
            );
        }
    };
    let dtype = match of(ColumnRole::Dtype) {
        Some(cell) => dtype::read_stated(cell::strip_marks(cell)),
        None => cells
            .iter()
            .map(|cell| cell::read_dtype(cell))
            .find(|found| *found != Dtype::No)
            .unwrap_or(Dtype::No),
    };
    let stated = of(ColumnRole::Times)
        .and_then(|cell| dims::parse_number(cell::strip_marks(cell)).ok())
        .filter(|times| *times > 1);
    let times = stated.or_else(|| cells.iter().find_map(|cell| cell::read_times(cell)));
    let filled = times.and_then(|times| expand::fill_placeholder(called, times));
    let called = filled.as_deref().unwrap_or(called);
    check_row(called, &dims, count, times, line, builder);
    builder.add_tensor(&FoundTensor {
        name: called,
        dims,
        dtype,
        shape_known: true,
        place: line.text_range(),
    });
}

fn no_shape(called: &str, cells: &[&str]) -> String {
    let said = format!("the row of `{}` has no shape", clip_text(called));
    match cells.iter().find_map(|cell| parse_bare(cell)) {
        Some(number) => format!(
            "{said}: {number} may be a shape or a count; write ({number},) or [{number}], or a heading such as `name | shape | dtype`"
        ),
        None => said,
    }
}

fn of_row(error: DimsError, name: &str) -> DimsError {
    match error {
        DimsError::Other(reason) => {
            DimsError::Other(format!("the shape of `{}` cannot be read: {reason}", clip_text(name)))
        }
        overflow @ DimsError::Overflow(_) => overflow,
    }
}

/// Holds the row's other figures against its shape.
fn check_row(
    name: &str,
    dims: &[u64],
    count: Option<u64>,
    times: Option<u64>,
    line: TextLine<'_>,
    builder: &mut DumpBuilder,
) {
    if let Some(times) = times.filter(|_| expand::find_range(name).is_none()) {
        let reason = format!(
            "the row of `{}` stands for {times} tensors and is counted once: list each",
            clip_text(name)
        );
        builder.add_problem(ProblemKind::Incomplete, line.text_range(), reason);
        return;
    }
    let product = dims.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim));
    if let (Some(count), Some(product)) = (count, product)
        && count != product
    {
        let reason = format!(
            "`{}` is said to have {count} elements, and its shape gives {product}",
            clip_text(name)
        );
        builder.add_problem(ProblemKind::Incomplete, line.text_range(), reason);
    }
}
