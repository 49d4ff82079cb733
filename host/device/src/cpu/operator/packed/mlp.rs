//! Layers of one width forward, their weights packed.

use derate_model::measurement::ResultCheck;

use super::super::elementwise::gelu;
use super::super::epilogue::Stored;
use super::super::gemm::{make_scratches, multiply_matrices};
use super::super::held::StoredCheck;
use super::super::mlp::{Sums, hold_gelu};
use super::super::pack::Lanes;
use super::super::product::PackScratch;
use super::super::stop::Stop;
use super::super::{Operator, draw_operands, exact_array};
use super::rows::PackedRows;
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{Oracle, exact_gelu, exact_product, gelu_scale};
use crate::packed::{PackedFormat, PackedMatrix};

/// Rows of the input that tell what a layer's sums are multiplied with.
const ROWS: usize = 16;

/// `h = gelu(s h W^T)`, so many times; activations are FP32.
pub(in super::super) struct PackedMlp {
    batch: usize,
    width: usize,
    weights: Vec<PackedMatrix>,
    scales: Vec<f32>,
    flows: Vec<Vec<f32>>,
    scratch: Vec<PackScratch<f32, f32>>,
}

impl PackedMlp {
    pub(in super::super) fn new(
        format: PackedFormat,
        [batch, width, layers]: [usize; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let draw = |layer| PackedMatrix::draw(format, [width, width], layer as u64 + 2, cancel);
        let weights: Vec<PackedMatrix> = (0..layers).map(draw).collect::<Result<_, _>>()?;
        let flows = (0..=layers).map(|_| draw_operands(batch * width, 1, cancel));
        let flows: Vec<Vec<f32>> = flows.collect::<Result<_, _>>()?;
        let rows = batch.min(ROWS);
        let input = flows.first().and_then(|flow| flow.get(..rows * width)).unwrap_or_default();
        let mut flow = exact_array(input, [rows, width]);
        let mut scales = Vec::with_capacity(layers);
        for weights in &weights {
            let sums = exact_product(&flow, &weights.exact().reversed_axes(), cancel)?;
            let scale = gelu_scale(sums.iter().copied());
            flow = sums.mapv_into(|sum| exact_gelu(sum * f64::from(scale)));
            scales.push(scale);
        }
        Ok(Self { batch, width, weights, scales, flows, scratch: make_scratches(threads) })
    }
}

impl Operator for PackedMlp {
    fn run(&mut self, stop: &Stop<'_>) {
        let extents = [self.batch, self.width, self.width];
        for (at, (weights, &scale)) in self.weights.iter().zip(&self.scales).enumerate() {
            let (before, after) = self.flows.split_at_mut(at + 1);
            if let (Some(input), Some(output)) = (before.last(), after.first_mut()) {
                let operands = (Lanes::rows(input, self.width), PackedRows(weights));
                let to = Stored { to: output, by: move |sum: f32| gelu(sum * scale) };
                multiply_matrices(extents, operands, &mut self.scratch, stop, to);
            }
        }
    }

    fn wipe_result(&mut self) {
        self.flows.iter_mut().skip(1).for_each(|flow| flow.fill(f32::NAN));
    }

    /// Each layer against the exact one of what it really read.
    fn check_result(
        &self,
        _: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let mut held = StoredCheck::of::<f32>();
        let layers = self.weights.iter().zip(&self.scales);
        for ((weights, &scale), flows) in layers.zip(self.flows.windows(2)) {
            let [input, output] = flows else { continue };
            let input = exact_array(input, [self.batch, self.width]);
            let weights = weights.exact().reversed_axes();
            let sums = Sums::of(&input, &weights, f64::from(scale), cancel)?;
            hold_gelu(&mut held, &exact_array(output, [self.batch, self.width]), &sums);
        }
        Ok(held.check(
            "every element of every layer against ndarray's dot and GELU in f64 of what the layer read and of the weights as \
             they are packed, within k u / (1 - k u) + 4 u of sum |a| |b|, u = 2^-24, and 2^-18 of GELU's argument"
                .to_owned(),
        ))
    }
}
