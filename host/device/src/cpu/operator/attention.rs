//! `softmax(Q K^T / sqrt(d)) V`, the scores of a few rows at a time in the cache.

use std::ops::Range;
use std::sync::Mutex;

use derate_model::measurement::ResultCheck;
use derate_model::operator::Attention as Extents;
use ndarray::s;

use super::elementwise::softmax;
use super::held::StoredCheck;
use super::level::{Compute, run_best};
use super::number::Real;
use super::pack::Lanes;
use super::product::{PackScratch, Product};
use super::stop::Stop;
use super::team::{side_by_side, useful_threads};
use super::{Extent, Operator, draw_operands, exact_array, to_extent};
use crate::error::BenchError;
use crate::measure::Cancel;
use crate::oracle::{Oracle, exact_product, unit_roundoff};

/// Rows whose scores are made together.
const TOGETHER: usize = 96;

/// Memory of one thread.
struct Own<E: Real> {
    scores: PackScratch<E, E>,
    result: PackScratch<f32, E>,
}

impl<E: Real> Default for Own<E> {
    fn default() -> Self {
        Self { scores: PackScratch::default(), result: PackScratch::default() }
    }
}

/// Softmax of rows, of which the first is that of a query.
struct Shares<'a> {
    rows: &'a mut [f32],
    /// Keys in a row, and how many each row sees.
    keys: usize,
    seen: &'a dyn Fn(usize) -> usize,
    scale: f32,
}

impl Compute for Shares<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(self) {
        for (at, row) in self.rows.chunks_exact_mut(self.keys.max(1)).enumerate() {
            softmax(row, (self.seen)(at), self.scale);
        }
    }
}

/// Queries of heads that share keys lie one after another, so that each block of rows reads the keys once.
pub(super) struct Attention<E: Real> {
    batch: Extent,
    heads: Extent,
    kv_heads: Extent,
    dim: Extent,
    queries: Extent,
    keys: Extent,
    causal: bool,
    q: Vec<E>,
    k: Vec<E>,
    v: Vec<E>,
    result: Vec<E>,
    threads: usize,
    own: Vec<Own<E>>,
}

impl<E: Real> Attention<E> {
    pub(super) fn new(
        of: &Extents,
        threads: usize,
        cancel: Cancel<'_>,
    ) -> Result<Self, BenchError> {
        let (batch, heads, kv_heads) =
            (to_extent(of.batch)?, to_extent(of.heads)?, to_extent(of.kv_heads)?);
        let (dim, queries, keys) =
            (to_extent(of.head_dim)?, to_extent(of.queries)?, to_extent(of.keys)?);
        let cached = batch * kv_heads * keys * dim;
        Ok(Self {
            q: draw_operands(batch * heads * queries * dim, 1, cancel)?,
            k: draw_operands(cached, 2, cancel)?,
            v: draw_operands(cached, 3, cancel)?,
            result: vec![E::default(); batch * heads * queries * dim],
            own: std::iter::repeat_with(Own::default).take(threads.max(1)).collect(),
            causal: of.causal,
            batch,
            heads,
            kv_heads,
            dim,
            queries,
            keys,
            threads,
        })
    }

    /// Keys that the query of a row sees.
    fn seen_keys(&self, row: usize) -> usize {
        let query = row % self.queries;
        if self.causal { (self.keys + query + 1).saturating_sub(self.queries) } else { self.keys }
    }
}

impl<E: Real> Operator for Attention<E> {
    fn run(&mut self, stop: &Stop<'_>) {
        let mut result = std::mem::take(&mut self.result);
        let own = std::mem::take(&mut self.own);
        let (dim, keys) = (self.dim, self.keys);
        let group = self.heads / self.kv_heads * self.queries;
        let pairs = (self.batch * self.heads * self.queries * keys * dim) as f64;
        let blocks = self.batch * self.kv_heads * group.div_ceil(TOGETHER);
        let threads = useful_threads(self.threads, 4.0 * pairs, blocks);
        let free = Mutex::new(own);
        let mut jobs = Vec::with_capacity(blocks);
        let this = &*self;
        for (head, result) in result.chunks_exact_mut(group * dim).enumerate() {
            let whole = head * keys * dim..(head + 1) * keys * dim;
            let k = this.k.get(whole.clone()).unwrap_or_default();
            let v = this.v.get(whole).unwrap_or_default();
            for (block, result) in result.chunks_mut(TOGETHER * dim).enumerate() {
                let (first, free) = (block * TOGETHER, &free);
                jobs.push(move || {
                    let lock = || free.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    let mut own = lock().pop().unwrap_or_default();
                    let rows = result.len() / dim;
                    let from = (head * group + first) * dim;
                    let q = this.q.get(from..from + rows * dim).unwrap_or_default();
                    this.compute_block((q, k, v), first..first + rows, &mut own, stop);
                    result
                        .iter_mut()
                        .zip(&own.result.sums)
                        .for_each(|(to, &sum)| *to = E::store(sum, 0));
                    lock().push(own);
                });
            }
        }
        side_by_side(threads, jobs, stop);
        self.own = free.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.result = result;
    }

    fn wipe_result(&mut self) {
        self.result.fill(E::wiped());
    }

    fn check_result(
        &self,
        _: &mut Option<Oracle>,
        cancel: Cancel<'_>,
    ) -> Result<ResultCheck, BenchError> {
        let mut held = StoredCheck::of::<E>();
        let unit = unit_roundoff(24);
        let scale = 1.0 / (self.dim as f64).sqrt();
        let rows = self.heads / self.kv_heads * self.queries;
        for head in 0..self.batch * self.kv_heads {
            let of = |all: &[E], rows: usize| {
                let size = rows * self.dim;
                exact_array(
                    all.get(head * size..(head + 1) * size).unwrap_or_default(),
                    [rows, self.dim],
                )
            };
            let (q, got) = (of(&self.q, rows), of(&self.result, rows));
            let (k, v) = (of(&self.k, self.keys).reversed_axes(), of(&self.v, self.keys));
            let mut shares = exact_product(&q, &k, cancel)? * scale;
            let sizes = exact_product(&q.mapv(f64::abs), &k.mapv(f64::abs), cancel)? * scale;
            let mut off = Vec::with_capacity(rows);
            for (row, (mut shares, sizes)) in
                shares.rows_mut().into_iter().zip(sizes.rows()).enumerate()
            {
                if cancel() {
                    return Err(BenchError::Cancelled);
                }
                let seen = self.seen_keys(row);
                let largest = |all: ndarray::ArrayView1<'_, f64>| {
                    all.iter().copied().fold(f64::MIN, f64::max)
                };
                let most = largest(shares.slice(s![..seen]));
                let size = largest(sizes.slice(s![..seen]));
                shares.slice_mut(s![seen..]).fill(0.0);
                shares.slice_mut(s![..seen]).mapv_inplace(|score| (score - most).exp());
                let sum = shares.sum();
                shares.mapv_inplace(|share| share / sum);
                // Of a score, twice in each share; of the exponential and its argument; of both sums.
                let scores = (self.dim as f64 + 8.0) * unit * size;
                off.push(2.0 * scores + unit_roundoff(19) + 2.0 * (seen as f64 + 8.0) * unit);
            }
            let wanted = exact_product(&shares, &v, cancel)?;
            let sizes = exact_product(&shares, &v.mapv(f64::abs), cancel)?;
            for (((got, wanted), sizes), off) in
                got.rows().into_iter().zip(wanted.rows()).zip(sizes.rows()).zip(off)
            {
                for ((&got, &wanted), &size) in got.iter().zip(wanted).zip(sizes) {
                    held.hold_element(got, wanted, off * size, size);
                }
            }
        }
        let bits = held.bits();
        Ok(held.check(format!(
            "every element against softmax(Q K^T) V by ndarray in f64, within 2 (d + 8) u max |q| |k| + 2 (keys + 8) u + 2^-19 of \
             sum p |v|, u = 2^-24, and 2^-{bits} of the result"
        )))
    }
}

impl<E: Real> Attention<E> {
    /// The rows of one block; the result is left in the thread's sums.
    fn compute_block(
        &self,
        (q, k, v): (&[E], &[E], &[E]),
        rows: Range<usize>,
        own: &mut Own<E>,
        stop: &Stop<'_>,
    ) {
        let (dim, first, rows) = (self.dim, rows.start, rows.len());
        let seen = |row: usize| self.seen_keys(first + row);
        // Keys that no row of the block sees are not computed.
        let keys = (0..rows).map(seen).max().unwrap_or(0);
        run_best(Product {
            left: Lanes::rows(q, dim),
            right: Lanes::rows(k, dim),
            rows: 0..rows,
            columns: 0..keys,
            depth: dim,
            scratch: &mut own.scores,
            stop,
        });
        if stop.asked() {
            return;
        }
        let scale = 1.0 / (dim as f32).sqrt();
        run_best(Shares { rows: &mut own.scores.sums, keys, seen: &seen, scale });
        run_best(Product {
            left: Lanes::rows(&own.scores.sums, keys),
            right: Lanes::columns(v, dim),
            rows: 0..rows,
            columns: 0..dim,
            depth: keys,
            scratch: &mut own.result,
            stop,
        });
    }
}
