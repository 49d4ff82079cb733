//! A matrix of an operation, and as what it is stored.

use serde::Serialize;

use crate::workload::Role;

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
    pub(super) const NONE: Self =
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
