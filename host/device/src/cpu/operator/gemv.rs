//! A matrix times a vector, each row a sum of products.

use derate_model::measurement::ResultCheck;
use ndarray::{Array2, ArrayView2};

use super::level::{Compute, run_best};
use super::number::Number;
use super::stop::Stop;
use super::team::{PARTS, side_by_side, split_range, useful_threads};
use super::{Extent, Operator, draw_operands, result_shift};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::Oracle;

/// Sums that run side by side in a row, so that no addition waits for the one before.
const LANES: usize = 64;

/// Products of a block of rows, before which is asked whether to go on.
const AT_ONCE: usize = 1 << 18;

struct Rows<'a, E: Number> {
    matrix: &'a [E],
    vector: &'a [E::Factor],
    result: &'a mut [E],
    shift: u32,
    stop: &'a Stop<'a>,
}

impl<E: Number> Compute for Rows<'_, E> {
    type Output = ();

    #[inline(always)]
    fn compute<const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(self) {
        let terms = self.vector.len().max(1);
        let together = (AT_ONCE / terms).max(1);
        let blocks = self.matrix.chunks(terms * together);
        for (block, result) in blocks.zip(self.result.chunks_mut(together)) {
            if self.stop.asked() {
                return;
            }
            for (row, to) in block.chunks_exact(terms).zip(result) {
                let sum = E::dot_wide(row, self.vector);
                let sum = sum.unwrap_or_else(|| dot_product::<E, FUSED>(row, self.vector));
                *to = E::store(sum, self.shift);
            }
        }
    }
}

#[inline(always)]
fn dot_product<E: Number, const FUSED: bool>(row: &[E], vector: &[E::Factor]) -> E::Sum {
    let mut sums = [E::Sum::default(); LANES];
    let (rows, rest) = row.as_chunks::<LANES>();
    let (vectors, vector_rest) = vector.as_chunks::<LANES>();
    for (row, vector) in rows.iter().zip(vectors) {
        for lane in 0..LANES {
            sums[lane] = E::add::<FUSED>(row[lane].widen(), vector[lane], sums[lane]);
        }
    }
    let mut sum = E::Sum::default();
    for one in sums {
        sum += one;
    }
    for (&a, &b) in rest.iter().zip(vector_rest) {
        sum = E::add::<FUSED>(a.widen(), b, sum);
    }
    sum
}

/// `y[n] = W[n, k] x[k]`.
pub(super) struct Gemv<E: Number> {
    extents: [Extent; 2],
    matrix: Vec<E>,
    vector: Vec<E>,
    widened: Vec<E::Factor>,
    result: Vec<E>,
    threads: usize,
}

impl<E: Number> Gemv<E> {
    pub(super) fn new(
        extents @ [n, k]: [Extent; 2],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        Ok(Self {
            matrix: draw_operands(n * k, 1, cancel)?,
            vector: draw_operands(k, 2, cancel)?,
            widened: Vec::with_capacity(k),
            result: vec![E::default(); n],
            threads,
            extents,
        })
    }
}

impl<E: Number> Operator for Gemv<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let [n, k] = self.extents;
        self.widened.clear();
        self.widened.extend(self.vector.iter().map(|&one| one.widen()));
        let threads = useful_threads(self.threads, 2.0 * n as f64 * k as f64, n);
        let (shift, vector) = (result_shift::<E>(k), &self.widened);
        let mut left = self.result.as_mut_slice();
        let mut jobs = Vec::with_capacity(threads);
        for rows in split_range(n, 1, threads * PARTS) {
            let (result, rest) = left.split_at_mut(rows.len());
            left = rest;
            let matrix = self.matrix.get(rows.start * k..rows.end * k).unwrap_or_default();
            jobs.push(move || run_best(Rows { matrix, vector, result, shift, stop }));
        }
        side_by_side(threads, jobs, stop);
    }

    fn wipe_result(&mut self) {
        self.result.fill(E::wiped());
    }

    fn check_result(
        &self,
        oracle: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let [n, k] = self.extents;
        let known = if let Some(known) = oracle.take() {
            known
        } else {
            let (matrix, vector) =
                (exact_array(&self.matrix, [n, k]), exact_array(&self.vector, [k, 1]));
            Oracle::until(cancel, E::rounding(result_shift::<E>(k)), &matrix, &vector)?
        };
        Ok(oracle.insert(known).check(&exact_array(&self.result, [n, 1])))
    }
}

/// Elements as an array of `f64`, which holds each of them.
pub(super) fn exact_array<E: Number>(elements: &[E], [rows, columns]: [Extent; 2]) -> Array2<f64> {
    ArrayView2::from_shape((rows, columns), elements)
        .map_or_else(|_| Array2::zeros((0, 0)), |all| all.mapv(E::exact))
}
