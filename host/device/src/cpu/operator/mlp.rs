//! Layers of one width, forward: each a product with weights of its own, then GELU.

use derate_model::measurement::ResultCheck;
use ndarray::{Array2, Zip};

use super::elementwise::gelu;
use super::epilogue::Stored;
use super::gemm::{make_scratches, multiply_matrices};
use super::held::StoredCheck;
use super::number::Real;
use super::pack::Lanes;
use super::product::PackScratch;
use super::stop::Stop;
use super::{Extent, Operator, draw_operands, exact_array};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{GELU_SLOPE, Oracle, exact_gelu, exact_product, gelu_scale, unit_roundoff};

/// Rows of the input that tell what a layer's sums are multiplied with.
const ROWS: Extent = 16;

/// What the products of each layer are multiplied by, so that results keep their size, however many layers there are: found by
/// the first rows of the input in f64, stored as the layers store them.
pub(super) fn find_scales<'a, E: Real>(
    [batch, width]: [Extent; 2],
    input: &[E],
    weights: impl Iterator<Item = &'a [E]>,
    cancel: Cancel<'_>,
) -> Result<Vec<f32>, BenchError> {
    let rows = batch.min(ROWS);
    let mut flow = exact_array(input.get(..rows * width).unwrap_or_default(), [rows, width]);
    let mut scales = Vec::new();
    for weights in weights {
        let sums =
            exact_product(&flow, &exact_array(weights, [width, width]).reversed_axes(), cancel)?;
        let scale = gelu_scale(sums.iter().copied());
        #[expect(clippy::cast_possible_truncation, reason = "stored in no more bits")]
        let stored = |sum: f64| E::store(exact_gelu(sum * f64::from(scale)) as f32, 0).exact();
        flow = sums.mapv_into(stored);
        scales.push(scale);
    }
    Ok(scales)
}

/// `h = gelu(s h W^T)`, so many times; `W` has a row for each result.
pub(super) struct Mlp<E: Real> {
    batch: Extent,
    width: Extent,
    /// Of each layer.
    weights: Vec<Vec<E>>,
    scales: Vec<f32>,
    /// The input, and what each layer makes of it.
    flows: Vec<Vec<E>>,
    scratch: Vec<PackScratch<E, E>>,
}

impl<E: Real> Mlp<E> {
    pub(super) fn new(
        [batch, width, layers]: [Extent; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let weights =
            (0..layers).map(|layer| draw_operands(width * width, layer as u64 + 2, cancel));
        let weights: Vec<Vec<E>> = weights.collect::<Result<_, _>>()?;
        let flows = (0..=layers).map(|_| draw_operands(batch * width, 1, cancel));
        let flows: Vec<Vec<E>> = flows.collect::<Result<_, _>>()?;
        let input = flows.first().map_or(&[][..], Vec::as_slice);
        let of_layers = weights.iter().map(Vec::as_slice);
        Ok(Self {
            batch,
            width,
            scales: find_scales([batch, width], input, of_layers, cancel)?,
            weights,
            flows,
            scratch: make_scratches(threads),
        })
    }
}

/// The sums of a layer, scaled, and those of their terms' magnitudes.
pub(super) struct Sums {
    pub(super) exact: Array2<f64>,
    pub(super) sizes: Array2<f64>,
    terms: f64,
    scale: f64,
}

impl Sums {
    /// Of a product of these.
    pub(super) fn of(
        left: &Array2<f64>,
        right: &Array2<f64>,
        scale: f64,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let exact = exact_product(left, right, cancel)? * scale;
        let sizes = exact_product(&left.mapv(f64::abs), &right.mapv(f64::abs), cancel)? * scale;
        Ok(Self { exact, sizes, terms: left.ncols() as f64, scale })
    }

    /// How far a sum in single precision is off, whose terms' magnitudes come to `size`: each product may also be too small for
    /// its numbers.
    pub(super) fn error_bound(&self, size: f64) -> f64 {
        let relative = self.terms * unit_roundoff(24);
        let least = self.terms * unit_roundoff(150) * self.scale;
        (relative / (1.0 - relative) + 4.0 * unit_roundoff(24)) * size + least
    }
}

/// Holds what GELU made of sums against it.
pub(super) fn hold_gelu(held: &mut StoredCheck, result: &Array2<f64>, sums: &Sums) {
    Zip::from(result).and(&sums.exact).and(&sums.sizes).for_each(|&got, &sum, &size| {
        // Of the sum, and of GELU's own loops.
        let made = GELU_SLOPE * sums.error_bound(size) + unit_roundoff(18) * sum.abs();
        held.hold_element(got, exact_gelu(sum), made, size);
    });
}

impl<E: Real> Operator for Mlp<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let extents = [self.batch, self.width, self.width];
        for (at, (weights, &scale)) in self.weights.iter().zip(&self.scales).enumerate() {
            let (before, after) = self.flows.split_at_mut(at + 1);
            if let (Some(input), Some(output)) = (before.last(), after.first_mut()) {
                let by = move |sum: f32| E::store(gelu(sum * scale), 0);
                let operands = (Lanes::rows(input, self.width), Lanes::rows(weights, self.width));
                multiply_matrices(
                    extents,
                    operands,
                    &mut self.scratch,
                    stop,
                    Stored { to: output, by },
                );
            }
        }
    }

    fn wipe_result(&mut self) {
        self.flows.iter_mut().skip(1).for_each(|flow| flow.fill(E::wiped()));
    }

    /// Each layer against the exact one of what it really read.
    fn check_result(
        &self,
        _: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let (batch, width) = (self.batch, self.width);
        let mut held = StoredCheck::of::<E>();
        let layers = self.weights.iter().zip(&self.scales);
        for ((weights, &scale), flows) in layers.zip(self.flows.windows(2)) {
            let [input, output] = flows else { continue };
            let weights = exact_array(weights, [width, width]).reversed_axes();
            let input = exact_array(input, [batch, width]);
            let sums = Sums::of(&input, &weights, f64::from(scale), cancel)?;
            hold_gelu(&mut held, &exact_array(output, [batch, width]), &sums);
        }
        let bits = held.bits();
        Ok(held.check(format!(
            "every element of every layer against ndarray's dot and GELU in f64 of what the layer read, within k u / (1 - k u) + 4 u \
             of sum |a| |b|, u = 2^-24, and 2^-150 of each of k terms, 2^-18 of GELU's argument and 2^-{bits} of the result"
        )))
    }
}

#[cfg(test)]
mod tests;
