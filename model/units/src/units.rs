//! Quantities as newtypes: only products that mean something exist.
//!
//! All are `f64` in SI base units. Counts of operations and bytes are whole (or half, at four bits) and stay far below
//! 2^53, so they are exact.

use std::iter::Sum;
use std::ops::{Add, Div, Mul};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Declares quantities: the type, its unit, and what one of it means.
macro_rules! quantities {
    ($($(#[$doc:meta])* $name:ident, $unit:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $name(pub f64);

        impl $name {
            /// The unit of the number.
            pub const UNIT: &'static str = $unit;
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self { Self(self.0 + other.0) }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(items: I) -> Self { Self(items.map(|q| q.0).sum()) }
        }

        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self { Self(self.0 * factor) }
        }

        impl Div for $name {
            /// A ratio has no unit.
            type Output = f64;
            fn div(self, other: Self) -> f64 { self.0 / other.0 }
        }

        impl Quantity for $name {
            const UNIT: &'static str = $unit;
            fn value(self) -> f64 { self.0 }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_number(self.0, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read_number(deserializer, $unit).map(Self)
            }
        }
    )*};
}

/// What every quantity has: a number and the unit beside it.
pub trait Quantity: Copy {
    /// The unit.
    const UNIT: &'static str;
    /// The number, in that unit.
    fn value(self) -> f64;
}

/// Counts and shares have no unit.
impl Quantity for f64 {
    const UNIT: &'static str = "";
    fn value(self) -> f64 {
        self
    }
}

quantities! {
    /// Operations: a multiply-add counts two.
    Ops, "FLOP";
    /// Bytes.
    Bytes, "B";
    /// Seconds.
    Seconds, "s";
    /// Clock cycles.
    Cycles, "cycle";
    /// Cycles per second.
    Hertz, "Hz";
    /// Operations per second.
    OpsPerSecond, "FLOP/s";
    /// Bytes per second; 1 GB/s is 1e9 of them.
    BytesPerSecond, "B/s";
    /// Operational intensity.
    OpsPerByte, "OP/B";
    /// Power.
    Watts, "W";
}

/// Implements `a / b = c`, and `c * b = a` and `b * c = a` with it.
macro_rules! quotient {
    ($($a:ident / $b:ident = $c:ident;)*) => {$(
        impl Div<$b> for $a {
            type Output = $c;
            fn div(self, other: $b) -> $c { $c(self.0 / other.0) }
        }
        impl Mul<$b> for $c {
            type Output = $a;
            fn mul(self, other: $b) -> $a { $a(self.0 * other.0) }
        }
        impl Mul<$c> for $b {
            type Output = $a;
            fn mul(self, other: $c) -> $a { $a(self.0 * other.0) }
        }
    )*};
}

quotient! {
    Ops / Seconds = OpsPerSecond;
    Bytes / Seconds = BytesPerSecond;
    Cycles / Seconds = Hertz;
    Ops / Bytes = OpsPerByte;
    OpsPerSecond / BytesPerSecond = OpsPerByte;
}

impl Div<OpsPerSecond> for Ops {
    type Output = Seconds;
    fn div(self, rate: OpsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl Div<Hertz> for Cycles {
    type Output = Seconds;
    fn div(self, clock: Hertz) -> Seconds {
        Seconds(self.0 / clock.0)
    }
}

/// Whole numbers are written without a point, so that 92160000 FLOP reads as a count; what is not finite is null.
fn serialize_number<S: Serializer>(value: f64, serializer: S) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if !value.is_finite() {
        serializer.serialize_none()
    } else if value.fract() == 0.0 && (0.0..EXACT).contains(&value) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and in range, checked above"
        )]
        serializer.serialize_u64(value as u64)
    } else {
        serializer.serialize_f64(value)
    }
}

/// Nothing that a file may state is negative.
fn read_number<'de, D: Deserializer<'de>>(deserializer: D, unit: &str) -> Result<f64, D::Error> {
    let value = f64::deserialize(deserializer)?;
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err(serde::de::Error::custom(format!(
            "{value} is negative: write zero or a positive number, in {unit}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ridge_of_the_claim_is_11_76() {
        let ridge = OpsPerSecond(5.41e12) / BytesPerSecond(460e9);
        assert!((ridge.0 - 11.760_869).abs() < 1e-6);
    }

    #[test]
    fn whole_quantities_are_written_whole() {
        assert_eq!(serde_json::to_string(&Ops(92_160_000.0)).unwrap(), "92160000");
        assert_eq!(serde_json::to_string(&Bytes(0.5)).unwrap(), "0.5");
        assert_eq!(serde_json::to_string(&Seconds(f64::INFINITY)).unwrap(), "null");
    }

    #[test]
    fn no_quantity_that_is_read_is_negative() {
        assert_eq!(serde_json::from_str::<Hertz>("300000000").unwrap(), Hertz(300e6));
        let error = serde_json::from_str::<Seconds>("-0.5").unwrap_err().to_string();
        assert!(error.starts_with("-0.5 is negative"), "{error}");
    }
}
