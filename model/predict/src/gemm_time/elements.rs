use derate_units::Precision;
use derate_workload::Matmul;

/// Bytes that an element of each matrix takes in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementBytes {
    /// Of the left operand, `m x k`: activations.
    pub left: f64,
    /// Of the right operand, `k x n`: weights.
    pub right: f64,
    /// Of the result, `m x n`.
    pub result: f64,
}

impl ElementBytes {
    /// Operands as the arithmetic takes them. FP8 leaves BF16, integers leave INT32, and others leave what they take.
    pub fn of(arithmetic: Precision) -> Self {
        let bytes = f64::from(arithmetic.bits()) / 8.0;
        let result = match (arithmetic.is_float(), arithmetic.bits()) {
            (true, ..=8) => 2.0,
            (false, ..=8) => 4.0,
            _ => bytes,
        };
        Self { left: bytes, right: bytes, result }
    }

    /// Bytes of left operand, right operand and result.
    pub(super) fn bytes(&self, product: Matmul) -> (f64, f64, f64) {
        let [b, m, n, k] =
            [product.batch, product.m, product.n, product.k].map(|extent| extent as f64);
        (self.left * b * m * k, self.right * b * n * k, self.result * b * m * n)
    }
}
