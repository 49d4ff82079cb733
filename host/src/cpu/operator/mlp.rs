//! Layers of one width, forward: each a product with weights of its own, then GELU.

use derate_model::measurement::Check;
use ndarray::Zip;

use super::elementwise::{exact_gelu, gelu};
use super::gemm::{multiply, scratches};
use super::number::Real;
use super::product::Scratch;
use super::{Extent, Operator, drawn, exact};
use crate::bench::{BenchError, Cancel, Oracle, Rounding, exact_product, unit_roundoff};

/// No slope of GELU is above this.
const SLOPE: f64 = 1.13;

/// `h = gelu(h W^T)`, so many times; `W` has a row for each result.
pub(super) struct Mlp<E: Real> {
    batch: Extent,
    width: Extent,
    /// Of each layer.
    weights: Vec<Vec<E>>,
    /// The input, and what each layer makes of it.
    flows: Vec<Vec<E>>,
    scratch: Vec<Scratch<E, E>>,
}

impl<E: Real> Mlp<E> {
    pub(super) fn new(
        [batch, width, layers]: [Extent; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let weights = (0..layers).map(|layer| drawn(width * width, layer as u64 + 2, cancel));
        let flows = (0..=layers).map(|_| drawn(batch * width, 1, cancel));
        Ok(Self {
            batch,
            width,
            weights: weights.collect::<Result<_, _>>()?,
            flows: flows.collect::<Result<_, _>>()?,
            scratch: scratches(threads),
        })
    }
}

impl<E: Real> Operator for Mlp<E> {
    fn run(&mut self) {
        // Weights are in [-1, 1): so results stay of the size of what goes in.
        let scale = 1.0 / (self.width as f32).sqrt();
        let extents = [self.batch, self.width, self.width];
        for (at, weights) in self.weights.iter().enumerate() {
            let (before, after) = self.flows.split_at_mut(at + 1);
            if let (Some(input), Some(output)) = (before.last(), after.first_mut()) {
                let store = |sum: f32| E::store(gelu(sum * scale), 0);
                let operands = (input.as_slice(), weights.as_slice(), true);
                multiply(extents, operands, output, &mut self.scratch, store);
            }
        }
    }

    fn spoil(&mut self) {
        self.flows.iter_mut().skip(1).for_each(|flow| flow.fill(E::default()));
    }

    /// Each layer against the exact one of what it really read.
    fn check(&self, _: &mut Option<Oracle>, cancel: Cancel<'_>) -> Result<Check, BenchError> {
        let scale = 1.0 / (self.width as f64).sqrt();
        let terms = self.width as f64 * unit_roundoff(24);
        let sums = terms / (1.0 - terms);
        let (bits, least) = match E::rounding(0) {
            Rounding::Stored { bits, least } => (bits, least),
            _ => (24, 0.0),
        };
        let (mut passed, mut worst, mut bound) = (true, 0.0_f64, 0.0_f64);
        for (weights, flows) in self.weights.iter().zip(self.flows.windows(2)) {
            let [input, output] = flows else { continue };
            let input = exact(input, [self.batch, self.width]);
            let weights = exact(weights, [self.width, self.width]);
            let result = exact(output, [self.batch, self.width]);
            let weights = weights.reversed_axes();
            let whole = exact_product(&input, &weights, cancel)?;
            let size = exact_product(&input.mapv(f64::abs), &weights.mapv(f64::abs), cancel)?;
            Zip::from(&result).and(&whole).and(&size).for_each(|&got, &sum, &size| {
                let wanted = exact_gelu(sum * scale);
                // Of the sum, of GELU's own loops, and of the number that is stored.
                let made = SLOPE * (sums + 4.0 * unit_roundoff(24)) * size * scale
                    + unit_roundoff(18) * (sum * scale).abs();
                let allowed = made + unit_roundoff(bits) * (wanted.abs() + made) + least;
                let error = (got - wanted).abs();
                passed &= error <= allowed;
                worst = worst.max(error / (size * scale).max(f64::MIN_POSITIVE));
                bound = bound.max(allowed / (size * scale).max(f64::MIN_POSITIVE));
            });
        }
        Ok(Check {
            passed,
            method: format!(
                "every element of every layer against ndarray's dot and GELU in f64 of what the layer read, within k u / (1 - k u) \
                 of sum |a| |b|, u = 2^-24, 2^-18 of GELU's argument and 2^-{bits} of the result"
            ),
            worst_error: Some(worst),
            bound: Some(bound),
        })
    }
}
