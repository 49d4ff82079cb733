//! Cells that formulas read, and the few forms that formulas share.

use derate_reports::{Allowed, Cell, Formula, Input, NumberFormat, formula};

/// What stands where a figure is not known.
pub(in crate::present) const UNKNOWN: &str = "unknown";

/// Whole numbers without a point, others in up to six figures.
pub(in crate::present) fn digits(value: f64) -> NumberFormat {
    if value.fract() == 0.0 { NumberFormat::Integer } else { NumberFormat::Significant(6) }
}

/// A figure that may be changed between two bounds; its own value is always allowed.
pub(super) fn input(name: impl Into<String>, value: f64, least: f64, most: f64) -> Cell {
    number(name.into(), value, least, most, false)
}

/// A count that may be changed.
pub(super) fn count(name: impl Into<String>, value: f64, least: f64, most: f64) -> Cell {
    number(name.into(), value, least, most, true)
}

fn number(name: String, value: f64, least: f64, most: f64, whole: bool) -> Cell {
    let allowed = Allowed::Number { least: least.min(value), most: most.max(value), whole };
    Cell::Input(Input { name, value: value.into(), format: digits(value), allowed })
}

/// One of some words.
pub(super) fn choice(name: &str, value: String, of: Vec<String>) -> Cell {
    Cell::Input(Input {
        name: name.to_owned(),
        value: value.into(),
        format: NumberFormat::Integer,
        allowed: Allowed::OneOf(of),
    })
}

/// The next whole number that is not greater, of a number that is not negative.
pub(super) fn down(value: Formula) -> Formula {
    let above = formula::up(value.clone());
    above.clone() - above.exceeds(value)
}

/// `value`, or the word that it is not known.
pub(super) fn or_unknown(value: Formula) -> Formula {
    formula::known(value, formula::text(UNKNOWN))
}

/// A number that follows from a formula, or the word that it is not known.
pub(in crate::present) fn follows(
    value: Option<f64>,
    formula: Formula,
    format: NumberFormat,
) -> Cell {
    match value {
        Some(value) => Cell::formula(value, formula, format),
        None => Cell::formula(UNKNOWN, formula, format),
    }
}
