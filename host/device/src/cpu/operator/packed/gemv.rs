//! A packed matrix times a vector of FP32.

use derate_model::measurement::ResultCheck;

use super::super::stop::Stop;
use super::super::team::{PARTS, side_by_side, split_range, useful_threads};
use super::super::{Operator, draw_operands, exact_array};
use super::registers::Registers;
use super::{Vector, sum_rows};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{Oracle, Rounding};
use crate::packed::{EXTRA_ROUNDINGS, PackedFormat, PackedMatrix};

/// Codes between two questions whether to go on.
const AT_ONCE: usize = 1 << 18;

/// Rows that are summed together, so that each load of the vector serves all of them.
pub(super) const ROWS: usize = 4;

/// Some rows, and what they are multiplied with.
pub(super) struct PackedRows<'a, const N: usize> {
    pub(super) format: PackedFormat,
    pub(super) columns: usize,
    pub(super) codes: [&'a [u8]; N],
    pub(super) scales: [&'a [u8]; N],
    /// The vector in its order.
    pub(super) vector: &'a [f32],
    /// As [`arrange`] lays it out.
    pub(super) arranged: &'a [f32],
}

/// The whole groups of a vector as the codes of 4 bits meet them: first elements 0, 8, 16 .. of a group, then 1, 9, 17 ..
pub(super) fn arrange(vector: &[f32], registers: Option<Registers>, to: &mut Vec<f32>) {
    to.clear();
    let Some(registers) = registers else { return };
    for group in vector.chunks_exact(registers.group()) {
        for part in 0..8 {
            to.extend(group.iter().skip(part).step_by(8));
        }
    }
}

/// `y[n] = W[n, k] x[k]`, `W` packed.
pub(in super::super) struct PackedGemv {
    matrix: PackedMatrix,
    vector: Vec<f32>,
    arranged: Vec<f32>,
    result: Vec<f32>,
    threads: usize,
}

impl PackedGemv {
    pub(in super::super) fn new(
        format: PackedFormat,
        extents @ [n, k]: [usize; 2],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        Ok(Self {
            matrix: PackedMatrix::draw(format, extents, 1, cancel)?,
            vector: draw_operands(k, 2, cancel)?,
            arranged: Vec::with_capacity(k),
            result: vec![0.0; n],
            threads,
        })
    }
}

impl Operator for PackedGemv {
    fn run(&mut self, stop: &Stop<'_>) {
        let matrix = &self.matrix;
        let (n, k) = (matrix.rows, matrix.columns);
        let registers = Registers::best();
        arrange(&self.vector, registers, &mut self.arranged);
        let threads = useful_threads(self.threads, 2.0 * n as f64 * k as f64, n);
        let vector = Vector { plain: &self.vector, arranged: &self.arranged, registers };
        let together = (AT_ONCE / (ROWS * k).max(1)).max(1);
        let mut left = self.result.as_mut_slice();
        let mut jobs = Vec::with_capacity(threads);
        // More parts than threads: one that is held up leaves its share to the others.
        for rows in split_range(n, ROWS, threads * PARTS) {
            let (result, rest) = left.split_at_mut(rows.len());
            left = rest;
            jobs.push(move || {
                for (at, to) in rows.step_by(ROWS).zip(result.chunks_mut(ROWS)) {
                    if (at / ROWS).is_multiple_of(together) && stop.asked() {
                        return;
                    }
                    if let Ok(to) = <&mut [f32; ROWS]>::try_from(&mut *to) {
                        *to = sum_rows(matrix, at, &vector);
                        continue;
                    }
                    for (at, to) in (at..).zip(to) {
                        [*to] = sum_rows(matrix, at, &vector);
                    }
                }
            });
        }
        side_by_side(threads, jobs, stop);
    }

    fn wipe_result(&mut self) {
        self.result.fill(f32::NAN);
    }

    fn check_result(
        &self,
        oracle: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let known = match oracle.take() {
            Some(known) => known,
            None => Oracle::of_roundings(
                cancel,
                Rounding::Sums,
                EXTRA_ROUNDINGS,
                &self.matrix.exact(),
                &exact_array(&self.vector, [self.vector.len(), 1]),
            )?,
        };
        Ok(oracle.insert(known).check(&exact_array(&self.result, [self.result.len(), 1])))
    }
}
