//! The errors of rendering.

use thiserror::Error;

use crate::FormulaError;

/// Why a document could not be rendered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A formula cannot be evaluated.
    #[error(transparent)]
    Formula(#[from] FormulaError),
    /// A formula that exceeds a limit of Excel.
    #[error(
        "table `{table}`, row {row}: the formula is longer or deeper than a workbook can hold; give its parts cells of their own"
    )]
    LongFormula {
        /// The formula's table.
        table: String,
        /// Its row, from 0.
        row: usize,
    },
    /// An axis that has no logarithm.
    #[error(
        "chart `{chart}`: the axis `{axis}` cannot be logarithmic from {min} to {max}; both must be above zero, the second above the first"
    )]
    Axis {
        /// The chart's title.
        chart: String,
        /// The axis' label.
        axis: String,
        /// Its lower end.
        min: f64,
        /// Its upper end.
        max: f64,
    },
    /// A JSON format could not be written.
    #[error("the log cannot be written: {0}")]
    Json(#[from] serde_json::Error),
    /// The workbook could not be written.
    #[error("the workbook cannot be written: {0}")]
    Workbook(#[from] xlsxwriter::XlsxError),
}
