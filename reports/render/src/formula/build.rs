//! Writing formulas as one writes them on paper.

use std::ops::{Add, Div, Mul, Range, Sub};

use super::{Formula, Function, Operator};

/// A constant.
pub fn number(value: f64) -> Formula {
    Formula::Number(value)
}

/// A constant text.
pub fn text(value: impl Into<String>) -> Formula {
    Formula::Text(value.into())
}

/// The cell of that name.
pub fn name(name: impl Into<String>) -> Formula {
    Formula::Name(name.into())
}

/// The cell of that column in the same row.
pub fn column(key: impl Into<String>) -> Formula {
    Formula::Column(key.into())
}

/// A cell of a table.
pub fn at(table: impl Into<String>, column: impl Into<String>, row: usize) -> Formula {
    Formula::Cell { table: table.into(), column: column.into(), row }
}

/// Rows of a column of the formula's own table.
pub fn above(column: impl Into<String>, rows: Range<usize>) -> Formula {
    Formula::Range { table: None, column: column.into(), rows }
}

/// Rows of a column of a table.
pub fn range(table: impl Into<String>, column: impl Into<String>, rows: Range<usize>) -> Formula {
    Formula::Range { table: Some(table.into()), column: column.into(), rows }
}

/// The lesser of two.
pub fn min(a: Formula, b: Formula) -> Formula {
    Formula::Call(Function::Min, vec![a, b])
}

/// The greater of two.
pub fn max(a: Formula, b: Formula) -> Formula {
    Formula::Call(Function::Max, vec![a, b])
}

/// The sum of numbers and ranges.
pub fn sum(terms: Vec<Formula>) -> Formula {
    Formula::Call(Function::Sum, terms)
}

/// The sum of the products of ranges.
pub fn sum_product(ranges: Vec<Formula>) -> Formula {
    Formula::Call(Function::SumProduct, ranges)
}

/// The sum of the products of `ranges` over the rows where `keys` is `key`.
pub fn sum_where(keys: Formula, key: Formula, ranges: Vec<Formula>) -> Formula {
    let operands = [keys, key].into_iter().chain(ranges);
    Formula::Call(Function::SumWhere, operands.collect())
}

/// `then` where the condition holds, else `otherwise`.
pub fn choose(condition: Formula, then: Formula, otherwise: Formula) -> Formula {
    Formula::Call(Function::If, vec![condition, then, otherwise])
}

/// Rounded up to a whole number.
pub fn up(value: Formula) -> Formula {
    Formula::Call(Function::Up, vec![value])
}

/// The value beside the first of `keys` that is `key`.
pub fn lookup(key: Formula, keys: Formula, values: Formula) -> Formula {
    Formula::Call(Function::Lookup, vec![key, keys, values])
}

/// `value`, or `otherwise` where it is an error.
pub fn known(value: Formula, otherwise: Formula) -> Formula {
    Formula::Call(Function::Known, vec![value, otherwise])
}

impl Formula {
    fn with(self, operator: Operator, other: Self) -> Self {
        Self::Binary(operator, Box::new(self), Box::new(other))
    }

    /// `self = other`
    #[must_use]
    pub fn equals(self, other: impl Into<Self>) -> Self {
        self.with(Operator::Equal, other.into())
    }

    /// `self >= other`
    #[must_use]
    pub fn at_least(self, other: impl Into<Self>) -> Self {
        self.with(Operator::AtLeast, other.into())
    }

    /// `self > other`
    #[must_use]
    pub fn exceeds(self, other: impl Into<Self>) -> Self {
        self.with(Operator::Above, other.into())
    }
}

impl From<f64> for Formula {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl<F: Into<Formula>> Add<F> for Formula {
    type Output = Self;
    fn add(self, other: F) -> Self {
        self.with(Operator::Add, other.into())
    }
}

impl<F: Into<Formula>> Sub<F> for Formula {
    type Output = Self;
    fn sub(self, other: F) -> Self {
        self.with(Operator::Subtract, other.into())
    }
}

impl<F: Into<Formula>> Mul<F> for Formula {
    type Output = Self;
    fn mul(self, other: F) -> Self {
        self.with(Operator::Multiply, other.into())
    }
}

impl<F: Into<Formula>> Div<F> for Formula {
    type Output = Self;
    fn div(self, other: F) -> Self {
        self.with(Operator::Divide, other.into())
    }
}
