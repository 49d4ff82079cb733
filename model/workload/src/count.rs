//! What a workload is counted in: numbers, or formulas over the parameters of an inference.

/// Elements, rows or runs.
///
/// The workload is built from sums and products of counts and compares none, so one builder serves numbers (`u64`, for
/// estimates) and polynomials (for reports whose inputs a reader may change).
pub trait Count: Clone + From<u64> + PartialEq {
    /// The product.
    #[must_use]
    fn times(&self, other: &Self) -> Self;

    /// The sum.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;

    /// The number, where it depends on nothing.
    fn as_number(&self) -> Option<u64>;

    /// The product with a number.
    #[must_use]
    fn scaled(&self, by: u64) -> Self {
        self.times(&Self::from(by))
    }
}

/// Saturates.
impl Count for u64 {
    fn times(&self, other: &Self) -> Self {
        self.saturating_mul(*other)
    }

    fn plus(&self, other: &Self) -> Self {
        self.saturating_add(*other)
    }

    fn as_number(&self) -> Option<u64> {
        Some(*self)
    }
}
