//! Layers of one width, forward: each a product with weights of its own, then GELU.

use derate_model::measurement::Check;
use ndarray::{Array2, Zip};

use super::elementwise::{exact_gelu, gelu};
use super::epilogue::Stored;
use super::gemm::{multiply, scratches};
use super::held::Held;
use super::number::Real;
use super::pack::Lanes;
use super::product::Scratch;
use super::stop::Stop;
use super::{Extent, Operator, drawn, exact};
use crate::bench::{BenchError, Cancel, Oracle, exact_product, unit_roundoff};

/// No slope of GELU is above this.
pub(super) const SLOPE: f64 = 1.13;

/// What products of a layer are multiplied by: weights are in [-1, 1), so results stay of the size of what goes in.
pub(super) fn scale(width: Extent) -> f32 {
    1.0 / (width as f32).sqrt()
}

/// How far a sum of so many products in single precision, scaled, is off, relative to the sum of their magnitudes.
pub(super) fn off(terms: Extent) -> f64 {
    let terms = terms as f64 * unit_roundoff(24);
    terms / (1.0 - terms) + 4.0 * unit_roundoff(24)
}

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

/// The sums of a layer, scaled, and those of their terms' magnitudes.
pub(super) struct Sums {
    pub(super) exact: Array2<f64>,
    pub(super) sizes: Array2<f64>,
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
        Ok(Self { exact, sizes })
    }
}

/// Holds what GELU made of sums against it.
pub(super) fn hold_gelu(held: &mut Held, result: &Array2<f64>, sums: &Sums, terms: Extent) {
    Zip::from(result).and(&sums.exact).and(&sums.sizes).for_each(|&got, &sum, &size| {
        // Of the sum, and of GELU's own loops.
        let made = SLOPE * off(terms) * size + unit_roundoff(18) * sum.abs();
        held.hold(got, exact_gelu(sum), made, size);
    });
}

impl<E: Real> Operator for Mlp<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let scale = scale(self.width);
        let extents = [self.batch, self.width, self.width];
        for (at, weights) in self.weights.iter().enumerate() {
            let (before, after) = self.flows.split_at_mut(at + 1);
            if let (Some(input), Some(output)) = (before.last(), after.first_mut()) {
                let by = |sum: f32| E::store(gelu(sum * scale), 0);
                let operands = (Lanes::rows(input, self.width), Lanes::rows(weights, self.width));
                multiply(extents, operands, &mut self.scratch, stop, Stored { to: output, by });
            }
        }
    }

    fn spoil(&mut self) {
        self.flows.iter_mut().skip(1).for_each(|flow| flow.fill(E::default()));
    }

    /// Each layer against the exact one of what it really read.
    fn check(&self, _: &mut Option<Oracle>, cancel: Cancel<'_>) -> Result<Check, BenchError> {
        let (batch, width) = (self.batch, self.width);
        let mut held = Held::of::<E>();
        for (weights, flows) in self.weights.iter().zip(self.flows.windows(2)) {
            let [input, output] = flows else { continue };
            let weights = exact(weights, [width, width]).reversed_axes();
            let input = exact(input, [batch, width]);
            let sums = Sums::of(&input, &weights, f64::from(scale(width)), cancel)?;
            hold_gelu(&mut held, &exact(output, [batch, width]), &sums, width);
        }
        let bits = held.bits();
        Ok(held.check(format!(
            "every element of every layer against ndarray's dot and GELU in f64 of what the layer read, within k u / (1 - k u) + 4 u \
             of sum |a| |b|, u = 2^-24, 2^-18 of GELU's argument and 2^-{bits} of the result"
        )))
    }
}
