//! One operation: its arithmetic and its operands. Nothing in it is allocated.

use serde::Serialize;

use super::OperatorFormats;
use crate::workload::{Matmul, Role};
use derate_units::{Bytes, Ops};

/// As what a matrix is stored: each may have a number format of its own.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StoredAs {
    /// A matrix of the model.
    Weights,
    /// The embedding table and the head.
    Table,
    /// What flows between operations, and gradients.
    Activations,
    /// Keys and values.
    Cache,
    /// Attention scores, where they are written.
    Scores,
}

/// What an operation multiplies: that decides its arithmetic.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Factors {
    /// Activations with weights.
    Weights,
    /// Activations with the embedding table as the head.
    Table,
    /// Activations with each other, as a weight's gradient is made.
    Activations,
    /// Queries with keys, scores with values.
    Cache,
    /// Nothing is multiplied.
    Nothing,
}

/// An operand.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Matrix {
    /// What it is, such as `weights`.
    pub name: &'static str,
    /// Whether it is read or written.
    pub role: Role,
    /// As what it is stored.
    pub stored: StoredAs,
    /// Rows of all its copies: of every sequence and head, a product that may leave 64 bits.
    pub rows: u128,
    /// Elements of a row.
    pub columns: u64,
}

impl Matrix {
    const NONE: Self =
        Self { name: "", role: Role::Input, stored: StoredAs::Activations, rows: 0, columns: 0 };

    /// Something that is read and that another operation has made.
    pub(super) fn read(name: &'static str, stored: StoredAs, rows: u128, columns: u64) -> Self {
        Self { name, role: Role::Input, stored, rows, columns }
    }

    /// A matrix of the model.
    pub(super) fn weights(stored: StoredAs, rows: u128, columns: u64) -> Self {
        Self { name: "weights", role: Role::Weight, stored, rows, columns }
    }

    /// What is written.
    pub(super) fn written(name: &'static str, stored: StoredAs, rows: u128, columns: u64) -> Self {
        Self { name, role: Role::Output, stored, rows, columns }
    }
}

/// Operands of one operation at most.
const MOST: usize = 4;

/// An operation and its operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Operation {
    /// Name, such as `gate`.
    pub name: &'static str,
    /// Operations of its matrix products.
    pub flops: Ops,
    /// Operations that are no matrix product, by the convention of [`crate::workload::Elementwise`].
    pub elementwise: Ops,
    /// What it multiplies.
    pub factors: Factors,
    matrices: [Matrix; MOST],
    used: usize,
}

impl Operation {
    /// An operation on at most four matrices.
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

    /// The same with operations that are no product.
    pub(super) fn with_elementwise(self, elementwise: Ops) -> Self {
        Self { elementwise, ..self }
    }

    /// The same with its result laid out in heads of that width: each row of a head has scales of its own.
    #[must_use]
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
    pub fn bytes(&self, formats: &OperatorFormats) -> Bytes {
        self.matrices().iter().map(|matrix| formats.bytes(matrix)).sum()
    }
}
