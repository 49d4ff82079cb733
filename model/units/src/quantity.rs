//! Quantities as people write them: `460 GB/s`, `300 MHz`, `5.41 TFLOP/s`.

/// A quantity for people: four digits and a prefix.
pub use crate::figures::quantity as shown;
use crate::figures::significant;
use crate::units::{Bytes, BytesPerSecond, Hertz, Ops, OpsPerByte, OpsPerSecond, Seconds, Watts};

/// A text that is not a quantity: one sentence with an example, or with what may be meant.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{text}` is not {noun}: {advice}")]
pub struct QuantityError {
    text: String,
    noun: &'static str,
    advice: Advice,
}

/// What to write.
#[derive(Clone, Debug, Eq, PartialEq)]
enum Advice {
    /// A number with this unit, and an example.
    Example { unit: &'static str, example: &'static str },
    /// The text counts bits, where bytes are asked: the same number of bytes, and as many bits in bytes.
    Bits { bytes: String, converted: String },
}

impl std::fmt::Display for Advice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Example { unit, example } => {
                write!(f, "write a positive number {unit}, such as \"{example}\"")
            }
            Self::Bits { bytes, converted } => write!(
                f,
                "a small b counts bits: write \"{bytes}\", or \"{converted}\" if bits are meant"
            ),
        }
    }
}

/// A quantity that can be read from text.
pub trait ParseQuantity: Sized {
    /// The quantity in `text`.
    fn parse_quantity(text: &str) -> Result<Self, QuantityError>;
}

/// Splits `460 GB/s` into its number and its unit.
fn split_unit(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|&(at, c)| {
            // The `e` of 1e9 belongs to the number; the unit starts at any other letter.
            c.is_alphabetic()
                && !(matches!(c, 'e' | 'E')
                    && text[at + 1..]
                        .starts_with(|d: char| d.is_ascii_digit() || d == '-' || d == '+'))
        })
        .map_or(text.len(), |(at, _)| at);
    // A comma is a decimal point to some readers and a thousands separator to others: it is refused.
    let number = text[..end].trim().replace('_', "").parse::<f64>().ok()?;
    (number.is_finite() && number > 0.0).then_some((number, text[end..].trim()))
}

/// Beyond these, times and rates leave what a float holds once they are divided.
const COMPUTABLE: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

fn check_range(value: f64) -> Option<f64> {
    COMPUTABLE.contains(&value).then_some(value)
}

/// The factor of an SI prefix, decimal or (`Ki`, `Mi`, `Gi`, `Ti`) binary.
fn prefix_factor(text: &str) -> Option<f64> {
    Some(match text {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "Ki" => 1024.0,
        "Mi" => 1024.0 * 1024.0,
        "Gi" => 1024.0 * 1024.0 * 1024.0,
        "Ti" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    })
}

/// Reads `text` as a number, an SI prefix and one of `units`.
fn parse_with_units(
    text: &str,
    units: &[&str],
    noun: &'static str,
    example: &'static str,
) -> Result<f64, QuantityError> {
    let read = || {
        let (number, unit) = split_unit(text)?;
        let factor = units.iter().find_map(|u| prefix_factor(unit.strip_suffix(u)?))?;
        check_range(number * factor)
    };
    let advice = Advice::Example { unit: "and its unit", example };
    read().ok_or_else(|| QuantityError { text: text.to_owned(), noun, advice })
}

/// The same of bytes; a text that counts bits is refused with both things that it may mean.
fn parse_bytes(
    text: &str,
    units: &[&str],
    noun: &'static str,
    example: &'static str,
) -> Result<f64, QuantityError> {
    parse_with_units(text, units, noun, example).map_err(|error| {
        let bits = split_unit(text).and_then(|(number, unit)| {
            let is_bits = |own: &&&str| unit.ends_with(&own.replace('B', "b"));
            let own = units.iter().find(is_bits)?;
            let prefix = &unit[..unit.len() - own.len()];
            prefix_factor(prefix)?;
            let written = |number: f64| format!("{} {prefix}{own}", significant(number, 6));
            Some(Advice::Bits { bytes: written(number), converted: written(number / 8.0) })
        });
        QuantityError { advice: bits.unwrap_or_else(|| error.advice.clone()), ..error }
    })
}

/// An operational intensity, `46.03` or `46.03 OP/B`: its unit is the only one.
pub fn parse_ops_per_byte(text: &str) -> Result<OpsPerByte, QuantityError> {
    let units = ["", "FLOP/B", "OP/B", "FLOP/byte", "OP/byte"];
    let read = split_unit(text).filter(|(_, unit)| units.contains(unit));
    read.and_then(|(number, _)| check_range(number)).map(OpsPerByte).ok_or_else(|| QuantityError {
        text: text.to_owned(),
        noun: "an operational intensity",
        advice: Advice::Example { unit: "of OP/B", example: "46.03" },
    })
}

/// A rate of inferences, `40 FPS` or `40 inferences/s`: a frame is one inference, whatever images it has.
pub fn parse_per_second(text: &str) -> Result<f64, QuantityError> {
    let units = ["FPS", "fps", "frames/s", "inferences/s", "inf/s", "samples/s"];
    let read = split_unit(text).filter(|(_, unit)| units.contains(unit));
    read.and_then(|(number, _)| check_range(number)).ok_or_else(|| QuantityError {
        text: text.to_owned(),
        noun: "a rate of inferences",
        advice: Advice::Example { unit: "of FPS or inferences/s", example: "40 FPS" },
    })
}

/// A share in per cent, `60 %`: 0.6.
pub fn parse_share(text: &str) -> Result<f64, QuantityError> {
    let number = text.trim().strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let read = number.filter(|number| *number > 0.0).and_then(check_range);
    read.map(|percent| percent / 100.0).ok_or_else(|| QuantityError {
        text: text.to_owned(),
        noun: "a share",
        advice: Advice::Example { unit: "of per cent", example: "60 %" },
    })
}

impl ParseQuantity for Ops {
    /// A multiply-add (`GMAC`) is two operations.
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        let units = ["FLOP", "FLOPs", "OP", "OPs", "Op", "Ops", "op", "ops"];
        let (noun, example) = ("an amount of work", "835 GOP");
        let pairs = parse_with_units(text, &["MAC", "MACs"], noun, example);
        pairs
            .map(|pairs| Self(2.0 * pairs))
            .or_else(|_| parse_with_units(text, &units, noun, example).map(Self))
    }
}

impl ParseQuantity for BytesPerSecond {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        parse_bytes(text, &["B/s", "Bps"], "a bandwidth", "300 GB/s").map(Self)
    }
}

impl ParseQuantity for Bytes {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        parse_bytes(text, &["B"], "a size", "256 MiB").map(Self)
    }
}

impl ParseQuantity for Hertz {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        parse_with_units(text, &["Hz"], "a clock", "300 MHz").map(Self)
    }
}

impl ParseQuantity for OpsPerSecond {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        let units = [
            "FLOP/s", "FLOPs/s", "FLOPS", "FLOPs", "OP/s", "OPs/s", "OPS", "Op/s", "Ops/s", "op/s",
            "ops/s",
        ];
        parse_with_units(text, &units, "a compute rate", "1.08 TFLOP/s").map(Self)
    }
}

impl ParseQuantity for Watts {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        parse_with_units(text, &["W"], "a power", "350 W").map(Self)
    }
}

impl ParseQuantity for Seconds {
    fn parse_quantity(text: &str) -> Result<Self, QuantityError> {
        let text_ = text.trim();
        for (unit, factor) in [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("ns", 1e-9)] {
            if let Some((number, u)) = split_unit(text_)
                && u == unit
                && let Some(seconds) = check_range(number * factor)
            {
                return Ok(Self(seconds));
            }
        }
        parse_with_units(text, &["s"], "a time", "90 ms").map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_claims_are_read() {
        assert_eq!(BytesPerSecond::parse_quantity("460 GB/s"), Ok(BytesPerSecond(460e9)));
        assert_eq!(Hertz::parse_quantity("300 MHz"), Ok(Hertz(300e6)));
        assert_eq!(OpsPerSecond::parse_quantity("18.6 TOP/s"), Ok(OpsPerSecond(18.6e12)));
        assert_eq!(OpsPerSecond::parse_quantity("5.41 TFLOPs"), Ok(OpsPerSecond(5.41e12)));
        assert_eq!(Seconds::parse_quantity("90 ms"), Ok(Seconds(0.09)));
    }

    #[test]
    fn work_rates_and_shares_are_read() {
        assert_eq!(Ops::parse_quantity("835 GOP"), Ok(Ops(835e9)));
        assert_eq!(Ops::parse_quantity("417.5 GMAC"), Ok(Ops(835e9)));
        assert_eq!(parse_per_second("40 FPS"), Ok(40.0));
        assert_eq!(parse_per_second("2.5 inferences/s"), Ok(2.5));
        assert_eq!(parse_share("50 %"), Ok(0.5));
        for text in ["50", "-1 %", "many"] {
            assert!(parse_share(text).is_err() && parse_per_second(text).is_err(), "{text}");
        }
        assert!(Ops::parse_quantity("835 GOP/s").is_err(), "a rate is not work");
    }

    #[test]
    fn binary_prefixes_are_not_decimal_ones() {
        assert_eq!(BytesPerSecond::parse_quantity("1 GiB/s"), Ok(BytesPerSecond(1_073_741_824.0)));
    }

    #[test]
    fn bits_are_not_bytes() {
        let said = |text| BytesPerSecond::parse_quantity(text).unwrap_err().to_string();
        assert_eq!(
            said("460 Gb/s"),
            "`460 Gb/s` is not a bandwidth: a small b counts bits: write \"460 GB/s\", or \"57.5 GB/s\" if bits are meant"
        );
        assert!(
            said("100 Gbps").ends_with("write \"100 GBps\", or \"12.5 GBps\" if bits are meant")
        );
        assert!(said("1 Xb/s").contains("300 GB/s"));
        let size = Bytes::parse_quantity("8 Gib").unwrap_err().to_string();
        assert!(size.contains("\"8 GiB\", or \"1 GiB\""), "{size}");
    }

    #[test]
    fn what_is_no_quantity_is_refused_with_an_example() {
        for text in [
            "",
            "460",
            "GB/s",
            "-3 GB/s",
            "0 GB/s",
            "nan GB/s",
            "1e999 GB/s",
            "1e-320 GB/s",
            "1e-300 GB/s",
            "460 GB",
            "300 MHz",
            "5 é",
            "460,5 GB/s",
            "2,048 GB/s",
        ] {
            let error = BytesPerSecond::parse_quantity(text).unwrap_err().to_string();
            assert!(error.contains("300 GB/s"), "{error}");
        }
        assert!(Seconds::parse_quantity("1e-300 ms").is_err());
        assert!(parse_ops_per_byte("1e-320").is_err());
    }
}
