//! A matrix product by its extents.

use serde::Serialize;

use crate::count::Count;
use derate_units::Ops;

/// A matrix product, possibly many of the same shape: `batch x (m x k) * (k x n)`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
pub struct Matmul<C = u64> {
    /// Independent products: 1 for a GEMM, the heads for attention.
    pub batch: C,
    /// Rows of the left operand.
    pub m: C,
    /// The contracted dimension.
    pub k: C,
    /// Columns of the right operand.
    pub n: C,
}

impl<C: Count> Matmul<C> {
    /// One GEMM.
    pub fn gemm(m: C, k: C, n: C) -> Self {
        Self { batch: C::from(1), m, k, n }
    }

    /// Operations as a count: `2 x batch x m x k x n`.
    pub fn count_operations(&self) -> C {
        self.batch.times(&self.m).times(&self.k).times(&self.n).scaled(2)
    }
}

impl Matmul {
    /// Elements of the left operand.
    pub fn left_elements(self) -> f64 {
        (self.batch as f64 * self.m as f64 * self.k as f64).max(1.0)
    }

    /// Multiply-adds: `batch x m x k x n`.
    pub fn macs(self) -> f64 {
        self.batch as f64 * self.m as f64 * self.k as f64 * self.n as f64
    }

    /// `2 x batch x m x k x n`: a multiply-add counts two operations.
    pub fn flops(self) -> Ops {
        Ops(2.0 * self.macs())
    }
}
