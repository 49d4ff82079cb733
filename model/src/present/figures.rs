//! How sentences write figures; the digits are decided in `derate_reports`.

use derate_reports::{NumberFormat, format_number, format_quantity};

use crate::units::Quantity;

/// `1,800,184,704`.
pub(crate) fn grouped(number: f64) -> String {
    format_number(number, NumberFormat::Integer)
}

/// A quantity in four significant figures with its SI prefix: `5.41 TFLOP/s`.
pub(crate) fn quantity<Q: Quantity>(quantity: Q) -> String {
    format_quantity(quantity.value(), NumberFormat::Si(4), Q::UNIT)
}

/// A bare number in `digits` significant figures.
pub(crate) fn significant(number: f64, digits: u8) -> String {
    format_number(number, NumberFormat::Significant(digits))
}

/// `1 tensor`, `474 tensors`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number as f64), if number == 1 { "" } else { "s" })
}
