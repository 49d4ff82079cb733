//! What stands in a table's cell.

use serde::Serialize;

use crate::{Level, NumberFormat, format_number};

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "kebab-case")]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Text; never read as a formula, whatever it begins with.
    Text(String),
    /// A number in the column's unit.
    Number {
        /// The value.
        value: f64,
        /// How it is written.
        format: NumberFormat,
    },
    /// A number that follows from others in its row: live in a workbook, the value elsewhere.
    Formula {
        /// The value.
        value: f64,
        /// The expression in a workbook's syntax, over column keys in braces: `{flops}/{bytes}`.
        expression: String,
        /// How the value is written.
        format: NumberFormat,
    },
    /// A figure that nobody knows, with the reason.
    Unknown(String),
    /// A traffic light: its colour and its text.
    Status(Level, String),
}

impl Cell {
    /// A text cell.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number cell.
    pub fn number(value: f64, format: NumberFormat) -> Self {
        Self::Number { value, format }
    }

    /// A formula cell: the value, and the expression over column keys that gives it.
    pub fn formula(value: f64, expression: impl Into<String>, format: NumberFormat) -> Self {
        Self::Formula { value, expression: expression.into(), format }
    }

    /// The cell as a reader of plain text sees it.
    pub fn display(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Status(_, text) => text.clone(),
            Self::Number { value, format } | Self::Formula { value, format, .. } => {
                format_number(*value, *format)
            }
            Self::Unknown(reason) if reason.is_empty() => "unknown".to_owned(),
            Self::Unknown(reason) => format!("unknown: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_as_plain_text() {
        let cells = [
            (Cell::Empty, ""),
            (Cell::text("=1+1"), "=1+1"),
            (Cell::number(1_017_600.0, NumberFormat::Integer), "1,017,600"),
            (Cell::formula(11.76, "{a}/{b}", NumberFormat::Significant(3)), "11.8"),
            (Cell::Unknown("no report".to_owned()), "unknown: no report"),
            (Cell::Unknown(String::new()), "unknown"),
            (Cell::Status(Level::Error, "refused".to_owned()), "refused"),
        ];
        for (cell, expected) in cells {
            assert_eq!(cell.display(), expected);
        }
    }
}
