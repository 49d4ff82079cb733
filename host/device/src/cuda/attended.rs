//! What attention must give, at entries that are spread over its result.

use derate_model::operator::Attention;

use super::Arithmetic;
use super::entries::{entry, spread_over};
use super::expected::{COMPARED, Entry, ExpectedEntries, WHEN};
use super::kernels::additions_per_row;
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::unit_roundoff;

/// The seeds of queries, keys and values.
pub(super) const SEEDS: [u64; 3] = [11, 12, 13];

/// What scores of heads of that width are multiplied with.
pub(super) fn score_scale(dim: u64) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounded to the nearest")]
    let scale = (1.0 / (dim as f64).sqrt()) as f32;
    scale
}

/// A share as the second product reads it: no less and no more.
type Share = (f64, f64);

/// Entries of the result, in `f64` from the numbers that operands are made of.
///
/// Operands are -1, 0 and 1, so that a score is a whole number, which every sum holds exactly and which is rounded once, when it
/// is stored. The softmax is derate's own, so that its errors are known: see [`bound_shares`]. They are rounded as they are stored, and
/// rounding never turns the order of two numbers: the share that is stored lies between the least one, rounded, and the most,
/// rounded. Of the second product, each term errs by [`Arithmetic::of_a_term`] of `sum p |v|`; its result is rounded once.
pub(super) fn expected_attention(
    of: &Attention,
    arithmetic: Arithmetic,
    cancel: Cancel<'_>,
) -> Result<ExpectedEntries, BenchError> {
    let rows = of.batch * of.heads * of.queries;
    let (roundoff, least) = arithmetic.stored();
    let mut entries = Vec::new();
    for row in spread_over(rows, COMPARED) {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        // Rows of the heads that share keys follow each other.
        let head = row / (of.heads / of.kv_heads * of.queries);
        let shares = bound_shares(of, arithmetic, row, head);
        let term = (shares.len() as f64 + 8.0) * arithmetic.of_a_term();
        for column in spread_over(of.head_dim, COMPARED) {
            let (mut low, mut high, mut size) = (0.0, 0.0, 0.0);
            for (&(less, more), key) in shares.iter().zip(head * of.keys..) {
                match entry(SEEDS[2], key * of.head_dim + column) {
                    1 => (low, high) = (low + less, high + more),
                    -1 => (low, high) = (low - more, high - less),
                    _ => continue,
                }
                size += more;
            }
            let exact = f64::midpoint(low, high);
            let made = (high - low) / 2.0 + term * size;
            entries.push(Entry {
                offset: (row * of.head_dim + column) * arithmetic.result_bytes(),
                exact,
                allowed: made + roundoff * (exact.abs() + made) + least,
                size,
            });
        }
    }
    let method = format!(
        "entries at {COMPARED} rows and columns at most, spread over the result, against softmax(Q K^T) V in f64, each share \
         between what the kernel's errors make of it, rounded as it is stored: {WHEN}"
    );
    Ok(ExpectedEntries::new(arithmetic, entries, method))
}

/// The shares of the keys that a row sees, `u = 2^-24`.
///
/// Of a difference of scores `x` the kernel computes `e^(s x)`: `s` and `s x` are each rounded, which is `2 u |s x|`, and CUDA's
/// `expf` errs by two units in the last place, `4 u`. The sum errs by as much of each of its terms, and by `u` for each addition
/// on the longest way, and then there is one division and one product.
fn bound_shares(of: &Attention, arithmetic: Arithmetic, row: u64, head: u64) -> Vec<Share> {
    let unit = unit_roundoff(24);
    let (roundoff, _) = arithmetic.stored();
    let query = row % of.queries;
    let seen = if of.causal { of.keys - of.queries + query + 1 } else { of.keys };
    let width = of.head_dim;
    let own: Vec<i8> = (0..width).map(|at| entry(SEEDS[0], row * width + at)).collect();
    let score = |key: u64| {
        let first = (head * of.keys + key) * width;
        let terms = own.iter().zip(first..);
        terms.map(|(&q, at)| i64::from(q * entry(SEEDS[1], at))).sum::<i64>() as f64
    };
    let scores: Vec<f64> = (0..seen).map(score).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let scale = f64::from(score_scale(width));
    // A score that its storage format does not represent exactly.
    let stored = |score: f64| {
        let exact = (arithmetic.round_stored(score) - score).abs() <= 0.0;
        if exact { 0.0 } else { roundoff * score.abs() }
    };
    let of_most = scores.iter().copied().map(stored).fold(0.0, f64::max);
    let parts: Vec<(f64, f64)> = scores
        .iter()
        .map(|&score| {
            let x = (score - most) * scale;
            let error = 2.0 * unit * x.abs() + 4.0 * unit + scale * (stored(score) + of_most);
            (x.exp(), error)
        })
        .collect();
    let sum: f64 = parts.iter().map(|(part, _)| part).sum();
    let of_sum = parts.iter().map(|(part, error)| part * error).sum::<f64>() / sum
        + additions_per_row(of.keys) as f64 * unit;
    let read = arithmetic.of_an_operand();
    let share = |(part, error): (f64, f64)| {
        // A hundredth for products of errors.
        let error = 1.01 * (error + of_sum + 3.0 * unit);
        let share = part / sum;
        let low = arithmetic.round_stored((share * (1.0 - error)).max(0.0));
        (low * (1.0 - read), arithmetic.round_stored(share * (1.0 + error)) * (1.0 + read))
    };
    parts.into_iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use derate_model::operator::{OperatorKind, Shape};

    use super::*;

    #[test]
    fn shares_come_to_one_and_are_known_closely() {
        let Ok(Shape::Attention(of)) = Shape::parse(OperatorKind::Attention, "1x4x2x64x8x40")
        else {
            unreachable!()
        };
        let of = Attention { causal: true, ..of };
        for (arithmetic, close) in [
            (Arithmetic::Fp32, 1e-5),
            (Arithmetic::Tf32, 3e-3),
            (Arithmetic::Fp16, 1e-3),
            (Arithmetic::Bf16, 8e-3),
        ] {
            for row in [0, 7, 8, 31] {
                let shares = bound_shares(&of, arithmetic, row, row / 16);
                assert_eq!(shares.len() as u64, 33 + row % 8);
                let sum: f64 = shares.iter().map(|(low, high)| f64::midpoint(*low, *high)).sum();
                assert!((sum - 1.0).abs() < close, "{arithmetic:?}: {sum}");
                // Hardly any is so near to the middle of two numbers that it may be either.
                let unsure = shares.iter().filter(|(low, high)| high - low > 1e-4 * high).count();
                assert!(arithmetic == Arithmetic::Tf32 || unsure < 3, "{arithmetic:?}: {unsure}");
            }
        }
    }
}
