//! The sizes of a matrix product: `batch x (m x k) * (k x n)`.

use derate_render::Formula;
use derate_render::formula::column;

use super::samples::{Samples, Size};
use super::site::Site;
use derate_workload::{Matmul, Part, Role};

/// How the dimensions and the operands of a product grow.
pub(super) struct Product {
    batch: Option<Size>,
    pub(super) m: Option<Size>,
    pub(super) k: Option<Size>,
    pub(super) n: Option<Size>,
    /// How often `m x k`, `k x n` and `m x n` elements cross memory, where they always do so a fixed number of times.
    ratios: Option<[f64; 3]>,
}

/// Which of the three an operand is: left, right, result.
fn group(at: usize, role: Role) -> usize {
    match (at, role) {
        (_, Role::Output) => 2,
        (0, _) => 0,
        _ => 1,
    }
}

impl Product {
    /// Of `matmul` at `site`; the operand at a place crosses as often as `times` says.
    pub(super) fn of(
        matmul: Matmul,
        site: &Site<'_>,
        samples: &Samples,
        times: &dyn Fn(usize) -> u64,
    ) -> Self {
        let size = |of: fn(Matmul) -> u64| samples.size(|parts| Some(of(site.matmul(parts)?)));
        let ratio = |which: usize, area: fn(Matmul) -> Option<u64>| -> Option<f64> {
            let elements = |parts: &[Part]| {
                site.elements(parts, |at, o| if group(at, o.role) == which { times(at) } else { 0 })
            };
            let (of, all) = (area(matmul)?, elements(&samples.base()?.parts)?);
            let ratio = all.checked_div(of)?;
            // The same at every sample, or none.
            samples.size(|parts| {
                let holds = area(site.matmul(parts)?)?.checked_mul(ratio)? == elements(parts)?;
                holds.then_some(ratio)
            })?;
            Some(ratio as f64)
        };
        let ratios = || {
            Some([
                ratio(0, |p| p.m.checked_mul(p.k))?,
                ratio(1, |p| p.k.checked_mul(p.n))?,
                ratio(2, |p| p.m.checked_mul(p.n))?,
            ])
        };
        Self {
            batch: size(|p| p.batch),
            m: size(|p| p.m),
            k: size(|p| p.k),
            n: size(|p| p.n),
            ratios: ratios(),
        }
    }

    /// `2 x batch x m x k x n`
    pub(super) fn flops(&self) -> Option<Formula> {
        let product = column("m") * column("k") * column("n");
        let batch = self.batch.as_ref()?;
        Some(match batch.constant() {
            Some(batch) => product * (2.0 * batch),
            None => product * 2.0 * batch.formula(),
        })
    }

    /// Elements that cross memory, over the dimensions: `m (k + n) + k n` for a product that moves each once.
    pub(super) fn elements(&self) -> Option<Formula> {
        let (m, k, n) = (|| column("m"), || column("k"), || column("n"));
        let [left, right, result] = self.ratios?;
        let times = |term: Formula, ratio: f64| {
            if ratio.to_bits() == 1.0_f64.to_bits() { term } else { term * ratio }
        };
        Some(if left.to_bits() == result.to_bits() {
            times(m() * (k() + n()), left) + times(k() * n(), right)
        } else {
            times(m() * k(), left) + times(k() * n(), right) + times(m() * n(), result)
        })
    }
}
