//! Numbers and their types.

use std::fmt;

/// The type of one number.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Debug)]
pub enum Scalar {
    /// A whole number of some width.
    Int {
        /// Its width.
        bits: u16,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A fixed-point number.
    Fixed {
        /// Its width.
        bits: u16,
        /// The bits before the point.
        integer: i16,
        /// Whether it has a sign.
        signed: bool,
    },
    /// 16-bit floating point.
    Half,
    /// 32-bit floating point.
    Float,
    /// 64-bit floating point.
    Double,
}

impl Scalar {
    /// A truth value.
    pub const BOOL: Self = Self::Int { bits: 1, signed: false };
    /// `int`
    pub const INT: Self = Self::Int { bits: 32, signed: true };

    /// The width in bits.
    #[must_use]
    pub fn bits(self) -> u16 {
        match self {
            Self::Int { bits, .. } | Self::Fixed { bits, .. } => bits,
            Self::Half => 16,
            Self::Float => 32,
            Self::Double => 64,
        }
    }

    /// Whether it is floating point.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::Float | Self::Double)
    }

    /// Whether it has a sign.
    #[must_use]
    pub fn is_signed(self) -> bool {
        match self {
            Self::Int { signed, .. } | Self::Fixed { signed, .. } => signed,
            _ => true,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int { bits, signed } => {
                write!(f, "{}{bits}", if signed { "int" } else { "uint" })
            }
            Self::Fixed { bits, integer, signed } => {
                write!(f, "{}<{bits},{integer}>", if signed { "fixed" } else { "ufixed" })
            }
            Self::Half => f.write_str("half"),
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
        }
    }
}

/// A number that is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A number with a fraction.
    Real(f64),
}

impl Number {
    /// The number as a fraction.
    #[allow(clippy::cast_precision_loss)]
    #[must_use]
    pub fn real(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.real() == 0.0
    }
}
