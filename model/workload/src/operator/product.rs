//! GEMV and GEMM.

use super::{Operation, Stored};

/// `y[n] = W[n, k] x[k]`.
pub fn gemv(n: u64, k: u64) -> Operation {
    Operation::linear("gemv", Stored::Weights, 1, (n, k), Stored::Activations)
}

/// `C[m, n] = A[m, k] B[k, n]`: A and C are activations, B the weights.
pub fn gemm(m: u64, n: u64, k: u64) -> Operation {
    Operation::linear("gemm", Stored::Weights, m, (n, k), Stored::Activations)
}
