//! Formulas, which are written once every table has its place.

use xlsxwriter::{Format, Worksheet};

use super::clip::clip_text;
use super::formula_text::{formula_text, number_text};
use super::places::{FormulaSite, Places};
use crate::{Formula, RenderError, Value};
use derate_units::number::NOT_A_NUMBER;

/// A formula and where it goes.
pub(super) struct PendingFormula {
    pub(super) row: u32,
    pub(super) column: u16,
    /// Its table, if that is one of the document.
    pub(super) home: Option<String>,
    pub(super) index: usize,
    pub(super) formula: Formula,
    /// The value that is shown until a program recalculates.
    pub(super) value: Value,
    pub(super) look: Format,
}

impl PendingFormula {
    /// Writes the formula to its sheet, which is called `tab`.
    pub(super) fn write_to(
        &self,
        sheet: &mut Worksheet,
        tab: &str,
        places: &Places<'_>,
    ) -> Result<(), RenderError> {
        let home = FormulaSite { tab, table: self.home.as_deref(), row: self.index };
        let text = formula_text(&self.formula, &home, places)?;
        let (text, result) = match &self.value {
            Value::Number(value) if value.is_finite() => (text, number_text(*value)),
            Value::Number(_) => {
                (format!("IFERROR({text},\"{NOT_A_NUMBER}\")"), NOT_A_NUMBER.to_owned())
            }
            Value::Text(value) => (text, clip_text(value)),
        };
        let formula = xlsxwriter::Formula::new(text).set_result(result);
        sheet.write_formula_with_format(self.row, self.column, formula, &self.look)?;
        Ok(())
    }
}
