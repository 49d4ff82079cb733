//! Number formats: what one element costs in memory and which arithmetic it needs.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Bytes;

/// How the bits of an element are read.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum ElementFormat {
    /// Sign, exponent and stored mantissa bits.
    Float {
        /// Exponent bits.
        exponent: u32,
        /// Stored mantissa bits, without the hidden one.
        mantissa: u32,
    },
    /// Two's complement or unsigned integer.
    Integer {
        /// Value bits, the sign included.
        bits: u32,
        /// Whether negative values exist.
        signed: bool,
    },
    /// Fixed point of `bits` in all, `integer` of them before the point.
    Fixed {
        /// All bits.
        bits: u32,
        /// Bits before the point, the sign included; may be negative.
        integer: i32,
        /// Whether negative values exist.
        signed: bool,
    },
}

/// A number format together with the bits that one element takes in external memory.
///
/// The two differ for types that memory pads: `ap_fixed<18, 8>` holds 18 bits and takes 32.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Precision {
    format: ElementFormat,
    storage_bits: u32,
}

const fn float(exponent: u32, mantissa: u32) -> Precision {
    Precision {
        format: ElementFormat::Float { exponent, mantissa },
        storage_bits: 1 + exponent + mantissa,
    }
}

impl Precision {
    /// IEEE 754 binary64.
    pub const FP64: Self = float(11, 52);
    /// IEEE 754 binary32.
    pub const FP32: Self = float(8, 23);
    /// IEEE 754 binary16.
    pub const FP16: Self = float(5, 10);
    /// The upper half of binary32.
    pub const BF16: Self = float(8, 7);
    /// What tensor cores read of a binary32: its exponent and ten mantissa bits. Memory holds 32 bits.
    pub const TF32: Self =
        Self { format: ElementFormat::Float { exponent: 8, mantissa: 10 }, storage_bits: 32 };
    /// OCP FP8 with four exponent bits.
    pub const FP8_E4M3: Self = float(4, 3);
    /// OCP FP8 with five exponent bits.
    pub const FP8_E5M2: Self = float(5, 2);
    /// OCP FP6 with three exponent bits.
    pub const FP6_E3M2: Self = float(3, 2);
    /// OCP FP6 with two exponent bits.
    pub const FP6_E2M3: Self = float(2, 3);
    /// OCP FP4, two to a byte.
    pub const FP4_E2M1: Self = float(2, 1);
    /// 64-bit integer.
    pub const INT64: Self = Self::integer(64, true);
    /// 32-bit integer.
    pub const INT32: Self = Self::integer(32, true);
    /// 16-bit integer.
    pub const INT16: Self = Self::integer(16, true);
    /// 8-bit integer.
    pub const INT8: Self = Self::integer(8, true);
    /// 4-bit integer, two to a byte.
    pub const INT4: Self = Self::integer(4, true);
    /// Unsigned 8-bit integer.
    pub const UINT8: Self = Self::integer(8, false);
    /// `PyTorch` stores one truth value per byte.
    pub const BOOL: Self =
        Self { format: ElementFormat::Integer { bits: 1, signed: false }, storage_bits: 8 };

    /// An integer that memory does not pad.
    pub const fn integer(bits: u32, signed: bool) -> Self {
        Self { format: ElementFormat::Integer { bits, signed }, storage_bits: bits }
    }

    /// The number format of a name: `torch.bfloat16`, `BF16`, `bf16`, `float32`, `F32`, `int8`...
    ///
    /// `None` for a name that is not known, never a guess.
    ///
    /// ```
    /// use derate_units::Precision;
    /// assert_eq!(Precision::parse("torch.bfloat16"), Some(Precision::BF16));
    /// assert_eq!(Precision::parse("q4_K"), None);
    /// ```
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase().replace(char::is_whitespace, "");
        let name = name.strip_prefix("torch.").unwrap_or(&name);
        Some(match name {
            "float64" | "double" | "f64" | "fp64" => Self::FP64,
            "float32" | "float" | "f32" | "fp32" => Self::FP32,
            "float16" | "half" | "f16" | "fp16" => Self::FP16,
            "bfloat16" | "bf16" => Self::BF16,
            "tensorfloat32" | "tf32" => Self::TF32,
            "float8_e4m3fn" | "f8_e4m3" | "fp8_e4m3" => Self::FP8_E4M3,
            "float8_e5m2" | "f8_e5m2" | "fp8_e5m2" => Self::FP8_E5M2,
            "float6_e3m2fn" | "f6_e3m2" | "fp6_e3m2" => Self::FP6_E3M2,
            "float6_e2m3fn" | "f6_e2m3" | "fp6_e2m3" => Self::FP6_E2M3,
            "float4_e2m1fn" | "f4_e2m1" | "fp4_e2m1" => Self::FP4_E2M1,
            "int64" | "long" | "i64" => Self::INT64,
            "int32" | "int" | "i32" => Self::INT32,
            "int16" | "short" | "i16" => Self::INT16,
            "int8" | "i8" => Self::INT8,
            "int4" | "i4" => Self::INT4,
            "uint4" | "u4" => Self::integer(4, false),
            "uint64" | "u64" => Self::integer(64, false),
            "uint32" | "u32" => Self::integer(32, false),
            "uint16" | "u16" => Self::integer(16, false),
            "uint8" | "u8" => Self::UINT8,
            "bool" => Self::BOOL,
            name => return parse_template(name),
        })
    }

    /// A format whose elements take `storage_bits` in external memory, which may be more than the number has.
    pub const fn stored(format: ElementFormat, storage_bits: u32) -> Self {
        Self { format, storage_bits }
    }

    /// How the bits are read.
    pub fn format(self) -> ElementFormat {
        self.format
    }

    /// Whether it is a floating-point format.
    pub fn is_float(self) -> bool {
        matches!(self.format, ElementFormat::Float { .. })
    }

    /// Whether it is a floating-point format that has every number of `integer`.
    pub fn can_hold(self, integer: Self) -> bool {
        let ElementFormat::Float { mantissa, .. } = self.format else { return false };
        let digits = match integer.format {
            ElementFormat::Float { .. } => return false,
            ElementFormat::Integer { bits, signed } | ElementFormat::Fixed { bits, signed, .. } => {
                bits - u32::from(signed && bits > 0)
            }
        };
        mantissa + 1 >= digits
    }

    /// Bits that one element takes in external memory.
    pub fn bits(self) -> u32 {
        self.storage_bits
    }

    /// Whether memory takes more bits than the number has.
    pub fn is_padded(self) -> bool {
        self.number_bits() < self.storage_bits
    }

    /// Bits of the number itself.
    pub fn number_bits(self) -> u32 {
        match self.format {
            ElementFormat::Float { exponent, mantissa } => 1 + exponent + mantissa,
            ElementFormat::Integer { bits, .. } | ElementFormat::Fixed { bits, .. } => bits,
        }
    }

    /// The name, with the bits in memory where they are more: `AP_INT<4> (4 bits in 8)`.
    pub fn in_memory(self) -> String {
        if self.is_padded() {
            format!("{self} ({} bits in {})", self.number_bits(), self.storage_bits)
        } else {
            self.to_string()
        }
    }

    /// Bytes of `elements` of them; whole bits, so that INT4 halves are exact.
    pub fn bytes(self, elements: u64) -> Bytes {
        Bytes(elements as f64 * f64::from(self.storage_bits) / 8.0)
    }

    /// The name as a key of a TOML table, in quotes where it needs them.
    pub fn toml_key(self) -> String {
        let key = self.key();
        if key.contains('<') { format!("\"{key}\"") } else { key }
    }

    /// The lower-case name that `derate.toml` and the JSON use, such as `bf16`.
    pub fn key(self) -> String {
        self.to_string().to_ascii_lowercase()
    }
}

/// The widest number that anybody builds.
const WIDEST: u32 = 4096;

/// `ap_int<4>`, `ap_ufixed<8, 2, AP_RND>`, `fixed<16,6>`, `ap_float<16,8>`, and `int5`, packed: widths that only hardware
/// has.
fn parse_template(name: &str) -> Option<Precision> {
    let name = name.strip_prefix("ap_").unwrap_or(name);
    let (name, signed) = match name.strip_prefix('u') {
        Some(rest) => (rest, false),
        None => (name, true),
    };
    let Some((family, rest)) = name.split_once('<') else {
        let bits = name.strip_prefix("int")?.parse().ok()?;
        return (1..=WIDEST).contains(&bits).then(|| Precision::integer(bits, signed));
    };
    // How an ap_fixed rounds and overflows changes no byte.
    let mut arguments = rest.strip_suffix('>')?.split(',').map(str::trim);
    let width: u32 = arguments.next()?.parse().ok()?;
    let format = match family {
        "int" => ElementFormat::Integer { bits: width, signed },
        "fixed" => {
            ElementFormat::Fixed { bits: width, integer: arguments.next()?.parse().ok()?, signed }
        }
        "float" if signed => {
            let exponent: u32 = arguments.next()?.parse().ok()?;
            let mantissa = width.checked_sub(exponent.checked_add(1)?)?;
            ElementFormat::Float { exponent, mantissa }
        }
        _ => return None,
    };
    let is_mode = |word: &str| word.starts_with("ap_") || word.parse::<u32>().is_ok();
    let known = match family {
        "fixed" => arguments.by_ref().take(3).all(is_mode) && arguments.next().is_none(),
        _ => arguments.next().is_none(),
    };
    let built = known && (1..=WIDEST).contains(&width);
    built.then(|| Precision::stored(format, padded_bits(format, width)))
}

/// Bits of a number of `width` bits in the memory of the vendor's C model: 1, 2, 4 or 8 bytes, then whole words of 8. A float
/// of an odd width keeps value, sign and exponent in separate members.
fn padded_bits(format: ElementFormat, width: u32) -> u32 {
    let padded = |bits: u32| match bits {
        0..=64 => bits.next_power_of_two().max(8),
        _ => bits.next_multiple_of(64),
    };
    match format {
        ElementFormat::Float { .. } if !matches!(width, 16 | 32 | 64 | 128) => {
            3 * padded(width - 1).max(32)
        }
        _ => padded(width),
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.format {
            ElementFormat::Float { exponent: 11, mantissa: 52 } => "FP64".to_owned(),
            ElementFormat::Float { exponent: 8, mantissa: 23 } => "FP32".to_owned(),
            ElementFormat::Float { exponent: 5, mantissa: 10 } => "FP16".to_owned(),
            ElementFormat::Float { exponent: 8, mantissa: 7 } => "BF16".to_owned(),
            ElementFormat::Float { exponent: 8, mantissa: 10 } => "TF32".to_owned(),
            ElementFormat::Float { exponent, mantissa } => {
                format!("FP{}_E{exponent}M{mantissa}", 1 + exponent + mantissa)
            }
            ElementFormat::Integer { bits: 1, signed: false } => "BOOL".to_owned(),
            // The plain name is that of packed bits.
            ElementFormat::Integer { bits, signed } if self.is_padded() => {
                format!("AP_{}INT<{bits}>", if signed { "" } else { "U" })
            }
            ElementFormat::Integer { bits, signed: true } => format!("INT{bits}"),
            ElementFormat::Integer { bits, signed: false } => format!("UINT{bits}"),
            ElementFormat::Fixed { bits, integer, signed } => {
                format!("{}FIXED<{bits},{integer}>", if signed { "" } else { "U" })
            }
        };
        f.pad(&name)
    }
}

impl Serialize for Precision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_key_are_one() {
        for p in [
            Precision::FP32,
            Precision::TF32,
            Precision::BF16,
            Precision::FP16,
            Precision::FP8_E4M3,
            Precision::FP8_E5M2,
            Precision::FP6_E3M2,
            Precision::FP6_E2M3,
            Precision::FP4_E2M1,
            Precision::INT8,
            Precision::INT4,
        ] {
            assert_eq!(Precision::parse(&p.key()), Some(p));
        }
    }

    #[test]
    fn hardware_widths_have_names_too() {
        let bits = |name: &str| Precision::parse(name).map(Precision::bits);
        assert_eq!(bits("ap_fixed<18, 8>"), Some(32));
        assert_eq!(bits("ap_uint<4>"), Some(8));
        assert_eq!(bits("int5"), Some(5));
        assert_eq!(bits("ap_fixed<16, 6, AP_RND, AP_SAT>"), Some(16));
        assert_eq!(Precision::parse("ap_float<16,8>"), Some(Precision::BF16));
        for name in [
            "ap_fixed<18>",
            "ap_int<0>",
            "ap_int<-3>",
            "ap_int<99999999>",
            "int",
            "uint",
            "ap_int<",
            "ap_int<8,4>",
            "ap_ufloat<16,8>",
            "ap_float<16,30>",
            "ap_fixed<16,6,AP_RND,AP_SAT,1,2>",
            "ap_fixed<16,6,9 apples>",
        ] {
            assert!(name == "int" || Precision::parse(name).is_none(), "{name}");
        }
    }

    #[test]
    fn int4_halves_are_exact() {
        assert_eq!(Precision::INT4.bytes(3), Bytes(1.5));
    }

    /// A named precision is packed, a type of C++ is counted as memory lays it out; no name is that of both.
    #[test]
    fn odd_widths_are_packed_or_padded_and_named_so() {
        for (name, shown, bits) in [
            ("int4", "INT4", 4),
            ("uint4", "UINT4", 4),
            ("ap_int<4>", "AP_INT<4> (4 bits in 8)", 8),
            ("ap_uint<4>", "AP_UINT<4> (4 bits in 8)", 8),
            ("int2", "INT2", 2),
            ("ap_int<2>", "AP_INT<2> (2 bits in 8)", 8),
            ("ap_uint<18>", "AP_UINT<18> (18 bits in 32)", 32),
            ("int8", "INT8", 8),
        ] {
            let precision = Precision::parse(name).unwrap();
            assert_eq!((precision.in_memory().as_str(), precision.bits()), (shown, bits), "{name}");
            assert_eq!(Precision::parse(&precision.key()), Some(precision), "{name}");
        }
    }
}
