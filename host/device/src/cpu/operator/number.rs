//! What a matrix's elements are, and how they are multiplied here.

use std::ops::AddAssign;

use half::{bf16, f16};

use super::dot_bytes::dot_bytes;
use crate::oracle::{Numbers, Rounding};

/// An element as it is stored.
pub(super) trait Number: Copy + Default + Send + Sync + 'static {
    /// What it is widened to before it is multiplied.
    type Factor: Copy + Default + Send + Sync;
    /// Factors that are multiplied in one step: one, or a pair along the contracted dimension.
    type Packed: Copy + Default + Send + Sync;
    /// What products are summed in.
    type Sum: Copy + Default + Send + Sync + AddAssign;
    /// Factors in a [`Self::Packed`].
    const STEP: usize;
    /// How its arithmetic is called.
    const ARITHMETIC: &'static str;
    /// How that of its sums is.
    const ACCUMULATE: &'static str;
    /// What computes it, in a sentence without its full stop.
    const ENGINE: &'static str;

    /// Widens it; every value stays as it is.
    fn widen(self) -> Self::Factor;
    /// One step of the contracted dimension; `second` is nothing where a step is one factor.
    fn pack(first: Self::Factor, second: Self::Factor) -> Self::Packed;
    /// `sum + a b`, in one rounding where `FUSED`.
    fn add<const FUSED: bool>(a: Self::Factor, b: Self::Factor, sum: Self::Sum) -> Self::Sum;
    /// The same of a whole step.
    fn add_packed<const FUSED: bool>(a: Self::Packed, b: Self::Packed, sum: Self::Sum)
    -> Self::Sum;
    /// A sum as it is stored; integers are divided by `2^shift`, rounded, and held at the ends of their range.
    fn store(sum: Self::Sum, shift: u32) -> Self;

    /// The sum of a row's products by instructions that compilers do not find; `None` where there are none.
    #[inline(always)]
    fn dot_wide(_row: &[Self], _vector: &[Self::Factor]) -> Option<Self::Sum>
    where
        Self: Sized,
    {
        None
    }
    /// Its value.
    fn exact(self) -> f64;
    /// One that looks random: floats in [-1, 1).
    fn draw(numbers: &mut Numbers) -> Self;
    /// What a result is wiped with: no sum of what a bench draws is that. Integers have nothing of the kind, and theirs is the
    /// end of the range.
    fn wiped() -> Self;
    /// How a result of `shift` is rounded.
    fn rounding(shift: u32) -> Rounding;
}

/// Elements that are multiplied and summed in single precision.
pub(super) trait Real: Number<Factor = f32, Packed = f32, Sum = f32> {}

impl Real for f32 {}
impl Real for bf16 {}
impl Real for f16 {}

#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { a * b + sum }
}

/// What the three floats have in common.
macro_rules! real {
    () => {
        type Factor = f32;
        type Packed = f32;
        type Sum = f32;
        const STEP: usize = 1;
        const ARITHMETIC: &'static str = "fp32";
        const ACCUMULATE: &'static str = "fp32";

        #[inline(always)]
        fn pack(first: f32, _: f32) -> f32 {
            first
        }

        #[inline(always)]
        fn add<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
            multiply_add::<FUSED>(a, b, sum)
        }

        #[inline(always)]
        fn add_packed<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
            multiply_add::<FUSED>(a, b, sum)
        }
    };
}

/// What the two formats of 16 bits have in common.
macro_rules! half {
    () => {
        #[inline(always)]
        fn store(sum: f32, _: u32) -> Self {
            Self::from_f32(sum)
        }

        fn exact(self) -> f64 {
            self.to_f64()
        }

        fn draw(numbers: &mut Numbers) -> Self {
            Self::from_f32(numbers.unit())
        }

        fn wiped() -> Self {
            Self::NAN
        }
    };
}

impl Number for f32 {
    real!();
    const ENGINE: &'static str = "vectorised loops of derate's own";

    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }

    #[inline(always)]
    fn store(sum: f32, _: u32) -> Self {
        sum
    }

    fn exact(self) -> f64 {
        f64::from(self)
    }

    fn draw(numbers: &mut Numbers) -> Self {
        numbers.unit()
    }

    fn wiped() -> Self {
        Self::NAN
    }

    fn rounding(_: u32) -> Rounding {
        Rounding::Sums
    }
}

impl Number for bf16 {
    real!();
    half!();
    const ENGINE: &'static str = "stored in 16 bits, widened to FP32 and multiplied as such by vectorised loops of derate's own: no BF16 arithmetic";

    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    fn rounding(_: u32) -> Rounding {
        // Below 2^-126 numbers are 2^-133 apart.
        Rounding::Stored { bits: 8, least: (-134.0_f64).exp2() }
    }
}

/// `2^112`: what the exponent of a half lacks in that of a single.
const REBIAS: f32 = f32::from_bits(0x7780_0000);

impl Number for f16 {
    real!();
    half!();
    const ENGINE: &'static str = "stored in 16 bits, widened to FP32 and multiplied as such by vectorised loops of derate's own: no FP16 arithmetic";

    /// Without a branch, so that loops of it are vectorised; right for all that is finite, subnormal numbers too.
    #[inline(always)]
    fn widen(self) -> f32 {
        let bits = u32::from(self.to_bits());
        let magnitude = f32::from_bits((bits & 0x7fff) << 13) * REBIAS;
        f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
    }

    fn rounding(_: u32) -> Rounding {
        // Below 2^-14 numbers are 2^-24 apart.
        Rounding::Stored { bits: 11, least: (-25.0_f64).exp2() }
    }
}

impl Number for i8 {
    type Factor = i16;
    type Packed = [i16; 2];
    type Sum = i32;
    const STEP: usize = 2;
    const ARITHMETIC: &'static str = "int16";
    const ACCUMULATE: &'static str = "int32";
    const ENGINE: &'static str = "stored in 8 bits, widened to 16 and multiplied as such by vectorised loops of derate's own, results rounded to 8 bits: \
         no INT8 arithmetic";

    #[inline(always)]
    fn widen(self) -> i16 {
        i16::from(self)
    }

    #[inline(always)]
    fn pack(first: i16, second: i16) -> [i16; 2] {
        [first, second]
    }

    #[inline(always)]
    fn add<const FUSED: bool>(a: i16, b: i16, sum: i32) -> i32 {
        sum.wrapping_add(i32::from(a).wrapping_mul(i32::from(b)))
    }

    #[inline(always)]
    fn add_packed<const FUSED: bool>(a: [i16; 2], b: [i16; 2], sum: i32) -> i32 {
        let first = i32::from(a[0]).wrapping_mul(i32::from(b[0]));
        sum.wrapping_add(first.wrapping_add(i32::from(a[1]).wrapping_mul(i32::from(b[1]))))
    }

    #[inline(always)]
    fn dot_wide(row: &[Self], vector: &[i16]) -> Option<i32> {
        dot_bytes(row, vector)
    }

    #[inline(always)]
    fn store(sum: i32, shift: u32) -> Self {
        let half = if shift == 0 { 0 } else { 1 << (shift - 1) };
        let rounded = sum.saturating_add(half) >> shift;
        #[expect(clippy::cast_possible_truncation, reason = "held at the ends of the range")]
        let stored = rounded.clamp(i32::from(Self::MIN), i32::from(Self::MAX)) as Self;
        stored
    }

    fn exact(self) -> f64 {
        f64::from(self)
    }

    fn draw(numbers: &mut Numbers) -> Self {
        ((numbers.next() >> 24) as u8).cast_signed()
    }

    fn wiped() -> Self {
        Self::MIN
    }

    fn rounding(shift: u32) -> Rounding {
        Rounding::Requantised { shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finite_half_is_widened_to_itself() {
        for bits in 0..=u16::MAX {
            let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
            if half.is_finite() {
                assert_eq!(half.widen().to_bits(), half.to_f32().to_bits(), "{bits:#x}");
            }
            assert_eq!(brain.widen().to_bits() >> 16, u32::from(bits));
        }
    }

    #[test]
    fn integers_are_rounded_to_the_nearest_and_held() {
        for (sum, shift, stored) in [
            (5, 0, 5),
            (5, 1, 3),
            (-5, 1, -2),
            (1 << 20, 4, 127),
            (-(1 << 20), 4, -128),
            (300, 0, 127),
        ] {
            assert_eq!(<i8 as Number>::store(sum, shift), stored, "{sum} >> {shift}");
        }
    }
}
