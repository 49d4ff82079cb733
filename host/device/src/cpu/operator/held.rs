//! What holding many elements against what they must be comes to.

use derate_model::measurement::ResultCheck;

use super::number::Number;
use crate::oracle::{Rounding, Worst, unit_roundoff};

/// The worst of all elements so far, as such elements are stored.
pub(super) struct StoredCheck {
    bits: i32,
    least: f64,
    worst: Worst,
}

impl StoredCheck {
    /// Of results that are stored as such elements; those of single precision are rounded like any other.
    pub(super) fn of<E: Number>() -> Self {
        let (bits, least) = match E::rounding(0) {
            Rounding::Stored { bits, least } => (bits, least),
            _ => (24, unit_roundoff(150)),
        };
        Self { bits, least, worst: Worst::new() }
    }

    /// Significant bits of what is stored.
    pub(super) fn bits(&self) -> i32 {
        self.bits
    }

    /// One element: it may be off by what is `made` before it is stored, and by its storing. `size` is that of its terms.
    pub(super) fn hold_element(&mut self, got: f64, wanted: f64, made: f64, size: f64) {
        let allowed = made + unit_roundoff(self.bits) * (wanted.abs() + made) + self.least;
        self.worst.take(got, wanted, allowed, size);
    }

    /// What it comes to.
    pub(super) fn check(self, method: String) -> ResultCheck {
        self.worst.check(method)
    }
}
