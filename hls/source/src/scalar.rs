//! Scalar number types of HLS C++, and how many bits each one holds.

use std::fmt;

/// Whose library a number of free width is of: its name, and what it does where its width is not all.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum NumberLibrary {
    /// AMD's `ap_int`, `ap_fixed`.
    Ap,
    /// `ac_int`, `ac_fixed` of Catapult and Intel.
    Ac,
    /// `sc_int`, `sc_fixed` of `SystemC`.
    Sc,
    /// `sc_bigint` of `SystemC`, wider than 64 bits.
    ScBig,
}

/// One number, as the hardware or the C compiler stores it.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum ScalarType {
    /// `float`, IEEE binary32.
    Float,
    /// `double`, IEEE binary64.
    Double,
    /// `long double`: the 80-bit x87 format, which occupies 16 bytes.
    LongDouble,
    /// `half`, `_Float16`, `__fp16`: IEEE binary16.
    Half,
    /// `bfloat16`: eight exponent bits, seven fraction bits.
    BFloat16,
    /// `bool`, which C++ keeps in one byte.
    Bool,
    /// A C integer: `char`, `int`, `size_t`, `int8_t`...
    Int {
        /// Width.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// `ap_int<N>`, `ap_uint<N>`, `ac_int<N, S>`.
    FreeInt {
        /// Whose.
        library: NumberLibrary,
        /// Width.
        bits: u32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// `ap_fixed<W, I>`, `ap_ufixed<W, I>`, `ac_fixed<W, I, S>`.
    Fixed {
        /// Whose.
        library: NumberLibrary,
        /// Width.
        width: u32,
        /// Bits before the binary point; may be negative, or exceed the width.
        integer: i32,
        /// Whether it has a sign.
        signed: bool,
    },
    /// A float of free width: `ap_float<W, E>`, `ac_std_float<W, E>`, `ac_ieee_float<binary128>`.
    ApFloat {
        /// Whose.
        library: NumberLibrary,
        /// Width, the sign included.
        width: u32,
        /// Exponent bits.
        exponent: u32,
    },
    /// `ac_float<W, I, E>`: a mantissa that is a fixed-point number, beside an exponent.
    AcFloat {
        /// Mantissa bits.
        mantissa: u32,
        /// Mantissa bits before the binary point.
        integer: i32,
        /// Exponent bits.
        exponent: u32,
    },
}

/// What kind of number a scalar is, its width set aside.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum NumberKind {
    /// Mantissa and exponent.
    Float,
    /// A fixed binary point.
    Fixed,
    /// Whole numbers.
    Integer,
}

impl ScalarType {
    /// `ap_int<N>` or `ap_uint<N>`.
    pub fn ap_int(bits: u32, signed: bool) -> Self {
        Self::FreeInt { library: NumberLibrary::Ap, bits, signed }
    }

    /// `ap_fixed<W, I>` or `ap_ufixed<W, I>`.
    pub fn ap_fixed(width: u32, integer: i32, signed: bool) -> Self {
        Self::Fixed { library: NumberLibrary::Ap, width, integer, signed }
    }

    /// How many bits one value holds when packed: what a stream or a BRAM word carries.
    pub fn bits(&self) -> u32 {
        match *self {
            Self::Float => 32,
            Self::Double => 64,
            Self::LongDouble => 80,
            Self::Half | Self::BFloat16 => 16,
            Self::Bool => 1,
            Self::Int { bits, .. } | Self::FreeInt { bits, .. } => bits,
            Self::Fixed { width, .. } | Self::ApFloat { width, .. } => width,
            Self::AcFloat { mantissa, exponent, .. } => mantissa.saturating_add(exponent),
        }
    }

    /// How many bytes one value occupies in memory, which is what `sizeof` says in C simulation
    /// and what an unpacked port moves.
    pub fn bytes_in_memory(&self) -> u32 {
        match *self {
            Self::LongDouble => 16,
            Self::Bool => 1,
            // The C model keeps value, sign and exponent in separate members.
            Self::ApFloat { library: NumberLibrary::Ap, width, .. }
                if !matches!(width, 16 | 32 | 64 | 128) =>
            {
                storage(width.saturating_sub(1)).max(4).saturating_mul(3)
            }
            Self::ApFloat { library: NumberLibrary::Ac, width, .. } => 4 * count_words(width, true),
            Self::FreeInt { library: NumberLibrary::Ac, bits, signed }
            | Self::Fixed { library: NumberLibrary::Ac, width: bits, signed, .. } => {
                4 * count_words(bits, signed)
            }
            Self::AcFloat { mantissa, exponent, .. } => {
                4 * (count_words(mantissa, true) + count_words(exponent, true))
            }
            _ => storage(self.bits()),
        }
    }

    /// The boundary that a value is aligned to in memory.
    pub fn alignment(&self) -> u32 {
        match *self {
            Self::LongDouble => 16,
            Self::ApFloat { library: NumberLibrary::Ap, .. } => self.bytes_in_memory().clamp(1, 4),
            // An array of `int`.
            Self::AcFloat { .. }
            | Self::ApFloat { library: NumberLibrary::Ac, .. }
            | Self::FreeInt { library: NumberLibrary::Ac, .. }
            | Self::Fixed { library: NumberLibrary::Ac, .. } => 4,
            _ => self.bytes_in_memory().clamp(1, 8),
        }
    }

    /// Whose library defines it; `None` for types of C++ and floats.
    pub fn library(&self) -> Option<NumberLibrary> {
        match *self {
            Self::FreeInt { library, .. } | Self::Fixed { library, .. } => Some(library),
            _ => None,
        }
    }

    /// Float, fixed point or integer.
    pub fn kind(&self) -> NumberKind {
        match self {
            Self::Bool | Self::Int { .. } | Self::FreeInt { .. } => NumberKind::Integer,
            Self::Fixed { .. } => NumberKind::Fixed,
            _ => NumberKind::Float,
        }
    }
}

/// The words of 32 bits that `ac_int` takes: a number without a sign has room for one.
fn count_words(bits: u32, signed: bool) -> u32 {
    bits.saturating_add(u32::from(!signed)).div_ceil(32)
}

/// The bytes that the vendors' C models take: 1, 2, 4, 8, then whole 8-byte words.
fn storage(bits: u32) -> u32 {
    match bits {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => bits.div_ceil(64).saturating_mul(8),
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let u = |signed: bool| if signed { "" } else { "u" };
        match *self {
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::LongDouble => f.write_str("long double"),
            Self::Half => f.write_str("half"),
            Self::BFloat16 => f.write_str("bfloat16"),
            Self::Bool => f.write_str("bool"),
            Self::Int { bits, signed } => write!(f, "{}int{bits}_t", u(signed)),
            Self::FreeInt { library, bits, signed } => match library {
                NumberLibrary::Ap => write!(f, "ap_{}int<{bits}>", u(signed)),
                NumberLibrary::Ac => write!(f, "ac_int<{bits}, {signed}>"),
                NumberLibrary::Sc => write!(f, "sc_{}int<{bits}>", u(signed)),
                NumberLibrary::ScBig => write!(f, "sc_big{}int<{bits}>", u(signed)),
            },
            Self::Fixed { library, width, integer, signed } => match library {
                NumberLibrary::Ac => write!(f, "ac_fixed<{width}, {integer}, {signed}>"),
                NumberLibrary::Ap => write!(f, "ap_{}fixed<{width}, {integer}>", u(signed)),
                NumberLibrary::Sc | NumberLibrary::ScBig => {
                    write!(f, "sc_{}fixed<{width}, {integer}>", u(signed))
                }
            },
            Self::ApFloat { library: NumberLibrary::Ac, width, exponent } => {
                write!(f, "ac_std_float<{width}, {exponent}>")
            }
            Self::ApFloat { width, exponent, .. } => write!(f, "ap_float<{width}, {exponent}>"),
            Self::AcFloat { mantissa, integer, exponent } => {
                write!(f, "ac_float<{mantissa}, {integer}, {exponent}>")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packed bits and C-simulation bytes differ unless the width is a power of two.
    #[test]
    fn packed_bits_are_not_bytes_in_memory() {
        let fixed = ScalarType::ap_fixed(9, 3, true);
        assert_eq!((fixed.bits(), fixed.bytes_in_memory()), (9, 2));
        let carrier = ScalarType::ap_int(192, false);
        assert_eq!((carrier.bits(), carrier.bytes_in_memory(), carrier.alignment()), (192, 24, 8));
        let odd = ScalarType::ApFloat { library: NumberLibrary::Ap, width: 18, exponent: 5 };
        assert_eq!((odd.bits(), odd.bytes_in_memory()), (18, 12));
        assert_eq!((ScalarType::Bool.bits(), ScalarType::Bool.bytes_in_memory()), (1, 1));
    }

    #[test]
    fn algorithmic_c_counts_words() {
        let library = NumberLibrary::Ac;
        let size = |bits, signed| {
            let int = ScalarType::FreeInt { library, bits, signed };
            (int.bytes_in_memory(), int.alignment())
        };
        assert_eq!([size(1, false), size(16, true), size(32, true)], [(4, 4); 3]);
        assert_eq!([size(32, false), size(48, true), size(64, true)], [(8, 4); 3]);
        assert_eq!(size(64, false), (12, 4));
        let float = ScalarType::ApFloat { library, width: 16, exponent: 5 };
        assert_eq!((float.bytes_in_memory(), float.alignment()), (4, 4));
    }

    #[test]
    fn names_read_as_the_source_would_spell_them() {
        let int = ScalarType::Int { bits: 8, signed: true };
        let fixed = ScalarType::ap_fixed(16, 6, false);
        assert_eq!(format!("{int} {fixed}"), "int8_t ap_ufixed<16, 6>");
        let library = NumberLibrary::Ac;
        let int = ScalarType::FreeInt { library, bits: 12, signed: false };
        let fixed = ScalarType::Fixed { library, width: 16, integer: 6, signed: true };
        assert_eq!(format!("{int} {fixed}"), "ac_int<12, false> ac_fixed<16, 6, true>");
        let float = ScalarType::ApFloat { library, width: 18, exponent: 5 };
        assert_eq!(float.to_string(), "ac_std_float<18, 5>");
    }
}
