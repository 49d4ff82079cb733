//! How sentences write figures. The digits are decided in [`number`](crate::number).

use crate::number::{NumberFormat, format_number, format_quantity};

use crate::Precision;
use crate::units::{Ops, OpsPerSecond, Quantity, Seconds};

/// `1,800,184,704`.
pub fn grouped(number: f64) -> String {
    format_number(number, NumberFormat::Integer)
}

/// Zeros behind the point claim a precision that sentences do not need.
fn trim_zeros(figure: &str) -> &str {
    if figure.contains('.') { figure.trim_end_matches('0').trim_end_matches('.') } else { figure }
}

fn in_unit(value: f64, unit: &str) -> String {
    let text = format_quantity(value, NumberFormat::Si(4), unit);
    match text.split_once(' ') {
        Some((figure, unit)) => format!("{} {unit}", trim_zeros(figure)),
        None => text,
    }
}

/// Units of long times in seconds, each with the least time that it is used for: with a prefix, such a time reads like one a
/// thousand or a million times shorter.
const LONG: [(f64, f64, &str); 4] = [
    (2.0 * 365.25 * 86400.0, 365.25 * 86400.0, "years"),
    (2.0 * 86400.0, 86400.0, "days"),
    (2.0 * 3600.0, 3600.0, "hours"),
    (100.0, 60.0, "minutes"),
];

/// A quantity in up to four significant figures with its SI prefix: `5.41 TFLOP/s`; a long time in minutes to years.
pub fn quantity<Q: Quantity>(quantity: Q) -> String {
    let value = quantity.value();
    let long = LONG.iter().find(|(least, ..)| Q::UNIT == Seconds::UNIT && value >= *least);
    match long {
        Some((_, unit, name)) => format!("{} {name}", significant(value / unit, 4)),
        None => in_unit(value, Q::UNIT),
    }
}

/// The unit of a rate: only floating-point operations are FLOP.
pub fn rate_unit(arithmetic: impl IntoIterator<Item = Precision>) -> &'static str {
    if arithmetic.into_iter().all(Precision::is_float) { OpsPerSecond::UNIT } else { "OP/s" }
}

/// A compute rate in the unit of its arithmetic.
pub fn rate(rate: OpsPerSecond, precision: Precision) -> String {
    mixed_rate(rate, [precision])
}

/// A compute rate in the unit of what runs; OP/s where that is mixed.
pub fn mixed_rate(rate: OpsPerSecond, arithmetic: impl IntoIterator<Item = Precision>) -> String {
    in_unit(rate.0, rate_unit(arithmetic))
}

/// An amount of work in the unit of the arithmetic that does it; OP where that is mixed.
pub fn work(work: Ops, arithmetic: impl IntoIterator<Item = Precision>) -> String {
    in_unit(work.0, work_unit(arithmetic))
}

/// Only floating-point operations are FLOP.
pub(crate) fn work_unit(arithmetic: impl IntoIterator<Item = Precision>) -> &'static str {
    if arithmetic.into_iter().all(Precision::is_float) { Ops::UNIT } else { "OP" }
}

/// A bare number in up to `digits` significant figures.
pub fn significant(number: f64, digits: u8) -> String {
    trim_zeros(&format_number(number, NumberFormat::Significant(digits))).to_owned()
}

/// The first of some names, and how many more there are: `a, b and 4 more`.
pub fn list_few<T: AsRef<str>>(names: &[T], most: usize) -> String {
    let (shown, more) = names.split_at(names.len().min(most));
    let shown: Vec<&str> = shown.iter().map(AsRef::as_ref).collect();
    let more = match more.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

/// `1 tensor`, `474 tensors`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = match (number, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", grouped(number as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::BytesPerSecond;

    #[test]
    fn long_times_are_no_prefix_away_from_short_ones() {
        for (seconds, says) in [
            (2.502e-3, "2.502 ms"),
            (99.0, "99 s"),
            (100.0, "1.667 minutes"),
            (7200.0, "2 hours"),
            (280e3, "3.241 days"),
            (9.464e6, "109.5 days"),
            (2.502e12, "79,280 years"),
            (f64::INFINITY, "n/a years"),
        ] {
            assert_eq!(quantity(Seconds(seconds)), says);
        }
    }

    #[test]
    fn sentences_write_no_idle_zeros() {
        assert_eq!(quantity(BytesPerSecond(460e9)), "460 GB/s");
        assert_eq!(rate(OpsPerSecond(5.41e12), Precision::FP32), "5.41 TFLOP/s");
        assert_eq!(rate(OpsPerSecond(18.6e12), Precision::INT8), "18.6 TOP/s");
        assert_eq!(work(Ops(245.8e6), [Precision::FP16, Precision::FP32]), "245.8 MFLOP");
        assert_eq!(work(Ops(245.8e6), [Precision::INT8]), "245.8 MOP");
        assert_eq!(work(Ops(245.8e6), [Precision::INT8, Precision::FP16]), "245.8 MOP");
        assert_eq!(significant(2.0, 6), "2");
        assert_eq!(significant(1.985_557, 6), "1.98556");
        assert_eq!(grouped(1_800_184_704.0), "1,800,184,704");
    }
}
