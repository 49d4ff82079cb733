//! The sheet of the choices that are too long for a validation rule.

use xlsxwriter::utility::quote_sheet_name;

use super::sheet::Sheet;
use crate::{Cell, Column, Document, RenderError, Table};

/// The rows above the first choice: the sheet's title, an empty row, the headings.
const TOP: usize = 3;

/// The choices of all inputs.
pub(super) struct Choices {
    name: String,
    rows: Vec<Vec<Cell>>,
}

impl Choices {
    /// No choices yet, for a sheet called `name`.
    pub(super) fn new(name: String) -> Self {
        Self { name, rows: Vec::new() }
    }

    /// Adds the choices of an input and gives the range of their cells.
    pub(super) fn add_choices(&mut self, input: &str, texts: &[String]) -> String {
        let first = TOP + self.rows.len() + 1;
        self.rows.extend(texts.iter().map(|text| [input, text].map(Cell::text).into()));
        let last = (TOP + self.rows.len()).max(first);
        format!("{}!$B${first}:$B${last}", quote_sheet_name(&self.name))
    }

    /// The sheet, if there are any.
    pub(super) fn into_sheet(self, document: &Document) -> Result<Option<Sheet>, RenderError> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let columns = vec![Column::text("input", "Input"), Column::text("choice", "Choice")];
        let table =
            Table { name: "choices".to_owned(), caption: String::new(), columns, rows: self.rows };
        Sheet::supporting_sheet(&self.name, "What inputs may be", &table, document).map(Some)
    }
}
