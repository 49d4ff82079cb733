//! What both passes of an MLP must give, at entries that are spread over every result and every gradient.

use derate_model::measurement::ResultCheck;
use derate_model::operator::Mlp;

use super::Arithmetic;
use super::entries::{entry, spread_over};
use super::expected::{COMPARED, WHEN};
use super::memory::GpuMemory;
use crate::error::CudaError;
use crate::oracle::{GELU_SLOPE, Worst, exact_gelu, exact_gelu_slope, unit_roundoff};

/// The seeds of the input, of the weights of all layers, and of the gradient of the last result.
pub(super) const SEEDS: [u64; 3] = [21, 22, 23];

/// One set: operands, and what the passes make. Layers are one behind the other.
pub(super) struct Set {
    /// What each layer's products are multiplied with; of all sets the same.
    pub(super) scales: Vec<f32>,
    pub(super) input: GpuMemory,
    pub(super) weights: GpuMemory,
    pub(super) given: GpuMemory,
    /// The sums `h W^T` of each layer.
    pub(super) sums: GpuMemory,
    /// `gelu(s sums)`.
    pub(super) results: GpuMemory,
    /// The gradients of the sums: `s dh gelu'(s sums)`.
    pub(super) gradients: GpuMemory,
    pub(super) weight_gradients: GpuMemory,
    pub(super) input_gradient: GpuMemory,
}

impl Set {
    /// What is drawn, in the order of its seeds.
    pub(super) fn operands(&self) -> [&GpuMemory; 3] {
        [&self.input, &self.weights, &self.given]
    }

    pub(super) fn made(&self) -> [&GpuMemory; 5] {
        [&self.sums, &self.results, &self.gradients, &self.weight_gradients, &self.input_gradient]
    }
}

/// The size that errors are relative to at least: below it are products of what GELU left next to nothing of.
const LEAST: f64 = 1.0 / 1024.0;

/// Rows and columns that are compared.
#[derive(Debug)]
pub(super) struct Trained {
    of: Mlp,
    arithmetic: Arithmetic,
    seen: Worst,
}

/// What is `batch x width`, by rows.
struct Flow {
    numbers: Vec<f64>,
    width: usize,
}

impl Flow {
    fn row(&self, row: u64) -> &[f64] {
        let begin = usize::try_from(row).unwrap_or(usize::MAX).saturating_mul(self.width);
        self.numbers.get(begin..begin.saturating_add(self.width)).unwrap_or_default()
    }

    fn at(&self, row: u64, column: u64) -> f64 {
        let column = usize::try_from(column).ok();
        column.and_then(|column| self.row(row).get(column).copied()).unwrap_or(f64::NAN)
    }
}

/// A sum of products in f64, and that of their sizes.
fn sum_terms(terms: impl Iterator<Item = f64>) -> [f64; 2] {
    terms.fold([0.0, 0.0], |[sum, size], term| [sum + term, size + term.abs()])
}

impl Trained {
    pub(super) fn new(of: &Mlp, arithmetic: Arithmetic) -> Self {
        Self { of: *of, arithmetic, seen: Worst::new() }
    }

    /// A part of what is one behind the other, of so many rows.
    fn read(&self, from: &GpuMemory, part: u64, rows: u64) -> Result<Flow, CudaError> {
        let size = self.arithmetic.operand_bytes();
        let bytes = rows * self.of.width * size;
        let number = |part: &[u8]| {
            let mut element = [0; 4];
            element.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            self.arithmetic.decode(element)
        };
        let all = from.read(part * bytes, bytes)?;
        let numbers = all.chunks_exact(usize::try_from(size).unwrap_or(4)).map(number).collect();
        Ok(Flow { numbers, width: usize::try_from(self.of.width).unwrap_or(usize::MAX) })
    }

    /// Rows of a layer's sums that tell what they are multiplied with.
    pub(super) fn compared_sums(
        &self,
        sums: &GpuMemory,
        layer: u64,
    ) -> Result<Vec<f64>, CudaError> {
        let all = self.read(sums, layer, self.of.batch)?;
        Ok(spread_over(self.of.batch, COMPARED).flat_map(|row| all.row(row).to_vec()).collect())
    }

    /// How far a product of so many terms is off before and after it is stored.
    fn stored_sum(&self, terms: u64, [sum, size]: [f64; 2]) -> f64 {
        let (roundoff, least) = self.arithmetic.stored();
        let own = terms as f64 * self.arithmetic.of_a_term() + self.arithmetic.of_an_operand();
        own * size + roundoff * (sum.abs() + own * size) + least
    }

    /// Holds an element; its error is relative to the size of its terms, or to [`LEAST`] where that is less.
    fn hold(&mut self, got: f64, wanted: f64, allowed: f64, size: f64) {
        self.seen.take(got, wanted, allowed, size.max(LEAST));
    }

    /// Each pass of each layer against the exact one of what it really read.
    pub(super) fn check_passes(&mut self, set: &Set) -> Result<(), CudaError> {
        let Mlp { batch, layers, .. } = self.of;
        let mut below = self.read(&set.input, 0, batch)?;
        for (layer, &scale) in (0..).zip(&set.scales) {
            let sums = self.read(&set.sums, layer, batch)?;
            let results = self.read(&set.results, layer, batch)?;
            let gradient = self.read(&set.gradients, layer, batch)?;
            self.check_forward(layer, scale.into(), &below, [&sums, &results]);
            // The slope of what is above: of the last layer, of what is given.
            if layer + 1 == layers {
                let given = self.read(&set.given, 0, batch)?;
                self.check_given(scale.into(), [&given, &sums, &gradient]);
            }
            let made = match layer.checked_sub(1) {
                Some(before) => {
                    let sums = self.read(&set.sums, before, batch)?;
                    Some((self.read(&set.gradients, before, batch)?, Some(sums)))
                }
                None => Some((self.read(&set.input_gradient, 0, batch)?, None)),
            };
            let scale_below = layer.checked_sub(1).and_then(|before| {
                usize::try_from(before).ok().and_then(|before| set.scales.get(before))
            });
            if let Some((made, sums)) = made {
                let through = sums.as_ref().zip(scale_below.map(|&own| f64::from(own)));
                self.check_input_gradient(layer, &gradient, &made, through);
            }
            let weights = self.read(&set.weight_gradients, layer, self.of.width)?;
            self.check_weight_gradient([&gradient, &below, &weights]);
            below = results;
        }
        Ok(())
    }

    /// `sums = h W^T` and `gelu(s sums)`.
    fn check_forward(&mut self, layer: u64, scale: f64, read: &Flow, [sums, results]: [&Flow; 2]) {
        let Mlp { batch, width, .. } = self.of;
        let (roundoff, least) = self.arithmetic.stored();
        for column in spread_over(width, COMPARED) {
            let first = (layer * width + column) * width;
            let weights: Vec<f64> =
                (first..first + width).map(|at| entry(SEEDS[1], at).into()).collect();
            for row in spread_over(batch, COMPARED) {
                let terms = read.row(row).iter().zip(&weights).map(|(a, b)| a * b);
                let [sum, size] = sum_terms(terms);
                let got = sums.at(row, column);
                self.hold(got, sum, self.stored_sum(width, [sum, size]), size);
                let x = got * scale;
                let exact = exact_gelu(x);
                let off = unit_roundoff(19) * x.abs();
                let allowed = off + roundoff * (exact.abs() + off) + least;
                self.hold(results.at(row, column), exact, allowed, x.abs());
            }
        }
    }

    /// `s given gelu'(s sums)` of the last layer.
    fn check_given(&mut self, scale: f64, [given, sums, gradient]: [&Flow; 3]) {
        let (roundoff, least) = self.arithmetic.stored();
        for row in spread_over(self.of.batch, COMPARED) {
            for column in spread_over(self.of.width, COMPARED) {
                let from = scale * given.at(row, column);
                let exact = from * exact_gelu_slope(scale * sums.at(row, column));
                let off = unit_roundoff(18) * from.abs();
                let allowed = off + roundoff * (exact.abs() + off) + least;
                self.hold(gradient.at(row, column), exact, allowed, from.abs());
            }
        }
    }

    /// `gradient W`, and through the GELU below, where there is one: `s (gradient W) gelu'(s sums)`.
    fn check_input_gradient(
        &mut self,
        layer: u64,
        gradient: &Flow,
        made: &Flow,
        through: Option<(&Flow, f64)>,
    ) {
        let Mlp { batch, width, .. } = self.of;
        let (roundoff, least) = self.arithmetic.stored();
        for column in spread_over(width, COMPARED) {
            let weights: Vec<f64> = (0..width)
                .map(|row| entry(SEEDS[1], (layer * width + row) * width + column).into())
                .collect();
            for row in spread_over(batch, COMPARED) {
                let [sum, size] =
                    sum_terms(gradient.row(row).iter().zip(&weights).map(|(a, b)| a * b));
                let off = self.stored_sum(width, [sum, size]);
                let got = made.at(row, column);
                let Some((sums, scale)) = through else {
                    self.hold(got, sum, off, size);
                    continue;
                };
                let exact = sum * scale * exact_gelu_slope(scale * sums.at(row, column));
                let off = scale * (GELU_SLOPE * off + unit_roundoff(18) * (sum.abs() + off));
                let allowed = off + roundoff * (exact.abs() + off) + least;
                self.hold(got, exact, allowed, size * scale);
            }
        }
    }

    /// `gradient^T h`.
    fn check_weight_gradient(&mut self, [gradient, read, made]: [&Flow; 3]) {
        let Mlp { batch, width, .. } = self.of;
        for row in spread_over(width, COMPARED) {
            for column in spread_over(width, COMPARED) {
                let terms = (0..batch).map(|at| gradient.at(at, row) * read.at(at, column));
                let sums = sum_terms(terms);
                let allowed = self.stored_sum(batch, sums);
                self.hold(made.at(row, column), sums[0], allowed, sums[1]);
            }
        }
    }

    pub(super) fn into_check(self) -> ResultCheck {
        self.seen.check(format!(
            "entries at {COMPARED} rows and columns at most, spread over the sums, the result and the gradients of every layer, \
             against sums, GELU and its slope in f64 of what each read: {WHEN}"
        ))
    }
}
