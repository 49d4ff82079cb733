//! Formulas over the cells of a document: one expression for the workbook, the page and the evaluation.

mod build;
mod error;
mod value;

use std::ops::Range;

use serde::Serialize;

pub use build::{
    above, at, choose, column, known, lookup, max, min, name, number, range, sum, sum_product,
    sum_where, text, up,
};
pub use error::FormulaError;
pub use value::Value;

/// An expression over cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formula {
    /// A constant.
    Number(f64),
    /// A constant text.
    Text(String),
    /// The one cell of the document that has this name.
    Name(String),
    /// The cell of the column of this key in the formula's own row.
    Column(String),
    /// One cell of a table.
    Cell {
        /// The table's name.
        table: String,
        /// The column's key.
        column: String,
        /// The row, from 0.
        row: usize,
    },
    /// Cells of a column below one another.
    Range {
        /// The table's name; the formula's own where there is none.
        table: Option<String>,
        /// The column's key.
        column: String,
        /// The rows, from 0.
        rows: Range<usize>,
    },
    /// Two operands.
    Binary(Operator, Box<Formula>, Box<Formula>),
    /// A function of operands.
    Call(Function, Vec<Formula>),
}

/// An operator between two operands. A comparison gives 1 or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a = b`, of numbers or of texts.
    Equal,
    /// `a >= b`
    AtLeast,
    /// `a > b`
    Above,
}

/// A function that has the same meaning in every engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The sum of numbers and ranges; texts in a range count as nothing.
    Sum,
    /// The sum of the products of ranges of one length.
    SumProduct,
    /// `sum-where(keys, key, a, b...)`: the sum of the products of the ranges `a`, `b`... over the rows whose key is `key`.
    SumWhere,
    /// `if(condition, then, else)`
    If,
    /// The next whole number that is not smaller.
    Up,
    /// `lookup(key, keys, values)`: the value beside the first key that is the same.
    Lookup,
    /// `known(a, b)`: `a`, or `b` where `a` is an error.
    Known,
}
