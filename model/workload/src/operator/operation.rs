//! One operation: its arithmetic and its operands. Nothing in it is allocated.

use super::{Factors, Matrix, OperatorFormats, StoredAs};
use crate::workload::Matmul;
use derate_units::{Bytes, Ops};

/// Operands of one operation at most.
const MOST: usize = 4;

/// An operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// Name, such as `gate`.
    pub name: &'static str,
    /// Operations of its matrix products.
    pub flops: Ops,
    /// Operations that are not a matrix product, by the convention of [`crate::workload::Elementwise`].
    pub elementwise: Ops,
    /// What it multiplies.
    pub factors: Factors,
    matrices: [Matrix; MOST],
    used: usize,
}

impl Operation {
    /// An operation on at most four matrices.
    #[inline]
    pub(super) fn new<const N: usize>(
        name: &'static str,
        flops: Ops,
        factors: Factors,
        operands: [Matrix; N],
    ) -> Self {
        const { assert!(N <= MOST, "an operation has at most four operands") }
        let mut matrices = [Matrix::NONE; MOST];
        matrices[..N].copy_from_slice(&operands);
        Self { name, flops, elementwise: Ops(0.0), factors, matrices, used: N }
    }

    /// `rows` activations times a matrix of `outputs` by `inputs`.
    #[inline]
    pub fn linear(
        name: &'static str,
        stored: StoredAs,
        rows: u64,
        (outputs, inputs): (u64, u64),
        written: StoredAs,
    ) -> Self {
        let (own, rows_of_matrix) = (u128::from(rows), u128::from(outputs));
        let factors = if stored == StoredAs::Table { Factors::Table } else { Factors::Weights };
        Self::new(
            name,
            Matmul::gemm(rows, inputs, outputs).flops(),
            factors,
            [
                Matrix::read("activations", StoredAs::Activations, own, inputs),
                Matrix::weights(stored, rows_of_matrix, inputs),
                Matrix::written("result", written, own, outputs),
            ],
        )
    }

    /// The same with operations that are not a product.
    pub(super) fn with_elementwise(self, elementwise: Ops) -> Self {
        Self { elementwise, ..self }
    }

    /// The same with its result laid out in heads of that width: each row of a head has scales of its own.
    #[must_use]
    #[inline]
    pub fn arrange_in_heads(mut self, heads: u64, width: u64) -> Self {
        let used = self.used;
        if let Some(result) = self.matrices[..used].last_mut() {
            *result = Matrix {
                rows: result.rows.saturating_mul(u128::from(heads)),
                columns: width,
                ..*result
            };
        }
        self
    }

    /// `rows` rows of the embedding table are read and written: no product, and not the whole table.
    #[inline]
    pub fn gather(name: &'static str, rows: u64, width: u64) -> Self {
        let rows = u128::from(rows);
        Self::new(
            name,
            Ops(0.0),
            Factors::Nothing,
            [
                Matrix { name: "rows", ..Matrix::weights(StoredAs::Table, rows, width) },
                Matrix::written("result", StoredAs::Activations, rows, width),
            ],
        )
    }

    /// The operands, in the order in which they are named.
    pub fn matrices(&self) -> &[Matrix] {
        &self.matrices[..self.used]
    }

    /// What all its operands take.
    #[inline]
    pub fn bytes(&self, formats: &OperatorFormats) -> Bytes {
        self.matrices().iter().map(|matrix| formats.bytes(matrix)).sum()
    }
}
