//! Tables as cells.

use xlsxwriter::{Format, Worksheet};

use super::choices::Choices;
use super::clip::clip_text;
use super::colours::colour_words;
use super::grid::{Span, TableSite};
use super::input::{self, guard_input};
use super::live::PendingFormula;
use super::look;
use super::number_code::number_code;
use super::widths::{can_grow, longest_text, row_height};
use crate::{Align, Cell, RenderError, Table, Value};
use derate_units::number::NOT_A_NUMBER;

/// What is written after the table.
pub(super) struct Leftovers<'a> {
    /// Formulas, which wait until all tables have places.
    pub(super) live: &'a mut Vec<PendingFormula>,
    /// Choices that are too long for a rule.
    pub(super) choices: &'a mut Choices,
}

/// The heights of a table's headings and of its rows, in points.
pub(super) fn row_heights(table: &Table, spans: &[Span]) -> Vec<f64> {
    let rows = (0..table.rows.len()).map(|row| height_of(&sizing_texts(table, row), spans));
    std::iter::once(height_of(&heading_texts(table), spans) + 5.0).chain(rows).collect()
}

/// Writes `table` except its formulas, which go to `behind`.
pub(super) fn write_table(
    sheet: &mut Worksheet,
    behind: &mut Leftovers<'_>,
    table: &Table,
    site: &TableSite<'_>,
) -> Result<(), RenderError> {
    // Without heights, LibreOffice makes rows lower than Excel does, and the pages and charts too.
    for (row, height) in (site.row..).zip(site.heights) {
        sheet.set_row_height(row, *height)?;
    }
    let headings = heading_texts(table);
    for (span, (column, heading)) in site.spans.iter().zip(table.columns.iter().zip(&headings)) {
        let place = TargetCells { row: site.row, left: span.left, right: span.right };
        place.write_text(sheet, heading, &look::header(column.align))?;
    }
    for (row, index) in (site.row + 1..).zip(0..table.rows.len()) {
        for (column, span) in (0..table.columns.len()).zip(site.spans) {
            let place = TargetCells { row, left: span.left, right: span.right };
            let align = table.columns.get(column).map_or(Align::Left, |column| column.align);
            let total = table.is_total(index);
            match table.cell(index, column) {
                Cell::Formula { value, formula, format, .. } => {
                    let mut look = look::total(look::live(value, *format, align), total);
                    let last = column + 1 == table.columns.len();
                    let over = last && can_grow(table.cell(index, column));
                    if over {
                        look = look.unset_text_wrap();
                    }
                    if over && align == Align::Left {
                        place.write_blanks(sheet, &look)?;
                    } else {
                        // The merged range must exist before the formula.
                        place.write_text(sheet, "", &look)?;
                    }
                    behind.live.push(PendingFormula {
                        row,
                        column: span.left,
                        home: site.known.then(|| table.name.clone()),
                        index,
                        formula: (**formula).clone(),
                        value: value.clone(),
                        look,
                    });
                }
                Cell::Input(input) => {
                    let look = input::look(input, align);
                    match &input.value {
                        Value::Number(value) if value.is_finite() => {
                            place.write_number(sheet, *value, &look)?;
                        }
                        _ => {
                            let text = table.cell(index, column).display();
                            place.write_text(sheet, &clip_text(&text), &look)?;
                        }
                    }
                    guard_input(sheet, input, (row, span.left), behind.choices)?;
                }
                cell => write_cell(sheet, cell, (align, total), &place)?,
            }
        }
    }
    colour_words(sheet, table, site)
}

fn heading_texts(table: &Table) -> Vec<String> {
    table.columns.iter().map(|column| clip_text(&column.heading_with_unit())).collect()
}

fn height_of(texts: &[String], spans: &[Span]) -> f64 {
    row_height(texts.iter().zip(spans).map(|(text, span)| (text.as_str(), span.width)))
}

/// The texts that give the height of a row.
fn sizing_texts(table: &Table, row: usize) -> Vec<String> {
    let text = |column: usize| {
        let cell = table.cell(row, column);
        let last = column + 1 == table.columns.len();
        clip_text(&if last && can_grow(cell) { cell.display() } else { longest_text(cell) })
    };
    (0..table.columns.len()).map(text).collect()
}

/// One cell, or several merged into one.
struct TargetCells {
    row: u32,
    left: u16,
    right: u16,
}

impl TargetCells {
    fn write_text(
        &self,
        sheet: &mut Worksheet,
        text: &str,
        look: &Format,
    ) -> Result<(), RenderError> {
        if self.right > self.left {
            sheet.merge_range(self.row, self.left, self.row, self.right, text, look)?;
        } else if text.is_empty() {
            sheet.write_blank(self.row, self.left, look)?;
        } else {
            sheet.write_string_with_format(self.row, self.left, text, look)?;
        }
        Ok(())
    }

    /// Writes blanks to every cell, so that the text of the first can overflow: text does not leave merged cells.
    fn write_blanks(&self, sheet: &mut Worksheet, look: &Format) -> Result<(), RenderError> {
        (self.left..=self.right).try_for_each(|column| {
            sheet.write_blank(self.row, column, look)?;
            Ok(())
        })
    }

    fn write_number(
        &self,
        sheet: &mut Worksheet,
        value: f64,
        look: &Format,
    ) -> Result<(), RenderError> {
        if self.right > self.left {
            self.write_text(sheet, "", look)?;
        }
        sheet.write_number_with_format(self.row, self.left, value, look)?;
        Ok(())
    }
}

/// Writes a cell that is neither a formula nor an input.
fn write_cell(
    sheet: &mut Worksheet,
    cell: &Cell,
    (align, total): (Align, bool),
    place: &TargetCells,
) -> Result<(), RenderError> {
    let body = || look::total(look::body(align), total);
    match cell {
        Cell::Empty => place.write_text(sheet, "", &body())?,
        Cell::Unknown(_) => {
            place.write_text(sheet, &clip_text(&cell.display()), &look::unknown(align))?;
        }
        Cell::Status(level, text) => {
            place.write_text(sheet, &clip_text(text), &look::status(*level, align))?;
        }
        Cell::Number { value, .. } if !value.is_finite() => {
            place.write_text(sheet, NOT_A_NUMBER, &look::unknown(align))?;
        }
        Cell::Number { value, format } => {
            let look = body().set_num_format(number_code(*value, *format));
            place.write_number(sheet, *value, &look)?;
        }
        Cell::Text(_)
        | Cell::Total(_)
        | Cell::Link { .. }
        | Cell::Formula { .. }
        | Cell::Input(_) => {
            place.write_text(sheet, &clip_text(&cell.display()), &body().set_text_wrap())?;
        }
    }
    Ok(())
}
