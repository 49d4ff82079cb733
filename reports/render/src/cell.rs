//! A cell of a table.

use serde::Serialize;

use crate::{Formula, Input, Level, NumberFormat, Value, format_number};

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(tag = "kind", content = "content", rename_all = "kebab-case")]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Text; never read as a formula, whatever it begins with.
    Text(String),
    /// The name of a row that sums up others: the whole row looks like a total.
    Total(String),
    /// The text of a finding's rule, which leads to its card where there is one.
    Link {
        /// What is shown.
        text: String,
        /// The code of the rule.
        code: String,
    },
    /// A number in the column's unit.
    Number {
        /// The value.
        value: f64,
        /// How it is written.
        format: NumberFormat,
    },
    /// A value computed from other cells: live in a workbook and in the page, the value elsewhere.
    Formula {
        /// The name that other formulas may call it by.
        name: Option<String>,
        /// The value: a number, or a text such as the bound.
        value: Value,
        /// What gives it.
        formula: Box<Formula>,
        /// How a number is written.
        format: NumberFormat,
    },
    /// A figure that the reader may change.
    Input(Input),
    /// An unknown figure, with the reason.
    Unknown(String),
    /// A traffic light: its colour and its text.
    Status(Level, String),
}

impl Cell {
    /// A text cell.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A text that leads to the first finding of a rule.
    pub fn link(text: impl Into<String>, code: impl Into<String>) -> Self {
        Self::Link { text: text.into(), code: code.into() }
    }

    /// A number cell.
    pub fn number(value: f64, format: NumberFormat) -> Self {
        Self::Number { value, format }
    }

    /// A formula cell: the value, and what gives it.
    pub fn formula(value: impl Into<Value>, formula: Formula, format: NumberFormat) -> Self {
        Self::Formula { name: None, value: value.into(), formula: Box::new(formula), format }
    }

    /// The formula cell with a name that other formulas may call it by.
    #[must_use]
    pub fn called(mut self, wish: impl Into<String>) -> Self {
        if let Self::Formula { name, .. } = &mut self {
            *name = Some(wish.into());
        }
        self
    }

    /// The name that formulas may call it by.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Formula { name, .. } => name.as_deref(),
            Self::Input(input) => Some(&input.name),
            _ => None,
        }
    }

    /// The number in the cell.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number { value, .. } => Some(*value),
            Self::Formula { value, .. } | Self::Input(Input { value, .. }) => value.number(),
            _ => None,
        }
    }

    /// The cell as a reader of plain text sees it.
    pub fn display(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text)
            | Self::Total(text)
            | Self::Link { text, .. }
            | Self::Status(_, text) => text.clone(),
            Self::Number { value, format } => format_number(*value, *format),
            Self::Formula { value, format, .. } | Self::Input(Input { value, format, .. }) => {
                match value {
                    Value::Number(value) => format_number(*value, *format),
                    Value::Text(text) => text.clone(),
                }
            }
            Self::Unknown(reason) if reason.is_empty() => "unknown".to_owned(),
            Self::Unknown(reason) => format!("unknown: {reason}"),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        Self::text(text)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// What is not there is an empty cell.
impl<C: Into<Self>> From<Option<C>> for Cell {
    fn from(value: Option<C>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula;

    #[test]
    fn every_kind_reads_as_plain_text() {
        let cells = [
            (Cell::Empty, ""),
            (Cell::text("=1+1"), "=1+1"),
            (Cell::Total("all".to_owned()), "all"),
            (Cell::number(1_017_600.0, NumberFormat::Integer), "1,017,600"),
            (Cell::formula(11.76, formula::column("a"), NumberFormat::Significant(3)), "11.8"),
            (Cell::Unknown("no report".to_owned()), "unknown: no report"),
            (Cell::Unknown(String::new()), "unknown"),
            (Cell::Status(Level::Error, "refused".to_owned()), "refused"),
        ];
        for (cell, expected) in cells {
            assert_eq!(cell.display(), expected);
        }
    }
}
