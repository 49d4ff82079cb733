//! Layers of one width, forward and backward: GELU in each product's epilogue, and gradients of the input and of all weights.

use derate_model::measurement::ResultCheck;
use ndarray::{Array2, Zip};

use super::elementwise::{gelu, gelu_slope};
use super::epilogue::{Epilogue, Stored};
use super::gemm::{make_scratches, multiply_matrices};
use super::held::StoredCheck;
use super::level::{Compute, run_best};
use super::mlp::{Sums, find_scales, hold_gelu};
use super::number::Real;
use super::pack::Lanes;
use super::product::PackScratch;
use super::stop::Stop;
use super::team::{side_by_side, split_range, useful_threads};
use super::{Extent, Operator, draw_operands, exact_array};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{GELU_SLOPE, Oracle, exact_gelu_slope, unit_roundoff};

/// Elements of a given gradient between two questions whether to go on.
const AT_ONCE: usize = 1 << 16;

/// Layers whose gradients are of numbers that halves have: their size is left to chance from layer to layer.
pub(super) const MOST_LAYERS: usize = 256;

/// What [`Training`] says of itself beside what computes it.
pub(super) const KEPT: &str = "what GELU is taken of is written in the forward pass and read in the backward one, and counts, as does the gradient that is \
     given, read before the last GELU and written after it";

/// Matrices of `batch x width` that it reads beside the operands of its products, and as many that it writes: what each layer's GELU
/// is taken of, written forward and read backward, and one more for the last layer's gradient, which no product makes: it is read
/// as it is given, and written once it has passed that GELU. That of a lower layer is made in the epilogue of the product above.
pub(super) fn kept_matrices(layers: u64) -> f64 {
    layers as f64 + 1.0
}

struct Layer<E> {
    weights: Vec<E>,
    scale: f32,
    /// What GELU is taken of.
    arguments: Vec<E>,
    result: Vec<E>,
    /// Of the arguments.
    gradient: Vec<E>,
    /// Of the weights.
    weight_gradient: Vec<E>,
}

/// `z = s h W^T`, `h = gelu(z)`, layer by layer; back from a given `dh` by `dz = dh gelu'(z)`, `dW = s dz^T h`, `dh = s dz W`.
pub(super) struct Training<E: Real> {
    batch: Extent,
    width: Extent,
    input: Vec<E>,
    layers: Vec<Layer<E>>,
    /// The gradient of the last result.
    given: Vec<E>,
    input_gradient: Vec<E>,
    scratch: Vec<PackScratch<E, E>>,
}

impl<E: Real> Training<E> {
    pub(super) fn new(
        [batch, width, layers]: [Extent; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let flow = || draw_operands(batch * width, 1, cancel);
        let layer = |at| {
            Ok(Layer {
                weights: draw_operands(width * width, at as u64 + 3, cancel)?,
                scale: 1.0,
                arguments: flow()?,
                result: flow()?,
                gradient: flow()?,
                weight_gradient: draw_operands(width * width, 1, cancel)?,
            })
        };
        let input = flow()?;
        let mut layers = (0..layers).map(layer).collect::<Result<Vec<_>, BenchError>>()?;
        let weights = layers.iter().map(|layer| layer.weights.as_slice());
        let scales = find_scales([batch, width], &input, weights, cancel)?;
        layers.iter_mut().zip(scales).for_each(|(layer, scale)| layer.scale = scale);
        Ok(Self {
            batch,
            width,
            input,
            layers,
            given: draw_operands(batch * width, 2, cancel)?,
            input_gradient: flow()?,
            scratch: make_scratches(threads),
        })
    }

    /// `dz = dh gelu'(z)` of the last layer, whose `dh` no product makes.
    fn enter_gradient(&mut self, stop: &Stop<'_>) {
        let Some(last) = self.layers.last_mut() else { return };
        let all = last.gradient.len();
        // About so many operations an element.
        let threads = useful_threads(self.scratch.len(), 30.0 * all as f64, all);
        let mut rest = Sloped { to: &mut last.gradient, arguments: &last.arguments, scale: 1.0 };
        let mut jobs = Vec::with_capacity(threads);
        for part in split_range(all, 1, threads) {
            let given = self.given.get(part.clone()).unwrap_or_default();
            let (own, others) = rest.split_at(part.len());
            rest = others;
            jobs.push(move || run_best(Enter { given, own, stop }));
        }
        side_by_side(threads, jobs, stop);
    }
}

/// The epilogue of a layer's product: what GELU is taken of is kept.
struct Kept<'a, E> {
    arguments: &'a mut [E],
    to: &'a mut [E],
    scale: f32,
}

impl<E: Real> Epilogue<E> for Kept<'_, E> {
    fn split_at(self, elements: usize) -> (Self, Self) {
        let (arguments, more) = self.arguments.split_at_mut(elements.min(self.arguments.len()));
        let (to, others) = self.to.split_at_mut(elements.min(self.to.len()));
        let scale = self.scale;
        (Self { arguments, to, scale }, Self { arguments: more, to: others, scale })
    }

    fn take(&mut self, from: usize, sums: &[f32]) {
        let arguments = self.arguments.get_mut(from..).unwrap_or_default();
        let to = self.to.get_mut(from..).unwrap_or_default();
        for ((&sum, argument), to) in sums.iter().zip(arguments).zip(to) {
            *argument = E::store(sum * self.scale, 0);
            *to = E::store(gelu(sum * self.scale), 0);
        }
    }
}

/// That of the gradient of what a layer reads: through the GELU below.
struct Sloped<'a, E> {
    arguments: &'a [E],
    to: &'a mut [E],
    scale: f32,
}

impl<E: Real> Sloped<'_, E> {
    #[inline(always)]
    fn store_sloped(&mut self, from: usize, sums: impl Iterator<Item = f32>) {
        let arguments = self.arguments.get(from..).unwrap_or_default();
        let to = self.to.get_mut(from..).unwrap_or_default();
        for ((sum, argument), to) in sums.zip(arguments).zip(to) {
            *to = E::store(sum * self.scale * gelu_slope(argument.widen()), 0);
        }
    }
}

impl<E: Real> Epilogue<E> for Sloped<'_, E> {
    fn split_at(self, elements: usize) -> (Self, Self) {
        let (arguments, more) = self.arguments.split_at(elements.min(self.arguments.len()));
        let (to, others) = self.to.split_at_mut(elements.min(self.to.len()));
        let scale = self.scale;
        (Self { arguments, to, scale }, Self { arguments: more, to: others, scale })
    }

    fn take(&mut self, from: usize, sums: &[f32]) {
        self.store_sloped(from, sums.iter().copied());
    }
}

/// The same of a gradient that is given.
struct Enter<'a, E> {
    given: &'a [E],
    own: Sloped<'a, E>,
    stop: &'a Stop<'a>,
}

impl<E: Real> Compute for Enter<'_, E> {
    type Output = ();

    #[inline(always)]
    fn compute<const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(mut self) {
        for (at, given) in self.given.chunks(AT_ONCE).enumerate() {
            if self.stop.asked() {
                return;
            }
            self.own.store_sloped(at * AT_ONCE, given.iter().map(|&one| one.widen()));
        }
    }
}

impl<E: Real> Operator for Training<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let (batch, width) = (self.batch, self.width);
        let mut input = &self.input;
        for Layer { weights, scale, arguments, result, .. } in &mut self.layers {
            let operands = (Lanes::rows(input, width), Lanes::rows(weights, width));
            let kept = Kept { arguments, to: result, scale: *scale };
            multiply_matrices([batch, width, width], operands, &mut self.scratch, stop, kept);
            input = result;
        }
        self.enter_gradient(stop);
        for at in (0..self.layers.len()).rev() {
            let (below, own) = self.layers.split_at_mut(at);
            let Some(Layer { weights, scale, gradient, weight_gradient, .. }) = own.first_mut()
            else {
                continue;
            };
            let scale = *scale;
            let by = move |sum: f32| E::store(sum * scale, 0);
            let operands = (Lanes::rows(gradient, width), Lanes::columns(weights, width));
            let extents = [batch, width, width];
            if let Some(before) = below.last_mut() {
                let (arguments, to) = (before.arguments.as_slice(), before.gradient.as_mut_slice());
                let sloped = Sloped { arguments, to, scale };
                multiply_matrices(extents, operands, &mut self.scratch, stop, sloped);
            } else {
                let stored = Stored { to: &mut self.input_gradient, by };
                multiply_matrices(extents, operands, &mut self.scratch, stop, stored);
            }
            let input = below.last().map_or(&self.input, |before| &before.result);
            let operands = (Lanes::columns(gradient, width), Lanes::columns(input, width));
            let stored = Stored { to: weight_gradient, by };
            multiply_matrices([width, width, batch], operands, &mut self.scratch, stop, stored);
        }
    }

    fn wipe_result(&mut self) {
        for Layer { arguments, result, gradient, weight_gradient, .. } in &mut self.layers {
            for made in [arguments, result, gradient, weight_gradient] {
                made.fill(E::wiped());
            }
        }
        self.input_gradient.fill(E::wiped());
    }

    /// Each product against the exact one of what it really read: so each gradient rests on those above it, down to the input.
    fn check_result(
        &self,
        _: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let (batch, width) = (self.batch, self.width);
        let of_layer = |all: &[E]| exact_array(all, [width, width]);
        let of_rows = |all: &[E]| exact_array(all, [batch, width]);
        let mut held = StoredCheck::of::<E>();
        if let Some(last) = self.layers.last() {
            let (given, arguments) = (of_rows(&self.given), of_rows(&last.arguments));
            Zip::from(&of_rows(&last.gradient)).and(&given).and(&arguments).for_each(
                |&got, &given, &argument| {
                    let wanted = given * exact_gelu_slope(argument);
                    held.hold_element(got, wanted, unit_roundoff(18) * given.abs(), given.abs());
                },
            );
        }
        let mut before: Option<&Layer<E>> = None;
        for layer in &self.layers {
            let input = of_rows(before.map_or(&self.input, |before| &before.result));
            let (weights, scale) = (of_layer(&layer.weights), f64::from(layer.scale));
            let sums = Sums::of(&input, &weights.t().to_owned(), scale, cancel)?;
            hold_sums(&mut held, &of_rows(&layer.arguments), &sums);
            hold_gelu(&mut held, &of_rows(&layer.result), &sums);
            drop(sums);
            let gradient = of_rows(&layer.gradient);
            let sums = Sums::of(&gradient, &weights, scale, cancel)?;
            if let Some(before) = before {
                let (got, arguments) = (of_rows(&before.gradient), of_rows(&before.arguments));
                Zip::from(&got).and(&sums.exact).and(&sums.sizes).and(&arguments).for_each(
                    |&got, &sum, &size, &argument| {
                        let made =
                            GELU_SLOPE * sums.error_bound(size) + unit_roundoff(18) * sum.abs();
                        held.hold_element(got, sum * exact_gelu_slope(argument), made, size);
                    },
                );
            } else {
                hold_sums(&mut held, &of_rows(&self.input_gradient), &sums);
            }
            drop((sums, weights));
            let sums = Sums::of(&gradient.reversed_axes(), &input, scale, cancel)?;
            hold_sums(&mut held, &of_layer(&layer.weight_gradient), &sums);
            before = Some(layer);
        }
        let bits = held.bits();
        Ok(held.check(format!(
            "every element of every layer and of every gradient against ndarray's dot, GELU and its slope in f64 of what each product \
             read, within k u / (1 - k u) + 4 u of sum |a| |b|, u = 2^-24, and 2^-150 of each of k terms, 2^-18 of GELU's argument, or of what its slope multiplies, \
             and 2^-{bits} of the result"
        )))
    }
}

/// Holds sums that were stored as they are against them.
fn hold_sums(held: &mut StoredCheck, result: &Array2<f64>, sums: &Sums) {
    Zip::from(result).and(&sums.exact).and(&sums.sizes).for_each(|&got, &sum, &size| {
        held.hold_element(got, sum, sums.error_bound(size), size);
    });
}

#[cfg(test)]
mod tests;
