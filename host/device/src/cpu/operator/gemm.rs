//! A matrix times a matrix.

use derate_model::measurement::ResultCheck;

use super::epilogue::{Epilogue, Stored};
use super::level::run_best;
use super::number::Number;
use super::pack::{Lanes, Panels};
use super::product::{PackScratch, Product};
use super::stop::Stop;
use super::team::{side_by_side, split_range, useful_threads};
use super::{Extent, Operator, draw_operands, exact_array, result_shift};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::Oracle;

/// Rows that a thread takes at least, so that its tiles are whole.
const ROWS: usize = 12;
/// Columns that it takes at least.
const COLUMNS: usize = 32;
/// Sums that an epilogue takes between two questions whether to go on.
const AT_ONCE: usize = 1 << 18;

/// `C[m, n] = A[m, k] B[k, n]` on so many threads. The lanes of the left operand are rows of the result, those of the right one
/// its columns. Once `stop` hears yes, the rest is left.
pub(super) fn multiply_matrices<E: Number>(
    [m, n, k]: [Extent; 3],
    (left, right): (Lanes<'_, E>, impl Panels<E>),
    scratch: &mut [PackScratch<E, E>],
    stop: &Stop<'_>,
    mut epilogue: impl Epilogue<E>,
) {
    let operations = 2.0 * m as f64 * n as f64 * k as f64;
    let by_rows = m / ROWS >= n / COLUMNS;
    let pieces = if by_rows { m.div_ceil(ROWS) } else { n.div_ceil(COLUMNS) };
    let threads = useful_threads(scratch.len(), operations, pieces);
    if by_rows {
        let mut rest = epilogue;
        let mut jobs = Vec::with_capacity(threads);
        for (rows, scratch) in split_range(m, ROWS, threads).into_iter().zip(scratch) {
            let (mut own, others) = rest.split_at(rows.len() * n);
            rest = others;
            jobs.push(move || {
                run_best(Product {
                    left,
                    right,
                    rows,
                    columns: 0..n,
                    depth: k,
                    scratch: &mut *scratch,
                    stop,
                });
                for (at, sums) in scratch.sums.chunks(AT_ONCE).enumerate() {
                    if stop.asked() {
                        return;
                    }
                    own.take(at * AT_ONCE, sums);
                }
            });
        }
        side_by_side(threads, jobs, stop);
    } else {
        let shares = split_range(n, COLUMNS, threads);
        let jobs = shares.iter().zip(scratch.iter_mut()).map(|(columns, scratch)| {
            let columns = columns.clone();
            move || run_best(Product { left, right, rows: 0..m, columns, depth: k, scratch, stop })
        });
        side_by_side(threads, jobs.collect(), stop);
        for (columns, scratch) in shares.into_iter().zip(scratch) {
            let wide = columns.len().max(1);
            let rows = (AT_ONCE / wide).max(1);
            for (at, some) in scratch.sums.chunks(rows * wide).enumerate() {
                if stop.asked() {
                    return;
                }
                for (row, sums) in (at * rows..).zip(some.chunks_exact(wide)) {
                    epilogue.take(row * n + columns.start, sums);
                }
            }
        }
    }
}

/// One scratch a thread.
pub(super) fn make_scratches<E: Number>(threads: usize) -> Vec<PackScratch<E, E>> {
    std::iter::repeat_with(PackScratch::default).take(threads.max(1)).collect()
}

/// `C[m, n] = A[m, k] B[k, n]`.
pub(super) struct Gemm<E: Number> {
    extents: [Extent; 3],
    left: Vec<E>,
    right: Vec<E>,
    result: Vec<E>,
    scratch: Vec<PackScratch<E, E>>,
}

impl<E: Number> Gemm<E> {
    pub(super) fn new(
        extents @ [m, n, k]: [Extent; 3],
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        Ok(Self {
            left: draw_operands(m * k, 1, cancel)?,
            right: draw_operands(k * n, 2, cancel)?,
            result: vec![E::default(); m * n],
            scratch: make_scratches(threads),
            extents,
        })
    }
}

impl<E: Number> Operator for Gemm<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let extents @ [_, n, k] = self.extents;
        let shift = result_shift::<E>(k);
        let operands = (Lanes::rows(&self.left, k), Lanes::columns(&self.right, n));
        let by = move |sum| E::store(sum, shift);
        multiply_matrices(
            extents,
            operands,
            &mut self.scratch,
            stop,
            Stored { to: &mut self.result, by },
        );
    }

    fn wipe_result(&mut self) {
        self.result.fill(E::wiped());
    }

    fn check_result(
        &self,
        oracle: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let [m, n, k] = self.extents;
        let known = if let Some(known) = oracle.take() {
            known
        } else {
            let (left, right) = (exact_array(&self.left, [m, k]), exact_array(&self.right, [k, n]));
            Oracle::until(cancel, E::rounding(result_shift::<E>(k)), &left, &right)?
        };
        Ok(oracle.insert(known).check(&exact_array(&self.result, [m, n])))
    }
}
