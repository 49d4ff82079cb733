//! The errors of formulas.

/// A formula that no engine can evaluate. The document is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    /// It refers to something that is not there.
    #[error(
        "table `{table}`, row {row}: a formula refers to {what}, which the document does not have"
    )]
    Missing {
        /// The formula's table.
        table: String,
        /// Its row, from 0.
        row: usize,
        /// What it refers to.
        what: String,
    },
    /// It depends on itself.
    #[error("table `{table}`, row {row}: a formula depends on itself")]
    Cycle {
        /// The formula's table.
        table: String,
        /// Its row, from 0.
        row: usize,
    },
    /// Two cells, or two tables, have one name.
    #[error("two cells or tables are called `{0}`")]
    Twice(String),
    /// No input has the name of an edit.
    #[error("no input is called `{0}`")]
    NoInput(String),
}
