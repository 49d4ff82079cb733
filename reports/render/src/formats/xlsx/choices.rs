//! The sheet of the choices that are too long for a validation rule.

use xlsxwriter::utility::quote_sheet_name;

use crate::Table;

/// The rows above the first choice: the sheet's title, an empty row, the headings.
const TOP: usize = 3;

pub(super) struct Choices {
    name: String,
    /// Inputs and their choices.
    rows: Vec<[String; 2]>,
}

impl Choices {
    /// No choices yet, for a sheet called `name`.
    pub(super) fn new(name: String) -> Self {
        Self { name, rows: Vec::new() }
    }

    /// Adds the choices of an input and gives the range of their cells.
    pub(super) fn add_choices(&mut self, input: &str, texts: &[String]) -> String {
        let first = TOP + self.rows.len() + 1;
        self.rows.extend(texts.iter().map(|text| [input.to_owned(), text.clone()]));
        let last = (TOP + self.rows.len()).max(first);
        format!("{}!$B${first}:$B${last}", quote_sheet_name(&self.name))
    }

    /// The name of the sheet and its table; `None` without choices.
    pub(super) fn into_table(self) -> Option<(String, Table)> {
        let table = Table::from_items("choices", "", &self.rows)
            .text("input", "Input", |[input, _]| input)
            .text("choice", "Choice", |[_, choice]| choice)
            .build_unless_empty()?;
        Some((self.name, table))
    }
}
