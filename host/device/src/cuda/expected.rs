//! What results must hold, at entries that are spread over them.

use derate_model::measurement::ResultCheck;

use super::Arithmetic;
use super::entries::{spread_over, sum_products};
use super::memory::GpuMemory;
use crate::error::CudaError;
use crate::oracle::Worst;

/// Rows and columns whose crossings are compared.
pub(super) const COMPARED: u64 = 16;

/// The seeds of the two operands of a product.
pub(super) const SEEDS: [u64; 2] = [1, 2];

/// When a result was looked at.
pub(super) const WHEN: &str = "of the last launch of each repetition, and of one more launch of each set of operands; every result was wiped before";

/// An entry of a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Bytes before it.
    pub(super) offset: u64,
    pub(super) exact: f64,
    /// How far off it may be.
    pub(super) allowed: f64,
    /// What errors are relative to.
    pub(super) size: f64,
}

impl Entry {
    /// Holds what is there against what must be.
    pub(super) fn check_value(&self, got: f64, worst: &mut Worst) {
        worst.take(got, self.exact, self.allowed, self.size);
    }
}

/// Entries of a result, and how far off those were that have been looked at.
#[derive(Debug)]
pub(super) struct ExpectedEntries {
    arithmetic: Arithmetic,
    entries: Vec<Entry>,
    method: String,
    seen: Worst,
}

impl ExpectedEntries {
    pub(super) fn new(arithmetic: Arithmetic, entries: Vec<Entry>, method: String) -> Self {
        Self { arithmetic, entries, method, seen: Worst::new() }
    }

    /// Of a product of `m x k` by `k x n`: the sums are whole numbers, which are rounded once, when they are stored.
    pub(super) fn of_product([m, n, k]: [u64; 3], arithmetic: Arithmetic) -> Self {
        let (size, roundoff) = (arithmetic.result_bytes(), arithmetic.whole_roundoff());
        let entry = |row, column| {
            let exact = sum_products(SEEDS, row, column, k);
            Entry {
                offset: (column * m + row) * size,
                exact,
                allowed: roundoff * exact.abs(),
                size: exact.abs().max(1.0),
            }
        };
        let entries = spread_over(n, COMPARED)
            .flat_map(|column| spread_over(m, COMPARED).map(move |row| entry(row, column)));
        let method = format!(
            "entries at {COMPARED} rows and columns at most, spread over the result, against sums in whole numbers: {WHEN}"
        );
        Self::new(arithmetic, entries.collect(), method)
    }

    /// Looks at a result.
    pub(super) fn check_entries(&mut self, result: &GpuMemory) -> Result<(), CudaError> {
        let size = usize::try_from(self.arithmetic.result_bytes()).unwrap_or(4);
        for entry in &self.entries {
            let got = self.arithmetic.decode(result.element(entry.offset, size)?);
            entry.check_value(got, &mut self.seen);
        }
        Ok(())
    }

    /// What came of it.
    pub(super) fn into_check(self) -> ResultCheck {
        self.seen.check(self.method)
    }
}
