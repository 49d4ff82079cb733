//! In which formats an operator's matrices are stored, and the arithmetic that follows.

use super::{Factors, Matrix, StoredAs};
use derate_units::{Bytes, Encoding, Mixture, Precision};

/// The number formats of a workload.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct OperatorFormats {
    /// Of weights, activations, keys and values, and sums.
    pub mixture: Mixture,
    /// Of the embedding table and the head, which quantised checkpoints often keep as they were.
    pub table: Encoding,
    /// Of attention scores, where they are written.
    pub scores: Encoding,
}

impl OperatorFormats {
    /// Tables are stored as weights. Scores are in the arithmetic that makes them, but at least 16-bit floats: no softmax
    /// works on less.
    pub fn new(mixture: Mixture) -> Self {
        let made = mixture.attention_arithmetic();
        let wide = made.is_float() && made.number_bits() >= 16;
        let scores = if wide { made } else { Precision::FP16 }.into();
        Self { mixture, table: mixture.weights, scores }
    }

    /// The same with tables in a format of their own.
    #[must_use]
    pub fn with_table(self, table: Encoding) -> Self {
        Self { table, ..self }
    }

    /// How a matrix of that kind is stored.
    #[inline]
    pub fn of(&self, stored: StoredAs) -> Encoding {
        match stored {
            StoredAs::Weights => self.mixture.weights,
            StoredAs::Table => self.table,
            StoredAs::Activations => self.mixture.activations,
            StoredAs::Cache => self.mixture.kv,
            StoredAs::Scores => self.scores,
        }
    }

    /// What a matrix takes, scales and all.
    #[inline]
    pub fn bytes(&self, matrix: &Matrix) -> Bytes {
        self.of(matrix.stored).bytes(matrix.rows, matrix.columns)
    }

    /// The arithmetic of a product; `None` where nothing is multiplied.
    pub fn arithmetic(&self, factors: Factors) -> Option<Precision> {
        let mixture = &self.mixture;
        Some(match factors {
            Factors::Weights => mixture.arithmetic(),
            Factors::Table => Mixture { weights: self.table, ..*mixture }.arithmetic(),
            Factors::Activations => {
                Mixture { weights: mixture.activations, ..*mixture }.arithmetic()
            }
            Factors::Cache => mixture.attention_arithmetic(),
            Factors::Nothing => return None,
        })
    }
}
