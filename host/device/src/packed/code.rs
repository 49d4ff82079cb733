//! Elements of 4 and of 8 bits: the numbers that their codes are.

use std::sync::LazyLock;

use half::f16;

/// How an element is coded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Code {
    /// FP8 of four exponent bits: no infinity, largest 448 (OCP 8-bit Floating Point Specification 1.0).
    E4m3,
    /// FP8 of five exponent bits: a half without its last byte; largest 57,344.
    E5m2,
    /// FP4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives (OCP Microscaling Formats 1.0).
    E2m1,
    /// Two's complement of 4 bits.
    Int4,
    /// Two's complement of 8 bits.
    Int8,
    /// `NormalFloat`: quantiles of a normal distribution, from -1 to 1 (Dettmers et al. 2023, appendix E).
    Nf4,
}

const E2M1: [f32; 16] =
    [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0];

const INT4: [f32; 16] =
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, -8.0, -7.0, -6.0, -5.0, -4.0, -3.0, -2.0, -1.0];

#[expect(clippy::excessive_precision, reason = "as its authors print it")]
const NF4: [f32; 16] = [
    -1.0,
    -0.696_192_800_998_687_74,
    -0.525_073_051_452_636_72,
    -0.394_917_488_098_144_53,
    -0.284_441_381_692_886_35,
    -0.184_773_430_228_233_34,
    -0.091_050_036_251_544_95,
    0.0,
    0.079_580_299_556_255_34,
    0.160_930_201_411_247_25,
    0.246_112_301_945_686_34,
    0.337_915_241_718_292_24,
    0.440_709_829_330_444_34,
    0.562_617_003_917_694_09,
    0.722_956_836_223_602_3,
    1.0,
];

/// The numbers of a code in rising order, each with its code.
type Sorted = Vec<(f32, u8)>;

fn sort_codes(code: Code) -> Sorted {
    let last = if code.bits() == 4 { 15 } else { 255 };
    let all = (0..=last).map(|bits: u8| (code.value(bits), bits));
    // Of two zeros, the positive one.
    let usable = |(value, bits): &(f32, u8)| {
        value.is_finite() && !(*value == 0.0 && value.is_sign_negative() && *bits != 0)
    };
    let mut sorted: Sorted = all.filter(usable).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted
}

static SORTED: LazyLock<Vec<Sorted>> =
    LazyLock::new(|| Code::ALL.into_iter().map(sort_codes).collect());

impl Code {
    /// All of them.
    pub(crate) const ALL: [Self; 6] =
        [Self::E4m3, Self::E5m2, Self::E2m1, Self::Int4, Self::Int8, Self::Nf4];

    /// Bits of one.
    pub(crate) fn bits(self) -> usize {
        match self {
            Self::E4m3 | Self::E5m2 | Self::Int8 => 8,
            Self::E2m1 | Self::Int4 | Self::Nf4 => 4,
        }
    }

    /// The sixteen numbers of a code of 4 bits.
    pub(crate) fn table(self) -> &'static [f32; 16] {
        match self {
            Self::Int4 => &INT4,
            Self::Nf4 => &NF4,
            _ => &E2M1,
        }
    }

    /// The number of a code.
    #[inline]
    pub(crate) fn value(self, bits: u8) -> f32 {
        match self {
            Self::E4m3 if bits & 0x7f == 0x7f => f32::NAN,
            // The exponent of a half is biased by 8 more.
            Self::E4m3 => {
                let half = u16::from(bits & 0x80) << 8 | u16::from(bits & 0x7f) << 7;
                f16::from_bits(half).to_f32() * 256.0
            }
            Self::E5m2 => f16::from_bits(u16::from(bits) << 8).to_f32(),
            Self::Int8 => f32::from(bits.cast_signed()),
            Self::E2m1 | Self::Int4 | Self::Nf4 => self.table()[usize::from(bits & 15)],
        }
    }

    /// The largest number that blocks are scaled to.
    pub(crate) fn largest(self) -> f32 {
        match self {
            Self::E4m3 => 448.0,
            Self::E5m2 => 57_344.0,
            Self::E2m1 => 6.0,
            Self::Int4 => 7.0,
            Self::Int8 => 127.0,
            Self::Nf4 => 1.0,
        }
    }

    /// The power of two of that number.
    pub(crate) fn largest_exponent(self) -> i32 {
        match self {
            Self::E4m3 => 8,
            Self::E5m2 => 15,
            Self::E2m1 | Self::Int4 => 2,
            Self::Int8 => 6,
            Self::Nf4 => 0,
        }
    }

    /// The code of the nearest number, of two as near the even one; what is beyond the ends has that of the end.
    pub(crate) fn nearest(self, value: f32) -> u8 {
        let place = Self::ALL.iter().position(|own| *own == self).unwrap_or(0);
        let sorted = &SORTED[place];
        let above = sorted.partition_point(|(known, _)| *known < value);
        let last = sorted.len() - 1;
        let (high, low) = (sorted[above.min(last)], sorted[above.saturating_sub(1).min(last)]);
        let (up, down) = ((high.0 - value).abs(), (value - low.0).abs());
        if up < down || (up <= down && high.1 & 1 == 0) { high.1 } else { low.1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_numbers_have_known_codes() {
        for (code, value, bits) in [
            (Code::E4m3, 448.0, 0x7e),
            (Code::E4m3, 1.0, 0x38),
            (Code::E4m3, -1.5, 0xbc),
            (Code::E4m3, 0.001_953_125, 0x01),
            (Code::E5m2, 57_344.0, 0x7b),
            (Code::E5m2, 1.0, 0x3c),
            (Code::E2m1, 6.0, 7),
            (Code::E2m1, -0.5, 9),
            (Code::Int4, -8.0, 8),
            (Code::Int8, -1.0, 0xff),
            (Code::Nf4, 1.0, 15),
        ] {
            assert_eq!(code.nearest(value), bits, "{code:?} {value}");
            assert_eq!(code.value(bits).to_bits(), value.to_bits(), "{code:?} {bits:#x}");
        }
        // Ties go to the even code, what is too large to the end.
        assert_eq!(Code::E2m1.nearest(2.5), 4);
        assert_eq!(Code::E2m1.nearest(5.0), 6);
        assert_eq!((Code::E4m3.nearest(1e9), Code::Int4.nearest(-99.0)), (0x7e, 8));
    }

    #[test]
    fn every_code_is_that_of_its_number() {
        for code in Code::ALL {
            for bits in 0..if code.bits() == 4 { 16 } else { 256 } {
                let bits = u8::try_from(bits).unwrap();
                let value = code.value(bits);
                if value.is_finite() && value != 0.0 {
                    assert_eq!(code.nearest(value), bits, "{code:?} {bits:#x}");
                }
            }
        }
    }
}
