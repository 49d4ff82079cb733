use derate_model::measurement::ResultCheck;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Axis, Zip};

use super::Rounding;
use crate::error::BenchError;
use crate::measure::Cancel;

/// The unit roundoff of a format with so many significant bits: `2^-bits`.
pub fn unit_roundoff(bits: i32) -> f64 {
    (-f64::from(bits)).exp2()
}

/// Products that are summed between two questions whether to go on: a fraction of a second.
const AT_ONCE: usize = 1 << 30;

/// `a b` in `f64`, rows at a time, so that `cancel` is asked again and again.
pub(crate) fn exact_product(
    a: &Array2<f64>,
    b: &Array2<f64>,
    cancel: Cancel<'_>,
) -> Result<Array2<f64>, BenchError> {
    let row = a.ncols().saturating_mul(b.ncols()).max(1);
    let rows = (AT_ONCE / row).max(1);
    let mut all = Array2::zeros((a.nrows(), b.ncols()));
    let parts = a.axis_chunks_iter(Axis(0), rows);
    for (part, mut into) in parts.zip(all.axis_chunks_iter_mut(Axis(0), rows)) {
        if cancel() {
            return Err(BenchError::Cancelled);
        }
        general_mat_mul(1.0, &part, b, 0.0, &mut into);
    }
    Ok(all)
}

/// What a product must be, and how far it may be off.
///
/// With `u = 2^-24`, a sum of `k` products in single precision, in any order, errs by at most
/// `g = k u / (1 - k u)` times `sum |a| |b|`; a result that is rounded to bfloat16 by `v = 2^-8` of itself beside. Integers
/// are exact. The reference is `ndarray`'s `dot` in `f64`, whose own error is `2^-29` of that.
#[derive(Clone, Debug)]
pub struct Oracle {
    rounding: Rounding,
    exact: Array2<f64>,
    magnitude: Array2<f64>,
    gamma: f64,
}

impl Oracle {
    /// For a product of these operands.
    pub fn new(rounding: impl Into<Rounding>, a: &Array2<f64>, b: &Array2<f64>) -> Self {
        let sizes = a.mapv(f64::abs).dot(&b.mapv(f64::abs));
        Self::of(rounding.into(), a.ncols(), a.dot(b), sizes)
    }

    /// The same, until `cancel` says yes.
    pub(crate) fn until(
        cancel: Cancel<'_>,
        rounding: Rounding,
        a: &Array2<f64>,
        b: &Array2<f64>,
    ) -> Result<Self, BenchError> {
        Self::of_roundings(cancel, rounding, 0, a, b)
    }

    /// The same where each term is rounded so many times more, as by the scales of a packed format.
    pub(crate) fn of_roundings(
        cancel: Cancel<'_>,
        rounding: Rounding,
        more: usize,
        a: &Array2<f64>,
        b: &Array2<f64>,
    ) -> Result<Self, BenchError> {
        let exact = exact_product(a, b, cancel)?;
        let sizes = exact_product(&a.mapv(f64::abs), &b.mapv(f64::abs), cancel)?;
        Ok(Self::of(rounding, a.ncols() + more, exact, sizes))
    }

    /// Of sums of so many products, and of their magnitudes.
    fn of(rounding: Rounding, terms: usize, sums: Array2<f64>, magnitude: Array2<f64>) -> Self {
        let terms = terms as f64 * unit_roundoff(24);
        let exact = match rounding {
            Rounding::Requantised { shift } => {
                let scale = f64::from(shift).exp2();
                sums.mapv_into(|sum| (sum / scale + 0.5).floor().clamp(-128.0, 127.0))
            }
            _ => sums,
        };
        Self {
            rounding,
            exact,
            magnitude,
            gamma: if terms < 1.0 { terms / (1.0 - terms) } else { f64::INFINITY },
        }
    }

    /// The bound, relative to `sum |a| |b|`.
    pub fn bound(&self) -> f64 {
        match self.rounding {
            Rounding::Sums => self.gamma,
            Rounding::Stored { bits, .. } => self.gamma + unit_roundoff(bits) * (1.0 + self.gamma),
            Rounding::Exact | Rounding::Requantised { .. } => 0.0,
        }
    }

    /// Holds a result against it.
    pub fn check(&self, got: &Array2<f64>) -> ResultCheck {
        let mut worst = 0.0_f64;
        let mut passed = got.dim() == self.exact.dim();
        if passed {
            Zip::from(got).and(&self.exact).and(&self.magnitude).for_each(
                |&got, &exact, &scale| {
                    let error = (got - exact).abs();
                    let sum = self.gamma * scale;
                    let allowed = match self.rounding {
                        Rounding::Sums => sum,
                        Rounding::Stored { bits, least } => {
                            sum + unit_roundoff(bits) * (exact.abs() + sum) + least
                        }
                        Rounding::Exact | Rounding::Requantised { .. } => 0.0,
                    };
                    // What is not a number is never within a bound.
                    passed &= error <= allowed;
                    if scale > 0.0 {
                        worst = worst.max(error / scale);
                    }
                },
            );
        }
        let exact = self.bound() <= 0.0;
        ResultCheck {
            passed,
            method: match self.rounding {
                Rounding::Sums => "every element against ndarray's dot in f64, within k u / (1 - k u) of sum |a| |b|, u = 2^-24".to_owned(),
                Rounding::Stored { bits, .. } => format!("every element against ndarray's dot in f64, within k u / (1 - k u) of sum |a| |b| and 2^-{bits} of itself, u = 2^-24"),
                Rounding::Exact => "every element against ndarray's dot in f64, which is exact there".to_owned(),
                Rounding::Requantised { shift } => format!("every element against ndarray's dot in f64, which is exact there, over 2^{shift}, rounded to 8 bits"),
            },
            worst_error: (!exact).then_some(worst),
            bound: (!exact).then_some(self.bound()),
        }
    }
}
