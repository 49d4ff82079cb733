//! What a deployed decoder holds in memory: weights, and keys and values of every token.

use super::{Decoder, Deployment};
use derate_units::Bytes;
use derate_workload::operator::Stored;

/// What is held while so many sequences of so many tokens run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// All parameters.
    pub weights: Bytes,
    /// Keys and values of one token of one sequence, all layers; scales that all tokens share are no token's.
    pub cache_of_token: Bytes,
    /// Keys and values of all tokens of all sequences; no more tokens than a sliding window has.
    pub cache: Bytes,
}

/// Whether it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fit {
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

impl Footprint {
    /// Weights and cache.
    pub fn total(&self) -> Bytes {
        self.weights + self.cache
    }

    /// Held against what the memory holds.
    pub fn fit(&self, capacity: Option<Bytes>) -> Fit {
        let Some(capacity) = capacity else { return Fit::Unknown };
        let left = capacity.0 - self.total().0;
        if left >= 0.0 { Fit::Fits { left: Bytes(left) } } else { Fit::Short { by: Bytes(-left) } }
    }
}

/// Keys and values of all layers in so many bytes each.
fn cache(model: &Decoder, of_each: impl Fn(u128, u64) -> Bytes, tokens: u128) -> Bytes {
    let rows = u128::from(model.kv_heads).saturating_mul(tokens);
    of_each(rows, model.head_dim) * (2.0 * model.layers as f64)
}

impl Deployment<'_> {
    /// All parameters: matrices as weights, the embedding and a head of its own as tables, norms and biases in the
    /// arithmetic that activations have.
    pub fn weights(&self) -> Bytes {
        let parameters = self.model.parameters();
        let vectors = self.formats.mixture.activations.arithmetic().bytes(parameters.vectors);
        let embedding = if parameters.head == 0 { Bytes(0.0) } else { self.table() };
        self.matrices() + embedding + vectors
    }

    /// The embedding table, which a head of its own is as large as.
    fn table(&self) -> Bytes {
        let rows = u128::from(self.model.vocabulary);
        self.formats.of(Stored::Table).bytes(rows, self.model.hidden)
    }

    /// The matrices that every pass multiplies with: those of the layers, and the head.
    pub fn matrices(&self) -> Bytes {
        let encoding = self.formats.of(Stored::Weights);
        let matrices = self.model.matrices();
        let of_layer: Bytes = matrices
            .iter()
            .map(|&(outputs, inputs)| encoding.bytes(u128::from(outputs), inputs))
            .sum();
        of_layer * self.model.layers as f64 + self.table()
    }

    /// What `batch` sequences of `tokens` tokens hold.
    pub fn footprint(&self, batch: u64, tokens: u64) -> Footprint {
        let encoding = self.formats.of(Stored::Cache);
        let kept = u128::from(batch).saturating_mul(u128::from(self.model.attended(tokens)));
        Footprint {
            weights: self.weights(),
            cache_of_token: cache(
                self.model,
                |rows, columns| encoding.bytes_of_rows(rows, columns),
                1,
            ),
            cache: cache(self.model, |rows, columns| encoding.bytes(rows, columns), kept),
        }
    }
}
