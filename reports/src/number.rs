//! Numbers as people read them: significant figures, grouped thousands, SI prefixes.
//!
//! This is the one place that decides how many digits a figure shows.

use serde::Serialize;

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "style", content = "digits", rename_all = "kebab-case")]
pub enum NumberFormat {
    /// A whole number with grouped thousands: `1,017,600`.
    Integer,
    /// This many significant figures: `11.76`.
    Significant(u8),
    /// This many decimals: `460.0`.
    Fixed(u8),
    /// A share of one, in percent with this many decimals: `65.2%`.
    Percent(u8),
    /// This many significant figures and an SI prefix: `5.41 T`.
    Si(u8),
    /// This many significant figures and a multiplication sign: `1.98556×`.
    Factor(u8),
    /// This many significant figures and a power of ten: `1.38e-23`.
    Scientific(u8),
    /// As somebody types it, without zeros behind: `5.41`.
    Plain,
}

/// What stands for a value that is no number.
pub(crate) const NOT_A_NUMBER: &str = "n/a";

/// Beyond this, an `f64` no longer knows its own units digit.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// SI prefixes from 10^-15 to 10^18, a factor of a thousand apart.
const PREFIXES: [&str; 12] = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];

/// The index of the empty prefix.
const UNITY: i32 = 5;

/// Writes `value`; what is not finite is never written as a number.
pub fn format_number(value: f64, format: NumberFormat) -> String {
    let (figure, prefix) = write(value, format);
    if prefix.is_empty() { figure } else { format!("{figure} {prefix}") }
}

/// Writes `value` with its unit, the SI prefix before the unit: `5.41 TFLOP/s`.
pub fn format_quantity(value: f64, format: NumberFormat, unit: &str) -> String {
    let (figure, prefix) = write(value, format);
    if unit.is_empty() && prefix.is_empty() { figure } else { format!("{figure} {prefix}{unit}") }
}

/// The figure and its SI prefix.
fn write(value: f64, format: NumberFormat) -> (String, &'static str) {
    let percent = matches!(format, NumberFormat::Percent(_));
    let value = if percent { value * 100.0 } else { value };
    if !value.is_finite() {
        return (NOT_A_NUMBER.to_owned(), "");
    }
    let figure = match format {
        NumberFormat::Integer => fixed(value, 0),
        NumberFormat::Fixed(decimals) => fixed(value, decimals),
        NumberFormat::Percent(decimals) => format!("{}%", fixed(value, decimals)),
        NumberFormat::Significant(digits) => significant(value, digits),
        NumberFormat::Factor(digits) => format!("{}×", significant(value, digits)),
        NumberFormat::Scientific(digits) => scientific(value, digits),
        NumberFormat::Plain => plain(value),
        NumberFormat::Si(digits) => return si(value, digits),
    };
    (figure, "")
}

/// A fixed number of decimals.
fn fixed(value: f64, decimals: u8) -> String {
    if value.abs() >= EXACT {
        return scientific(value, 6);
    }
    // More than 15 decimals are noise in any f64.
    let text = format!("{value:.*}", usize::from(decimals.min(15)));
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    group(if zero { text.trim_start_matches('-') } else { &text })
}

/// A fixed number of significant figures; what follows them before the decimal point is zeros.
fn significant(value: f64, digits: u8) -> String {
    let digits = clamp(digits);
    let Decimal { negative, figures, exponent } = Decimal::of(value, digits);
    if value != 0.0 && !(-4..15).contains(&exponent) {
        return scientific(value, digits);
    }
    let mut text = String::new();
    if negative {
        text.push('-');
    }
    if exponent < 0 {
        text.push_str("0.");
        text.extend((exponent + 1..0).map(|_| '0'));
        text.push_str(&figures);
    } else {
        for (place, figure) in (0..).zip(figures.chars()) {
            if place == exponent + 1 {
                text.push('.');
            }
            text.push(figure);
        }
        text.extend((i32::from(digits)..=exponent).map(|_| '0'));
    }
    group(&text)
}

/// Every figure that somebody may have typed: no more than 15 are the same in every `f64`.
fn plain(value: f64) -> String {
    let text = significant(value, 15);
    let (mantissa, power) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
    if !mantissa.contains('.') {
        return text;
    }
    [mantissa.trim_end_matches('0').trim_end_matches('.'), power].concat()
}

/// A fixed number of significant figures and a power of ten.
fn scientific(value: f64, digits: u8) -> String {
    let value = if value == 0.0 { 0.0 } else { value };
    format!("{value:.*e}", usize::from(clamp(digits)) - 1)
}

/// A fixed number of significant figures and an SI prefix.
fn si(value: f64, digits: u8) -> (String, &'static str) {
    if value == 0.0 {
        return (significant(value, digits), "");
    }
    let digits = clamp(digits);
    let thousands = Decimal::of(value, digits).exponent.div_euclid(3);
    let prefix = usize::try_from(thousands + UNITY).ok().and_then(|index| PREFIXES.get(index));
    match prefix {
        Some(prefix) => (significant(value / 1000_f64.powi(thousands), digits), prefix),
        None => (scientific(value, digits), ""),
    }
}

/// An `f64` holds 17 significant figures at most, and a number has at least one.
fn clamp(digits: u8) -> u8 {
    digits.clamp(1, 17)
}

/// A number rounded to some significant figures: ±0.f₁f₂… shifted so that f₁ has the weight 10^exponent.
pub(crate) struct Decimal {
    negative: bool,
    figures: String,
    /// The power of ten of the first figure, after rounding.
    pub(crate) exponent: i32,
}

impl Decimal {
    /// Rounds `value` to `digits` significant figures.
    pub(crate) fn of(value: f64, digits: u8) -> Self {
        let text = scientific(value, digits);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        Self {
            negative: mantissa.starts_with('-'),
            figures: mantissa.chars().filter(char::is_ascii_digit).collect(),
            exponent: exponent.parse().unwrap_or(0),
        }
    }
}

/// Groups the digits before the decimal point by thousands.
fn group(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, decimals) = text.find('.').map_or((text, ""), |point| text.split_at(point));
    let mut grouped = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + decimals
}

#[cfg(test)]
mod tests {
    use super::*;
    use NumberFormat::{Factor, Fixed, Integer, Percent, Plain, Scientific, Si, Significant};
    use proptest::prelude::*;

    #[test]
    fn numbers_read_as_on_paper() {
        let cases = [
            (1_017_600.0, Integer, "1,017,600"),
            (-999.6, Integer, "-1,000"),
            (-0.2, Integer, "0"),
            (1e300, Integer, "1.00000e300"),
            (11.7609, Significant(4), "11.76"),
            (9.9996, Significant(4), "10.00"),
            (1_017_600.0, Significant(4), "1,018,000"),
            (0.000_123_456, Significant(3), "0.000123"),
            (0.000_012_345, Significant(3), "1.23e-5"),
            (0.0, Significant(3), "0.00"),
            (-0.0, Significant(1), "0"),
            (460.0, Fixed(1), "460.0"),
            (0.6522, Percent(1), "65.2%"),
            (5.4144e12, Si(3), "5.41 T"),
            (999.96, Si(4), "1.000 k"),
            (0.0021, Si(2), "2.1 m"),
            (0.0, Si(2), "0.0"),
            (1e40, Si(2), "1.0e40"),
            (1.985_563, Factor(6), "1.98556×"),
            (1.380_649e-23, Scientific(3), "1.38e-23"),
            (5.41, Plain, "5.41"),
            (9020.0, Plain, "9,020"),
            (0.1 + 0.2, Plain, "0.3"),
            (-0.0, Plain, "0"),
            (1e-6, Plain, "1e-6"),
            (f64::NAN, Fixed(1), "n/a"),
            (f64::INFINITY, Si(1), "n/a"),
        ];
        for (value, format, expected) in cases {
            assert_eq!(format_number(value, format), expected, "{value} {format:?}");
        }
    }

    #[test]
    fn the_prefix_joins_the_unit() {
        assert_eq!(format_quantity(5.4144e12, Si(3), "FLOP/s"), "5.41 TFLOP/s");
        assert_eq!(format_quantity(11.76, Significant(4), "FLOP/B"), "11.76 FLOP/B");
        assert_eq!(format_quantity(2.0, Integer, ""), "2");
        assert_eq!(format_quantity(5e12, Si(1), ""), "5 T");
    }

    /// The significant figures that a text shows: zeros that only hold a place do not count.
    fn shown(text: &str) -> usize {
        let mantissa = text.split(['e', ' ', '×']).next().unwrap_or_default();
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let digits = digits.trim_start_matches('0');
        if mantissa.contains('.') { digits.len() } else { digits.trim_end_matches('0').len() }
    }

    proptest! {
        #[test]
        fn no_more_digits_than_asked(value in any::<f64>(), digits in 1_u8..=17) {
            for format in [Significant(digits), Si(digits), Factor(digits), Scientific(digits)] {
                let text = format_number(value, format);
                prop_assert!(shown(&text) <= usize::from(digits), "{text}");
            }
        }

        #[test]
        fn what_is_shown_is_near_the_value(value in -1e14_f64..1e14, digits in 1_u8..=15) {
            let text = format_number(value, Significant(digits)).replace(',', "");
            let read: f64 = text.parse().unwrap();
            prop_assert!((read - value).abs() <= value.abs() * 10_f64.powi(1 - i32::from(digits)));
        }

        #[test]
        fn no_format_panics(value in any::<f64>(), digits in any::<u8>()) {
            for format in [Integer, Significant(digits), Fixed(digits), Percent(digits), Si(digits), Factor(digits), Scientific(digits)] {
                prop_assert!(!format_number(value, format).is_empty());
            }
        }
    }
}
