use derate_model::measurement::Check;
use ndarray::{Array2, Zip};

use super::Element;

/// The unit roundoff of a format with so many significant bits: `2^-bits`.
pub fn unit_roundoff(bits: i32) -> f64 {
    (-f64::from(bits)).exp2()
}

/// What a product must be, and how far it may be off.
///
/// With `u = 2^-24`, a sum of `k` products in single precision, in any order, errs by at most
/// `g = k u / (1 - k u)` times `sum |a| |b|`; a result that is rounded to bfloat16 by `v = 2^-8` of itself beside. Integers
/// are exact. The reference is `ndarray`'s `dot` in `f64`, whose own error is `2^-29` of that.
#[derive(Clone, Debug)]
pub struct Oracle {
    element: Element,
    exact: Array2<f64>,
    magnitude: Array2<f64>,
    gamma: f64,
}

impl Oracle {
    /// For a product of these operands.
    pub fn new(element: Element, a: &Array2<f64>, b: &Array2<f64>) -> Self {
        let terms = a.ncols() as f64 * unit_roundoff(24);
        Self {
            element,
            exact: a.dot(b),
            magnitude: a.mapv(f64::abs).dot(&b.mapv(f64::abs)),
            gamma: if terms < 1.0 { terms / (1.0 - terms) } else { f64::INFINITY },
        }
    }

    /// The bound, relative to `sum |a| |b|`.
    pub fn bound(&self) -> f64 {
        match self.element {
            Element::Fp32 => self.gamma,
            Element::Bf16 => self.gamma + unit_roundoff(8) * (1.0 + self.gamma),
            Element::Int8 => 0.0,
        }
    }

    /// Holds a result against it.
    pub fn check(&self, got: &Array2<f64>) -> Check {
        let mut worst = 0.0_f64;
        let mut passed = got.dim() == self.exact.dim();
        if passed {
            Zip::from(got).and(&self.exact).and(&self.magnitude).for_each(
                |&got, &exact, &scale| {
                    let error = (got - exact).abs();
                    let sum = self.gamma * scale;
                    let allowed = match self.element {
                        Element::Fp32 => sum,
                        Element::Bf16 => sum + unit_roundoff(8) * (exact.abs() + sum),
                        Element::Int8 => 0.0,
                    };
                    // What is not a number is never within a bound.
                    passed &= error <= allowed;
                    if scale > 0.0 {
                        worst = worst.max(error / scale);
                    }
                },
            );
        }
        let exact = self.element == Element::Int8;
        Check {
            passed,
            method: match self.element {
                Element::Fp32 => "every element against ndarray's dot in f64, within k u / (1 - k u) of sum |a| |b|, u = 2^-24",
                Element::Bf16 => "every element against ndarray's dot in f64, within k u / (1 - k u) of sum |a| |b| and 2^-8 of itself, u = 2^-24",
                Element::Int8 => "every element against ndarray's dot in f64, which is exact there",
            }
            .to_owned(),
            worst_error: (!exact).then_some(worst),
            bound: (!exact).then_some(self.bound()),
        }
    }
}
