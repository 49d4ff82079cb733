//! Excel's codes for number formats.

use crate::NumberFormat;
use derate_units::number::{Decimal, unit_sign};

/// The code that shows `value` as `format` would; significant figures become decimals that fit this value.
pub(super) fn number_code(value: f64, format: NumberFormat) -> String {
    if value == 0.0 {
        return zero_code(format);
    }
    match format {
        NumberFormat::Integer => "#,##0".to_owned(),
        NumberFormat::Fixed(places) => "#,##0".to_owned() + &decimal_code(i32::from(places)),
        NumberFormat::Percent(places) => "0".to_owned() + &decimal_code(i32::from(places)) + "%",
        NumberFormat::Significant(digits) => significant_code(value, digits),
        NumberFormat::Factor(digits) => significant_code(value, digits) + "\"×\"",
        NumberFormat::Scientific(digits) => scientific_code(digits),
        NumberFormat::Plain => "[>=10000]#,##0;General".to_owned(),
        NumberFormat::Si(digits) => si_code(value, digits),
    }
}

/// The code of a zero.
pub(super) fn zero_code(format: NumberFormat) -> String {
    match unit_sign(format) {
        "" => "0".to_owned(),
        "%" => "0%".to_owned(),
        sign => format!("0\"{sign}\""),
    }
}

/// The decimal point and what follows.
pub(super) fn decimal_code(places: i32) -> String {
    match usize::try_from(places.min(15)) {
        Ok(0) | Err(_) => String::new(),
        Ok(places) => ".".to_owned() + &"0".repeat(places),
    }
}

fn significant_code(value: f64, digits: u8) -> String {
    let exponent = Decimal::of(value, digits).exponent;
    if !(-4..15).contains(&exponent) {
        return scientific_code(digits);
    }
    "#,##0".to_owned() + &decimal_code(i32::from(digits) - 1 - exponent)
}

pub(super) fn scientific_code(digits: u8) -> String {
    "0".to_owned() + &decimal_code(i32::from(digits) - 1) + "E+00"
}

/// The code behind the digits that divides by a power of a thousand: a comma does so once. Nothing multiplies, so that
/// small numbers stay as they are.
pub(super) fn prefix_code(thousands: i32) -> Option<&'static str> {
    Some(match thousands {
        1 => ",\" k\"",
        2 => ",,\" M\"",
        3 => ",,,\" G\"",
        4 => ",,,,\" T\"",
        5 => ",,,,,\" P\"",
        6 => ",,,,,,\" E\"",
        _ => return None,
    })
}

fn si_code(value: f64, digits: u8) -> String {
    let exponent = Decimal::of(value, digits).exponent;
    let Some(prefix) = prefix_code(exponent.div_euclid(3)) else {
        return significant_code(value, digits);
    };
    "0".to_owned() + &decimal_code(i32::from(digits) - 1 - exponent.rem_euclid(3)) + prefix
}

/// The code for an axis that reaches up to `max`: SI prefixes at whole powers of ten.
pub(super) fn axis_code(max: f64) -> String {
    let tiers = [
        (1e18, ",,,,,,\" E\""),
        (1e15, ",,,,,\" P\""),
        (1e12, ",,,,\" T\""),
        (1e9, ",,,\" G\""),
        (1e6, ",,\" M\""),
        (1e3, ",\" k\""),
    ];
    let fitting: Vec<_> = tiers.iter().filter(|(from, _)| *from <= max).take(3).collect();
    match fitting[..] {
        // A code holds two conditions and a rest.
        [(first, a), (second, b), (_, c)] => format!("[>={first}]0{a};[>={second}]0{b};0{c}"),
        _ if max <= 1e5 => "General".to_owned(),
        [(first, a), (second, b)] => format!("[>={first}]0{a};[>={second}]0{b};General"),
        _ => "General".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_show_what_text_shows() {
        let cases = [
            (1_017_600.0, NumberFormat::Integer, "#,##0"),
            (11.76, NumberFormat::Significant(4), "#,##0.00"),
            (9.9996, NumberFormat::Significant(4), "#,##0.00"),
            (123_456.0, NumberFormat::Significant(3), "#,##0"),
            (1.38e-23, NumberFormat::Significant(3), "0.00E+00"),
            (5.41e12, NumberFormat::Si(3), "0.00,,,,\" T\""),
            (541e9, NumberFormat::Si(3), "0,,,\" G\""),
            (0.0021, NumberFormat::Si(2), "#,##0.0000"),
            (0.0, NumberFormat::Si(2), "0"),
            (0.0, NumberFormat::Significant(4), "0"),
            (0.5, NumberFormat::Percent(1), "0.0%"),
            (1.985_563, NumberFormat::Factor(6), "#,##0.00000\"×\""),
        ];
        for (value, format, expected) in cases {
            assert_eq!(number_code(value, format), expected, "{value} {format:?}");
        }
    }

    #[test]
    fn an_axis_has_at_most_two_conditions() {
        assert_eq!(axis_code(1e3), "General");
        assert_eq!(
            axis_code(1e13),
            "[>=1000000000000]0,,,,\" T\";[>=1000000000]0,,,\" G\";0,,\" M\""
        );
        assert_eq!(axis_code(1e6), "[>=1000000]0,,\" M\";[>=1000]0,\" k\";General");
    }
}
