//! Conditional colours of the words that formulas give.

use xlsxwriter::{
    ConditionalFormatCell, ConditionalFormatCellRule, ConditionalFormatText,
    ConditionalFormatTextRule, Worksheet,
};

use super::grid::TableSite;
use super::look;
use crate::{Cell, Formula, Function, Level, RenderError, Table, Value};

/// Colours the cells of `table` that give words.
pub(super) fn colour_words(
    sheet: &mut Worksheet,
    table: &Table,
    site: &TableSite<'_>,
) -> Result<(), RenderError> {
    for (index, span) in site.spans.iter().enumerate() {
        let column = span.left;
        let mut rows = (0..table.rows.len()).zip(site.row + 1..);
        let mut wordy = rows.by_ref().filter(|(row, _)| gives_words(table.cell(*row, index)));
        let Some((_, first)) = wordy.next() else { continue };
        let last = wordy.last().map_or(first, |(_, row)| row);
        let begins = |word: &str, look| {
            ConditionalFormatText::new()
                .set_rule(ConditionalFormatTextRule::BeginsWith(word.to_owned()))
                .set_format(look)
        };
        let is = |word: &'static str, look| {
            ConditionalFormatCell::new()
                .set_rule(ConditionalFormatCellRule::EqualTo(word))
                .set_format(look)
        };
        for rule in [
            begins("unknown", look::not_known()),
            begins("n/a", look::not_known()),
            begins("no:", look::light(Level::Error)),
        ] {
            sheet.add_conditional_format(first, column, last, column, &rule)?;
        }
        for rule in [
            is("no", look::light(Level::Error)),
            is("memory", look::light(Level::Note)),
            is("compute", look::compute()),
        ] {
            sheet.add_conditional_format(first, column, last, column, &rule)?;
        }
    }
    Ok(())
}

/// Whether a cell's formula may give a text.
fn gives_words(cell: &Cell) -> bool {
    let Cell::Formula { value, formula, .. } = cell else { return false };
    let chooses =
        |function: &Function| matches!(function, Function::If | Function::Known | Function::Lookup);
    matches!(value, Value::Text(_))
        || value.number().is_some_and(|value| !value.is_finite())
        || matches!(&**formula, Formula::Call(function, _) if chooses(function))
}
