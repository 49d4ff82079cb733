//! The sizes of a matrix product from the shapes of its operands.

use super::misfit::Misfit;
use crate::matmul::Matmul;

/// The extent that two batch dimensions have together; `None` where neither repeats for the other.
fn broadcast(a: u64, b: u64) -> Option<u64> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (1, b) => Some(b),
        (a, 1) => Some(a),
        _ => None,
    }
}

/// Batch dimensions of both operands, aligned at the innermost.
fn join_batches(left: &[u64], right: &[u64]) -> Option<Vec<u64>> {
    let rank = left.len().max(right.len());
    let at = |shape: &[u64], index: usize| {
        let missing = rank - shape.len();
        if index < missing { 1 } else { shape[index - missing] }
    };
    (0..rank).map(|index| broadcast(at(left, index), at(right, index))).collect()
}

/// The product of `left` by `right` as `matmul` has it: a vector is a row at the left and a column at the right.
/// A right operand without a batch of its own makes one product of all rows.
pub(super) fn measure_product(left: &[u64], right: &[u64]) -> Result<Matmul, Misfit> {
    let (lead, [m, k]) = match left {
        [] => return Err(Misfit::new("its left operand is a scalar")),
        [k] => (&[][..], [1, *k]),
        [lead @ .., m, k] => (lead, [*m, *k]),
    };
    let (other, [inner, n]) = match right {
        [] => return Err(Misfit::new("its right operand is a scalar")),
        [k] => (&[][..], [*k, 1]),
        [lead @ .., k, n] => (lead, [*k, *n]),
    };
    if k != inner {
        return Err(Misfit::new(format!(
            "it multiplies {left:?} by {right:?}, whose inner sizes are {k} and {inner}"
        )));
    }
    let product = |sizes: &[u64]| sizes.iter().fold(1_u64, |a, &b| a.saturating_mul(b));
    if product(other) == 1 {
        return Ok(Matmul { batch: 1, m: product(lead).saturating_mul(m), k, n });
    }
    let batch = join_batches(lead, other).ok_or_else(|| {
        Misfit::new(format!(
            "it multiplies {left:?} by {right:?}, whose batches do not fit one another"
        ))
    })?;
    Ok(Matmul { batch: product(&batch), m, k, n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_repeat_and_weights_take_all_rows() {
        let of = |left: &[u64], right: &[u64]| measure_product(left, right).unwrap();
        assert_eq!(of(&[2, 5, 8], &[8, 3]), Matmul { batch: 1, m: 10, k: 8, n: 3 });
        assert_eq!(of(&[2, 4, 5, 8], &[2, 1, 8, 3]), Matmul { batch: 8, m: 5, k: 8, n: 3 });
        assert_eq!(of(&[8], &[8]), Matmul { batch: 1, m: 1, k: 8, n: 1 });
        assert!(measure_product(&[2, 5, 8], &[3, 8, 3]).is_err());
        assert!(measure_product(&[5, 8], &[7, 3]).is_err());
    }
}
