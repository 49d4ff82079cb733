//! What an element of a product with packed weights must be.

use super::Arithmetic;
use super::expected::Entry;
use crate::oracle::{GELU_SLOPE, exact_gelu, unit_roundoff};
use crate::packed::EXTRA_ROUNDINGS;

/// One element, of sums in single precision in any order: `k + 16` roundings of `2^-24` of the sum of the terms' sizes, sixteen of
/// them for the scales; with `scale`, through GELU, whose own loops err by `2^-19` of what they are given at most.
pub(super) fn expected_element(
    read: &[f64],
    weights: impl Iterator<Item = f64>,
    scale: Option<f32>,
) -> Entry {
    let (roundoff, least) = Arithmetic::Fp32.stored();
    let (mut sum, mut size) = (0.0, 0.0);
    for (value, weight) in read.iter().zip(weights) {
        sum += value * weight;
        size += (value * weight).abs();
    }
    let off = (read.len() + EXTRA_ROUNDINGS) as f64 * Arithmetic::Fp32.of_a_term() * size + least;
    let Some(scale) = scale.map(f64::from) else {
        return Entry { offset: 0, exact: sum, allowed: off, size };
    };
    let x = sum * scale;
    let exact = exact_gelu(x);
    let off = GELU_SLOPE * off * scale + unit_roundoff(19) * (x.abs() + off * scale);
    Entry {
        offset: 0,
        exact,
        allowed: off + roundoff * (exact.abs() + off) + least,
        size: size * scale,
    }
}
