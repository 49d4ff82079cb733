//! `softmax(Q K^T) V`, with fewer heads of keys than of queries, and a mask.

use serde::{Deserialize, Serialize};

use super::{Factors, Matrix, Operation, StoredAs};
use crate::workload::Elementwise;
use derate_units::Ops;

/// Where the scores are.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scores {
    /// Never in memory: one fused operation, as in `FlashAttention`, which skips what the mask hides.
    Fused,
    /// Written by the first product and read by the second, which compute all of them, hidden or not.
    Written,
    /// The same with a softmax of its own between them, which reads and writes them once more.
    Apart,
}

/// One attention of every sequence and head.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Attention {
    /// Sequences.
    pub batch: u64,
    /// Heads of queries.
    pub heads: u64,
    /// Heads of keys and of values; they divide those of queries.
    pub kv_heads: u64,
    /// Width of a head.
    pub head_dim: u64,
    /// Queries of a sequence: the last of its tokens.
    pub queries: u64,
    /// Keys of a sequence.
    pub keys: u64,
    /// Whether a query sees no later key.
    pub causal: bool,
    /// Keys that a query sees at most, the last ones; needs `causal`.
    pub window: Option<u64>,
    /// Where the scores are.
    pub scores: Scores,
}

/// Why a shape is not attention: one sentence.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum AttentionError {
    /// Heads that cannot share keys evenly.
    #[error(
        "{kv_heads} heads of keys do not divide {heads} heads of queries: every head of keys serves the same number of them"
    )]
    Heads {
        /// Of queries.
        heads: u64,
        /// Of keys.
        kv_heads: u64,
    },
    /// Queries without a place.
    #[error(
        "{queries} queries and {keys} keys cannot be causal: the queries are the last of the keys' tokens, so there are at least as many keys"
    )]
    Causal {
        /// Of a sequence.
        queries: u64,
        /// Of a sequence.
        keys: u64,
    },
}

impl Attention {
    /// Of these extents, as they are written: batch, heads, heads of keys, width of a head, queries, keys. It is fused, without
    /// a mask.
    pub fn fused([batch, heads, kv_heads, head_dim, queries, keys]: [u64; 6]) -> Self {
        let (causal, window, scores) = (false, None, Scores::Fused);
        Self { batch, heads, kv_heads, head_dim, queries, keys, causal, window, scores }
    }

    /// Whether heads and mask go together.
    pub fn check_heads(&self) -> Result<(), AttentionError> {
        let &Self { heads, kv_heads, queries, keys, .. } = self;
        if kv_heads == 0 || heads % kv_heads != 0 {
            return Err(AttentionError::Heads { heads, kv_heads });
        }
        if self.causal && queries > keys {
            return Err(AttentionError::Causal { queries, keys });
        }
        Ok(())
    }

    /// Pairs of a query and a key that one head computes.
    ///
    /// Causal and fused, query `i` of `S` sees `min(T - S + i, window)` of `T` keys. Scores that are written are computed
    /// whole.
    pub fn pairs(&self) -> f64 {
        let (queries, keys) = (self.queries as f64, self.keys as f64);
        if self.scores != Scores::Fused || !self.causal {
            return queries * keys;
        }
        let first = keys - queries + 1.0;
        let series = |from: f64, to: f64| (from + to) * (to - from + 1.0) / 2.0;
        match self.window.map(|window| window as f64) {
            Some(window) if window <= first => queries * window,
            Some(window) if window < keys => series(first, window) + (keys - window) * window,
            _ => series(first, keys),
        }
    }

    /// Keys of a sequence that any query sees.
    fn keys_read(&self) -> u64 {
        match self.window {
            Some(window) if self.causal && self.scores == Scores::Fused => {
                self.keys.min(window.saturating_add(self.queries).saturating_sub(1))
            }
            _ => self.keys,
        }
    }

    /// The one operation that is fused, or the two products, and the softmax where it is one: calls `each` with them.
    pub fn operations(&self, mut each: impl FnMut(Operation)) {
        let copies = |heads: u64| u128::from(self.batch).saturating_mul(u128::from(heads));
        let heads = copies(self.heads);
        let products = heads as f64 * self.pairs();
        let flops = Ops(2.0 * products * self.head_dim as f64);
        let softmax = Ops(products * Elementwise::Softmax.operations() as f64);
        let rows = heads.saturating_mul(u128::from(self.queries));
        let cached = copies(self.kv_heads).saturating_mul(u128::from(self.keys_read()));
        let width = self.head_dim;
        let queries = Matrix::read("queries", StoredAs::Activations, rows, width);
        let keys = Matrix::read("keys", StoredAs::Cache, cached, width);
        let values = Matrix::read("values", StoredAs::Cache, cached, width);
        let result = Matrix::written("result", StoredAs::Activations, rows, width);
        match self.scores {
            Scores::Fused => {
                let operands = [queries, keys, values, result];
                let both = Operation::new("attention", flops * 2.0, Factors::Cache, operands);
                each(both.with_elementwise(softmax));
            }
            Scores::Written | Scores::Apart => {
                let written = Matrix::written("scores", StoredAs::Scores, rows, self.keys);
                let read = Matrix::read("scores", StoredAs::Scores, rows, self.keys);
                let scores = [queries, keys, written];
                let first = Operation::new("scores", flops, Factors::Cache, scores);
                if self.scores == Scores::Apart {
                    each(first);
                    let own =
                        Operation::new("softmax", Ops(0.0), Factors::Nothing, [read, written]);
                    each(own.with_elementwise(softmax));
                } else {
                    each(first.with_elementwise(softmax));
                }
                each(Operation::new("values", flops, Factors::Cache, [read, values, result]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::operator::OperatorFormats;
    use derate_units::{Bytes, Mixture};

    fn attention(queries: u64, keys: u64) -> Attention {
        Attention { causal: true, ..Attention::fused([2, 6, 3, 8, queries, keys]) }
    }

    proptest! {
        #[test]
        fn the_pairs_are_those_that_the_mask_lets_through(
            queries in 1..60_u64, before in 0..60_u64, window in prop::option::of(1..100_u64)
        ) {
            let keys = queries + before;
            let masked = Attention { window, ..attention(queries, keys) };
            let mut pairs = 0_u64;
            let mut seen = vec![false; usize::try_from(keys).unwrap()];
            for query in 0..queries {
                let own = before + query;
                for key in 0..=own {
                    if window.is_none_or(|window| own - key < window) {
                        pairs += 1;
                        seen[usize::try_from(key).unwrap()] = true;
                    }
                }
            }
            prop_assert!((masked.pairs() - pairs as f64).abs() < 0.5);
            prop_assert_eq!(masked.keys_read(), seen.iter().filter(|seen| **seen).count() as u64);
        }
    }

    #[test]
    fn scores_that_are_written_are_computed_whole() {
        let written = Attention { scores: Scores::Written, ..attention(4, 10) };
        let mut flops = Vec::new();
        written.operations(|operation| flops.push(operation.flops));
        assert_eq!(flops, [Ops(2.0 * 12.0 * 4.0 * 10.0 * 8.0); 2]);
        // A softmax of its own multiplies nothing and moves the scores twice more.
        let formats = OperatorFormats::new(Mixture::parse("fp16").unwrap());
        let bytes = |scores| {
            let mut sum = 0.0;
            let shape = Attention { scores, ..attention(4, 10) };
            shape.operations(|operation| sum += operation.bytes(&formats).0);
            sum
        };
        let moved = bytes(Scores::Apart) - bytes(Scores::Written);
        assert_eq!(Bytes(moved), Bytes(2.0 * 2.0 * 12.0 * 4.0 * 10.0));
        let mut apart = Vec::new();
        let shape = Attention { scores: Scores::Apart, ..attention(4, 10) };
        shape.operations(|operation| apart.push(operation.flops));
        assert_eq!(apart, [flops[0], Ops(0.0), flops[1]]);
        let mut fused = Vec::new();
        attention(4, 10).operations(|operation| fused.push(operation.flops));
        assert_eq!(fused, [Ops(4.0 * 12.0 * (7.0 + 8.0 + 9.0 + 10.0) * 8.0)]);
    }

    /// The largest extents at once: the elements of an operand are their product, which no 64 bits hold.
    #[test]
    fn no_product_of_extents_is_cut() {
        let most = crate::operator::MOST_EXTENT;
        let huge =
            Attention { causal: true, scores: Scores::Written, ..Attention::fused([most; 6]) };
        let formats = OperatorFormats::new(Mixture::parse("fp16").unwrap());
        huge.operations(|operation| {
            for matrix in operation.matrices() {
                let bytes = formats.bytes(matrix);
                assert_eq!(bytes, Bytes(2.0_f64.powi(4 * 30 + 1)), "{}", matrix.name);
            }
            assert_eq!(operation.flops, Ops(2.0_f64.powi(1 + 5 * 30)));
        });
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = attention(5, 4).check_heads().unwrap_err().to_string();
        assert!(error.contains("5 queries and 4 keys cannot be causal"), "{error}");
        assert!(Attention { causal: false, ..attention(5, 4) }.check_heads().is_ok());
        let uneven = Attention { kv_heads: 4, ..attention(4, 4) };
        assert!(
            uneven
                .check_heads()
                .unwrap_err()
                .to_string()
                .contains("4 heads of keys do not divide 6")
        );
    }
}
