//! What the results of a product must hold, at entries that are spread over them.

use derate_model::measurement::Check;

use super::entries::{spread, sum};
use super::memory::Memory;
use super::{Arithmetic, CudaError, Product};

/// Rows and columns whose crossings are compared.
const COMPARED: u64 = 16;

/// The seeds of the two operands.
pub(super) const SEEDS: [u64; 2] = [1, 2];

/// Entries of a result by their offset, and how far off those were that have been looked at.
#[derive(Debug)]
pub(super) struct Expected {
    arithmetic: Arithmetic,
    entries: Vec<(u64, f64)>,
    passed: bool,
    worst: f64,
}

impl Expected {
    /// The sums are whole numbers, which are rounded once, when they are stored.
    pub(super) fn of(product: &Product) -> Self {
        let Product { m, n, k, arithmetic } = *product;
        let size = arithmetic.result_bytes();
        let entries = spread(n, COMPARED).flat_map(|column| {
            spread(m, COMPARED)
                .map(move |row| ((column * m + row) * size, sum(SEEDS, row, column, k)))
        });
        Self { arithmetic, entries: entries.collect(), passed: true, worst: 0.0 }
    }

    /// Looks at a result.
    pub(super) fn hold(&mut self, result: &Memory) -> Result<(), CudaError> {
        let size = usize::try_from(self.arithmetic.result_bytes()).unwrap_or(4);
        for &(offset, exact) in &self.entries {
            let error = (self.arithmetic.decode(result.element(offset, size)?) - exact).abs();
            // What is not a number is never within a bound.
            self.passed &= error <= self.arithmetic.roundoff() * exact.abs();
            self.worst = self.worst.max(error / exact.abs().max(1.0));
        }
        Ok(())
    }

    /// What came of it.
    pub(super) fn check(self) -> Check {
        Check {
            passed: self.passed,
            method: format!(
                "entries at {COMPARED} rows and columns at most, spread over the result, against sums in whole numbers: of \
                 the last launch of each repetition, and of one more launch of each set of operands; every result was wiped before"
            ),
            worst_error: Some(self.worst),
            bound: Some(self.arithmetic.roundoff()),
        }
    }
}
