use derate_model::measurement::ResultCheck;

/// Whether all elements that were held against what they must be were right, and how far off the worst was.
#[derive(Debug)]
pub(crate) struct Worst {
    passed: bool,
    error: f64,
    bound: f64,
}

impl Worst {
    pub(crate) fn new() -> Self {
        Self { passed: true, error: 0.0, bound: 0.0 }
    }

    /// One element, and how far off it may be. `size` is that of its terms, which errors are relative to: where all terms are
    /// zero there is no relative error.
    pub(crate) fn take(&mut self, got: f64, wanted: f64, allowed: f64, size: f64) {
        let error = (got - wanted).abs();
        // What is not a number is never within a bound.
        self.passed &= error <= allowed;
        if size > 0.0 {
            self.error = self.error.max(error / size);
            self.bound = self.bound.max(allowed / size);
        }
    }

    /// What it comes to.
    pub(crate) fn check(self, method: String) -> ResultCheck {
        let Self { passed, error, bound } = self;
        ResultCheck { passed, method, worst_error: Some(error), bound: Some(bound) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_relative_to_terms_that_are_something() {
        let mut worst = Worst::new();
        worst.take(1.5, 1.0, 1.0, 2.0);
        // The least that is stored is allowed, of no terms at all.
        worst.take(1e-8, 0.0, 3e-8, 0.0);
        let check = worst.check(String::new());
        assert!(check.passed);
        assert_eq!((check.worst_error, check.bound), (Some(0.25), Some(0.5)));
        for got in [1e-7, f64::NAN] {
            let mut worst = Worst::new();
            worst.take(got, 0.0, 3e-8, 0.0);
            assert!(!worst.check(String::new()).passed, "{got}");
        }
    }
}
