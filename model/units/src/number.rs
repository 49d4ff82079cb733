//! Numbers as people read them: significant figures, grouped thousands, SI prefixes.
//!
//! This is the one place that decides how many digits a figure shows, and how it is rounded: from the figures that an
//! `f64` knows, halves away from zero, as on paper and in a spreadsheet. So `1.1275e12 FLOP/s` and `1127.5 GFLOP/s` read
//! the same, whatever their last bits are.

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

/// The text for a value that is not a number.
pub const NOT_A_NUMBER: &str = "n/a";

/// Beyond this, an `f64` no longer knows its own units digit.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// An `f64` holds this many significant figures exactly; what follows them depends on how a figure was computed.
const KNOWN: u8 = 15;

/// The figures that a table of plain numbers gives: further ones are the noise of long sums.
const IN_FULL: u8 = 12;

/// SI prefixes from 10^-15 to 10^18, a factor of a thousand apart.
const PREFIXES: [&str; 12] = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"];

/// The index of the empty prefix.
const UNITY: i32 = 5;

/// Writes `value`; what is not finite is never written as a number, and a zero is `0`: no digit behind it says more.
pub fn format_number(value: f64, format: NumberFormat) -> String {
    let (figure, prefix) = write_figure(value, format);
    if prefix.is_empty() { figure } else { format!("{figure} {prefix}") }
}

/// Writes `value` with its unit, the SI prefix before the unit: `5.41 TFLOP/s`.
pub fn format_quantity(value: f64, format: NumberFormat, unit: &str) -> String {
    let (figure, prefix) = write_figure(value, format);
    if unit.is_empty() && prefix.is_empty() { figure } else { format!("{figure} {prefix}{unit}") }
}

/// The figure and its SI prefix.
fn write_figure(value: f64, format: NumberFormat) -> (String, &'static str) {
    let percent = matches!(format, NumberFormat::Percent(_));
    let value = if percent { value * 100.0 } else { value };
    if !value.is_finite() {
        return (NOT_A_NUMBER.to_owned(), "");
    }
    if value == 0.0 {
        return (format!("0{}", unit_sign(format)), "");
    }
    let figure = match format {
        NumberFormat::Integer => write_fixed(value, 0),
        NumberFormat::Fixed(decimals) => write_fixed(value, decimals),
        NumberFormat::Percent(decimals) => write_fixed(value, decimals) + unit_sign(format),
        NumberFormat::Significant(digits) => write_significant(value, digits),
        NumberFormat::Factor(digits) => write_significant(value, digits) + unit_sign(format),
        NumberFormat::Scientific(digits) => write_scientific(value, digits),
        NumberFormat::Plain => write_plain(value),
        NumberFormat::Si(digits) => return write_si(value, digits),
    };
    (figure, "")
}

/// The sign after the digits.
pub fn unit_sign(format: NumberFormat) -> &'static str {
    match format {
        NumberFormat::Percent(_) => "%",
        NumberFormat::Factor(_) => "×",
        _ => "",
    }
}

/// A fixed number of decimals.
fn write_fixed(value: f64, decimals: u8) -> String {
    if value.abs() >= EXACT {
        return write_scientific(value, 6);
    }
    let decimals = decimals.min(KNOWN);
    let Decimal { negative, figures, exponent } = Decimal::read(value, KNOWN);
    let keep = exponent + 1 + i32::from(decimals);
    let decimals = usize::from(decimals);
    let digits = match usize::try_from(keep) {
        Err(_) => "0".to_owned(),
        Ok(keep) if keep > figures.len() => {
            return group_thousands(&format!("{:.decimals$}", value + 0.0));
        }
        Ok(keep) => round_digits(&figures, keep),
    };
    let digits = format!("{digits:0>width$}", width = decimals + 1);
    let (whole, rest) = digits.split_at(digits.len() - decimals);
    let sign = if negative && digits.bytes().any(|digit| digit != b'0') { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    group_thousands(&[sign, whole, point, rest].concat())
}

/// The first `keep` of some digits, halves away from zero; a carry makes one more.
fn round_digits(digits: &str, keep: usize) -> String {
    let (kept, rest) = digits.split_at_checked(keep).unwrap_or((digits, ""));
    let up = u64::from(rest.bytes().next().is_some_and(|first| first >= b'5'));
    format!("{:0>keep$}", kept.parse::<u64>().unwrap_or(0) + up)
}

/// A number that other programs read, in up to twelve significant figures; whole numbers are exact.
pub fn write_in_full(value: f64) -> String {
    if value.abs() < EXACT && value.fract() == 0.0 {
        return format!("{}", value + 0.0);
    }
    let Decimal { negative, figures, exponent } = Decimal::of(value, IN_FULL);
    let sign = if negative { "-" } else { "" };
    let text = format!("{sign}{figures}e{}", exponent + 1 - i32::from(IN_FULL));
    text.parse().map_or(text, |value: f64| value.to_string())
}

/// A fixed number of significant figures; what follows them before the decimal point is zeros.
fn write_significant(value: f64, digits: u8) -> String {
    let digits = clamp_digits(digits);
    let Decimal { negative, figures, exponent } = Decimal::of(value, digits);
    if !(-4..15).contains(&exponent) {
        return write_scientific(value, digits);
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
    group_thousands(&text)
}

/// Every figure that somebody may have typed: no more than 15 are the same in every `f64`.
fn write_plain(value: f64) -> String {
    let text = write_significant(value, 15);
    let (mantissa, power) = text.find('e').map_or((&*text, ""), |at| text.split_at(at));
    if !mantissa.contains('.') {
        return text;
    }
    [mantissa.trim_end_matches('0').trim_end_matches('.'), power].concat()
}

/// A fixed number of significant figures and a power of ten.
fn write_scientific(value: f64, digits: u8) -> String {
    let Decimal { negative, figures, exponent } = Decimal::of(value, clamp_digits(digits));
    let (first, rest) = figures.split_at_checked(1).unwrap_or((&figures, ""));
    let sign = if negative { "-" } else { "" };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e{exponent}")
}

/// A fixed number of significant figures and an SI prefix.
fn write_si(value: f64, digits: u8) -> (String, &'static str) {
    let digits = clamp_digits(digits);
    let thousands = Decimal::of(value, digits).exponent.div_euclid(3);
    let prefix = usize::try_from(thousands + UNITY).ok().and_then(|index| PREFIXES.get(index));
    match prefix {
        Some(prefix) => (write_significant(value / 1000_f64.powi(thousands), digits), prefix),
        None => (write_scientific(value, digits), ""),
    }
}

/// An `f64` holds 17 significant figures at most, and a number has at least one.
fn clamp_digits(digits: u8) -> u8 {
    digits.clamp(1, 17)
}

/// A number rounded to some significant figures: ±0.f₁f₂… shifted so that f₁ has the weight 10^exponent.
pub struct Decimal {
    negative: bool,
    figures: String,
    /// The power of ten of the first figure, after rounding.
    pub exponent: i32,
}

impl Decimal {
    /// Rounds `value` to `digits` significant figures.
    pub fn of(value: f64, digits: u8) -> Self {
        if digits >= KNOWN {
            return Self::read(value, digits);
        }
        let Self { negative, figures, exponent } = Self::read(value, KNOWN);
        let keep = usize::from(clamp_digits(digits));
        let mut figures = round_digits(&figures, keep);
        let carried = figures.len() > keep;
        figures.truncate(keep);
        Self { negative, figures, exponent: exponent + i32::from(carried) }
    }

    /// The figures of `value` itself.
    fn read(value: f64, digits: u8) -> Self {
        let value = if value == 0.0 { 0.0 } else { value };
        let text = format!("{value:.*e}", usize::from(clamp_digits(digits)) - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        Self {
            negative: mantissa.starts_with('-'),
            figures: mantissa.chars().filter(char::is_ascii_digit).collect(),
            exponent: exponent.parse().unwrap_or(0),
        }
    }
}

/// Groups the digits before the decimal point by thousands.
fn group_thousands(text: &str) -> String {
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
            (0.0, Significant(3), "0"),
            (-0.0, Significant(1), "0"),
            (460.0, Fixed(1), "460.0"),
            (0.6522, Percent(1), "65.2%"),
            (5.4144e12, Si(3), "5.41 T"),
            (999.96, Si(4), "1.000 k"),
            (0.0021, Si(2), "2.1 m"),
            (0.0, Si(2), "0"),
            (1e40, Si(2), "1.0e40"),
            (1.985_563, Factor(6), "1.98556×"),
            (1.380_649e-23, Scientific(3), "1.38e-23"),
            (5.41, Plain, "5.41"),
            (9020.0, Plain, "9,020"),
            (0.1 + 0.2, Plain, "0.3"),
            (-0.0, Plain, "0"),
            (1e-6, Plain, "1e-6"),
            (1.1275, Significant(4), "1.128"),
            (1127.5, Significant(4), "1,128"),
            (1.1275e12, Si(4), "1.128 T"),
            (2.5, Integer, "3"),
            (0.5, Integer, "1"),
            (-0.4, Fixed(0), "0"),
            (0.285, Fixed(2), "0.29"),
            (99.995, Fixed(2), "100.00"),
            (0.004, Fixed(2), "0.00"),
            (0.0, Fixed(2), "0"),
            (0.0, Percent(1), "0%"),
            (0.0, Factor(3), "0×"),
            (0.0, Scientific(3), "0"),
            (9_007_199_254_740_991.0, Integer, "9,007,199,254,740,991"),
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

    #[test]
    fn other_programs_read_no_noise() {
        let cases = [
            (3_599.999_999_999_999_5, "3600"),
            (1.0 / 3.0, "0.333333333333"),
            (1_800_184_704_123.0, "1800184704123"),
            (-0.0, "0"),
            (1.38e-23, "0.0000000000000000000000138"),
            (-2.5, "-2.5"),
        ];
        for (value, expected) in cases {
            assert_eq!(write_in_full(value), expected);
        }
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
        fn the_unit_and_the_last_bits_change_no_text(figures in 1_000_u32..99_999, ulps in -2_i64..=2) {
            let value = f64::from(figures) / 1e4;
            let near = |value: f64| f64::from_bits((value.to_bits().cast_signed() + ulps).cast_unsigned());
            let text = format_number(value, Significant(4));
            prop_assert_eq!(&format_number(near(value), Significant(4)), &text);
            prop_assert_eq!(format_number(near(value * 1e12), Si(4)), format_number(value * 1e12, Si(4)));
            if value >= 1.0 {
                prop_assert_eq!(format_number(value * 1e12, Si(4)), format!("{text} T"));
            }
        }

        #[test]
        fn no_format_panics(value in any::<f64>(), digits in any::<u8>()) {
            for format in [Integer, Significant(digits), Fixed(digits), Percent(digits), Si(digits), Factor(digits), Scientific(digits)] {
                prop_assert!(!format_number(value, format).is_empty());
            }
        }
    }
}
