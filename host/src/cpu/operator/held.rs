//! What holding many elements against what they must be comes to.

use derate_model::measurement::Check;

use super::number::Number;
use crate::bench::{Rounding, unit_roundoff};

/// The worst of all elements so far.
pub(super) struct Held {
    bits: i32,
    least: f64,
    passed: bool,
    worst: f64,
    bound: f64,
}

impl Held {
    /// Of results that are stored as such elements; those of single precision are rounded like any other.
    pub(super) fn of<E: Number>() -> Self {
        let (bits, least) = match E::rounding(0) {
            Rounding::Stored { bits, least } => (bits, least),
            _ => (24, 0.0),
        };
        Self { bits, least, passed: true, worst: 0.0, bound: 0.0 }
    }

    /// Significant bits of what is stored.
    pub(super) fn bits(&self) -> i32 {
        self.bits
    }

    /// One element: it may be off by what is `made` before it is stored, and by its storing. `size` is that of its terms.
    pub(super) fn hold(&mut self, got: f64, wanted: f64, made: f64, size: f64) {
        let allowed = made + unit_roundoff(self.bits) * (wanted.abs() + made) + self.least;
        let error = (got - wanted).abs();
        // What is not a number is never within a bound.
        self.passed &= error <= allowed;
        self.worst = self.worst.max(error / size.max(f64::MIN_POSITIVE));
        self.bound = self.bound.max(allowed / size.max(f64::MIN_POSITIVE));
    }

    /// What it comes to.
    pub(super) fn check(self, method: String) -> Check {
        Check {
            passed: self.passed,
            method,
            worst_error: Some(self.worst),
            bound: Some(self.bound),
        }
    }
}
