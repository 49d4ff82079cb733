//! GEMV and GEMM.

use super::{Operation, StoredAs};

/// `y[n] = W[n, k] x[k]`.
pub fn gemv(n: u64, k: u64) -> Operation {
    Operation::linear("gemv", StoredAs::Weights, 1, (n, k), StoredAs::Activations)
}

/// `C[m, n] = A[m, k] B[k, n]`: A and C are activations, B the weights.
pub fn gemm(m: u64, n: u64, k: u64) -> Operation {
    Operation::linear("gemm", StoredAs::Weights, m, (n, k), StoredAs::Activations)
}
