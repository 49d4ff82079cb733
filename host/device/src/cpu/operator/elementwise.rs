//! Exponential, softmax and GELU in single precision, as loops that vectorise.

/// `e^x` within `2^-21` of itself for `x` from -87 to 88, and the ends of that range beyond: `2^n (1 + p(r))`, with
/// `x = n ln 2 + r` and Taylor's polynomial of degree 6.
#[inline(always)]
pub(super) fn exponential(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts, the first with few enough bits for exact products.
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    // Adding and taking away 1.5 x 2^23 rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let x = x.clamp(-87.0, 88.0);
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let mut p = 1.0 / 720.0;
    for c in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        p = p * r + c;
    }
    // The whole number is in the low bits of the shifted one.
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
    p * f32::from_bits(exponent << 23)
}

/// Scores of a row to shares: those of the first `seen` keys, of the others none.
#[inline(always)]
pub(super) fn softmax(row: &mut [f32], seen: usize, scale: f32) {
    let (row, hidden) = row.split_at_mut(seen.min(row.len()));
    hidden.fill(0.0);
    let most =
        row.iter().fold(f32::NEG_INFINITY, |most, &next| if next > most { next } else { most });
    let mut sums = [0.0_f32; 16];
    let (chunks, rest) = row.as_chunks_mut::<16>();
    for chunk in chunks {
        for (score, sum) in chunk.iter_mut().zip(&mut sums) {
            *score = exponential((*score - most) * scale);
            *sum += *score;
        }
    }
    let mut sum: f32 = sums.iter().sum();
    for score in rest {
        *score = exponential((*score - most) * scale);
        sum += *score;
    }
    let share = 1.0 / sum;
    for score in row {
        *score *= share;
    }
}

/// The tanh form of GELU: `x / (1 + e^(-2 u))`, `u = sqrt(2 / pi) (x + 0.044715 x^3)`.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f32 {
    let u = 0.797_884_6 * (x + 0.044_715 * x * x * x);
    x / (1.0 + exponential(-2.0 * u))
}

/// Its slope, `s + 2 x u' s (1 - s)` with `s = 1 / (1 + e^(-2 u))`.
#[inline(always)]
pub(super) fn gelu_slope(x: f32) -> f32 {
    let square = 0.044_715 * x * x;
    let e = exponential(-2.0 * 0.797_884_6 * x * (1.0 + square));
    let share = 1.0 / (1.0 + e);
    let rise = 2.0 * 0.797_884_6 * (1.0 + 3.0 * square);
    // 1 - s is e s.
    share + x * rise * (e * share) * share
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::oracle::{exact_gelu, exact_gelu_slope};

    proptest! {
        #[test]
        fn the_exponential_is_that_of_the_library(x in -86.0_f32..87.0) {
            let exact = f64::from(x).exp();
            prop_assert!((f64::from(exponential(x)) / exact - 1.0).abs() < (-21.0_f64).exp2());
        }

        #[test]
        fn gelu_is_its_definition(x in -12.0_f32..12.0) {
            let exact = exact_gelu(f64::from(x));
            prop_assert!((f64::from(gelu(x)) - exact).abs() < 2e-6 * f64::from(x).abs() + 1e-30);
        }

        /// Of itself, and of its exact form: the quotient of differences.
        #[test]
        fn the_slope_of_gelu_is_its_definition(x in -12.0_f32..12.0) {
            let exact = exact_gelu_slope(f64::from(x));
            let error = (f64::from(gelu_slope(x)) - exact).abs();
            prop_assert!(error < (-19.0_f64).exp2(), "{error}");
            prop_assert!(exact.abs() < 1.13);
            let step = 1e-5;
            let rise = exact_gelu(f64::from(x) + step) - exact_gelu(f64::from(x) - step);
            prop_assert!((rise / (2.0 * step) - exact).abs() < 1e-8);
        }

        #[test]
        fn shares_are_of_what_is_seen(row in prop::collection::vec(-9.0_f32..9.0, 1..70), seen in 1..80_usize) {
            let mut shares = row.clone();
            softmax(&mut shares, seen, 0.5);
            let seen = seen.min(row.len());
            prop_assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            prop_assert!(shares[seen..].iter().all(|&share| share == 0.0));
        }
    }
}
