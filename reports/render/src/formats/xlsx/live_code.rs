//! Excel's number codes for cells that change: the digits follow the magnitude.

use super::number_code::{decimal_code, number_code, prefix_code, scientific_code, zero_code};
use crate::NumberFormat;
use derate_units::number::Decimal;

/// The code that shows `value` as `format` would, and other values with digits enough to read them.
pub(super) fn live_code(value: f64, format: NumberFormat) -> String {
    match format {
        NumberFormat::Significant(digits) => significant_code(value, digits, ""),
        NumberFormat::Factor(digits) => significant_code(value, digits, "\"×\""),
        NumberFormat::Si(digits) => si_code(value, digits),
        NumberFormat::Fixed(_) | NumberFormat::Percent(_) | NumberFormat::Scientific(_) => {
            // Sections: above zero, below, and zero.
            let code = number_code(1.0, format);
            format!("{code};-{code};{}", zero_code(format))
        }
        NumberFormat::Integer | NumberFormat::Plain => number_code(1.0, format),
    }
}

/// A code has two conditions and a default: ten times the value, the value, and smaller ones.
fn significant_code(value: f64, digits: u8, unit: &str) -> String {
    let exponent = Decimal::of(value, digits).exponent;
    if !(-4..15).contains(&exponent) {
        return scientific_code(digits);
    }
    let digits = i32::from(digits);
    // Above, there are no decimals to lose.
    let at = exponent.min(digits - 2);
    let code = |exponent: i32| "#,##0".to_owned() + &decimal_code(digits - 1 - exponent) + unit;
    let power = |exponent: i32| format!("{}", 10_f64.powi(exponent));
    if value == 0.0 {
        return [format!("[=0]0{unit}"), format!("[>=10]{}", code(1)), code(0)].join(";");
    }
    [
        format!("[>={}]{}", power(at + 1), code(at + 1)),
        format!("[>={}]{}", power(at), code(at)),
        code(at - 1),
    ]
    .join(";")
}

/// The same with the prefix above and the one below.
fn si_code(value: f64, digits: u8) -> String {
    if value == 0.0 {
        return significant_code(value, digits, "");
    }
    let exponent = Decimal::of(value, digits).exponent;
    let digits = i32::from(digits);
    let thousands = exponent.div_euclid(3).clamp(1, 5);
    let own = if exponent.div_euclid(3) == thousands { exponent.rem_euclid(3) } else { 0 };
    let code = |thousands: i32, within: i32| {
        "0".to_owned()
            + &decimal_code(digits - 1 - within)
            + prefix_code(thousands).unwrap_or_default()
    };
    let power = |thousands: i32| format!("{}", 1000_f64.powi(thousands));
    // Below a thousand, as many decimals as the value needs.
    let below = if thousands > 1 {
        code(thousands - 1, 0)
    } else {
        "#,##0".to_owned() + &decimal_code(digits - 1 - exponent.min(0))
    };
    [
        format!("[>={}]{}", power(thousands + 1), code(thousands + 1, 0)),
        format!("[>={}]{}", power(thousands), code(thousands, own)),
        below,
    ]
    .join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_follow_the_magnitude() {
        let cases = [
            (33.5, NumberFormat::Significant(3), "[>=100]#,##0;[>=10]#,##0.0;#,##0.00"),
            (33_571.0, NumberFormat::Significant(3), "[>=100]#,##0;[>=10]#,##0.0;#,##0.00"),
            (0.021, NumberFormat::Significant(2), "[>=0.1]#,##0.00;[>=0.01]#,##0.000;#,##0.0000"),
            (
                1.986,
                NumberFormat::Factor(3),
                "[>=10]#,##0.0\"×\";[>=1]#,##0.00\"×\";#,##0.000\"×\"",
            ),
            (
                5.41e12,
                NumberFormat::Si(3),
                "[>=1000000000000000]0.00,,,,,\" P\";[>=1000000000000]0.00,,,,\" T\";0.00,,,\" G\"",
            ),
            (
                460e9,
                NumberFormat::Si(3),
                "[>=1000000000000]0.00,,,,\" T\";[>=1000000000]0,,,\" G\";0.00,,\" M\"",
            ),
            (12.0, NumberFormat::Si(3), "[>=1000000]0.00,,\" M\";[>=1000]0.00,\" k\";#,##0.00"),
            (460.0, NumberFormat::Integer, "#,##0"),
            (2.5, NumberFormat::Fixed(1), "#,##0.0;-#,##0.0;0"),
            (0.0, NumberFormat::Percent(1), "0.0%;-0.0%;0%"),
            (0.0, NumberFormat::Significant(4), "[=0]0;[>=10]#,##0.00;#,##0.000"),
            (0.0, NumberFormat::Si(3), "[=0]0;[>=10]#,##0.0;#,##0.00"),
        ];
        for (value, format, expected) in cases {
            assert_eq!(live_code(value, format), expected, "{value} {format:?}");
        }
    }
}
