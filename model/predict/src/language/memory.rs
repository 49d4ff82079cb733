//! What a deployed decoder holds in memory: weights, and keys and values of every token.

use super::{Decoder, Deployment};
use derate_units::Bytes;
use derate_workload::operator::StoredAs;

/// What is held while so many sequences of so many tokens run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryFootprint {
    /// All parameters.
    pub weights: Bytes,
    /// Keys and values of one token of one sequence, all layers; scales that all tokens share are not a token's.
    pub cache_of_token: Bytes,
    /// Keys and values of all tokens of all sequences; no more tokens than a sliding window has.
    pub cache: Bytes,
}

/// Whether it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryFit {
    /// It does, and so much is left for activations and everything else.
    Fits {
        /// What is left.
        left: Bytes,
    },
    /// It does not.
    Short {
        /// What is missing.
        by: Bytes,
    },
    /// What the memory holds is not known.
    Unknown,
}

impl MemoryFootprint {
    /// Weights and cache.
    pub fn total(&self) -> Bytes {
        self.weights + self.cache
    }

    /// Held against what the memory holds.
    pub fn check_fit(&self, capacity: Option<Bytes>) -> MemoryFit {
        let Some(capacity) = capacity else { return MemoryFit::Unknown };
        let left = capacity.0 - self.total().0;
        if left >= 0.0 {
            MemoryFit::Fits { left: Bytes(left) }
        } else {
            MemoryFit::Short { by: Bytes(-left) }
        }
    }
}

/// Keys and values of all layers in so many bytes each.
fn cache_bytes(model: &Decoder, of_each: impl Fn(u128, u64) -> Bytes, tokens: u128) -> Bytes {
    let rows = u128::from(model.kv_heads).saturating_mul(tokens);
    of_each(rows, model.head_dim) * (2.0 * model.layers as f64)
}

impl Deployment<'_> {
    /// All parameters: matrices as weights, the embedding and a head of its own as tables, norms and biases in the
    /// arithmetic that activations have.
    pub fn weight_bytes(&self) -> Bytes {
        let parameters = self.model.parameters();
        let vectors = self.formats.mixture.activations.arithmetic().bytes(parameters.vectors);
        let embedding = if parameters.head == 0 { Bytes(0.0) } else { self.table_bytes() };
        self.matrix_bytes() + embedding + vectors
    }

    /// The embedding table, which a head of its own is as large as.
    fn table_bytes(&self) -> Bytes {
        let rows = u128::from(self.model.vocabulary);
        self.formats.of(StoredAs::Table).bytes(rows, self.model.hidden)
    }

    /// The matrices that every pass multiplies with: those of the layers, and the head.
    pub fn matrix_bytes(&self) -> Bytes {
        let encoding = self.formats.of(StoredAs::Weights);
        let matrices = self.model.matrices();
        let of_layer: Bytes = matrices
            .iter()
            .map(|&(outputs, inputs)| encoding.bytes(u128::from(outputs), inputs))
            .sum();
        of_layer * self.model.layers as f64 + self.table_bytes()
    }

    /// What `batch` sequences of `tokens` tokens hold.
    pub fn footprint(&self, batch: u64, tokens: u64) -> MemoryFootprint {
        let encoding = self.formats.of(StoredAs::Cache);
        let kept = u128::from(batch).saturating_mul(u128::from(self.model.attended(tokens)));
        MemoryFootprint {
            weights: self.weight_bytes(),
            cache_of_token: cache_bytes(
                self.model,
                |rows, columns| encoding.bytes_of_rows(rows, columns),
                1,
            ),
            cache: cache_bytes(self.model, |rows, columns| encoding.bytes(rows, columns), kept),
        }
    }
}
