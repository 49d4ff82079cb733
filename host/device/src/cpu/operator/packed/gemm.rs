//! A matrix of FP32 times packed weights.

use derate_model::measurement::ResultCheck;

use super::super::epilogue::Stored;
use super::super::gemm::{make_scratches, multiply_matrices};
use super::super::pack::Lanes;
use super::super::product::PackScratch;
use super::super::stop::Stop;
use super::super::{Operator, draw_operands, exact_array};
use super::rows::PackedRows;
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{Oracle, Rounding};
use crate::packed::{EXTRA_ROUNDINGS, PackedFormat, PackedMatrix};

/// `C[m, n] = A[m, k] W[n, k]^T`, `W` packed along its rows.
pub(in super::super) struct PackedGemm {
    extents: [usize; 3],
    left: Vec<f32>,
    weights: PackedMatrix,
    result: Vec<f32>,
    scratch: Vec<PackScratch<f32, f32>>,
}

impl PackedGemm {
    pub(in super::super) fn new(
        format: PackedFormat,
        extents @ [m, n, k]: [usize; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        Ok(Self {
            left: draw_operands(m * k, 1, cancel)?,
            weights: PackedMatrix::draw(format, [n, k], 2, cancel)?,
            result: vec![0.0; m * n],
            scratch: make_scratches(threads),
            extents,
        })
    }
}

impl Operator for PackedGemm {
    fn run(&mut self, stop: &Stop<'_>) {
        let operands = (Lanes::rows(&self.left, self.extents[2]), PackedRows(&self.weights));
        let to = Stored { to: &mut self.result, by: |sum: f32| sum };
        multiply_matrices(self.extents, operands, &mut self.scratch, stop, to);
    }

    fn wipe_result(&mut self) {
        self.result.fill(f32::NAN);
    }

    fn check_result(
        &self,
        oracle: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let [m, n, k] = self.extents;
        let known = match oracle.take() {
            Some(known) => known,
            None => Oracle::of_roundings(
                cancel,
                Rounding::Sums,
                EXTRA_ROUNDINGS,
                &exact_array(&self.left, [m, k]),
                &self.weights.exact().reversed_axes(),
            )?,
        };
        Ok(oracle.insert(known).check(&exact_array(&self.result, [m, n])))
    }
}
