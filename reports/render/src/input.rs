//! Figures that a reader may change.

use serde::Serialize;

use crate::{NumberFormat, Value};

/// The name of the cell that counts changed inputs, where a document has one. While it is above zero, a format whose inputs
/// can be changed shows which texts and figures do not follow them.
pub const INPUTS_CHANGED: &str = "inputs_changed";

/// A cell that may be changed; formulas refer to it by its name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Input {
    /// The name: letters, digits and underscores, a letter first.
    pub name: String,
    /// The value that derate computed with.
    pub value: Value,
    /// How a number is written.
    pub format: NumberFormat,
    /// What the reader may enter.
    pub allowed: Allowed,
}

/// The values that an input accepts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allowed {
    /// A number.
    Number {
        /// The least.
        least: f64,
        /// The greatest.
        most: f64,
        /// Whether it must be whole.
        whole: bool,
    },
    /// One of some texts.
    OneOf(Vec<String>),
}
