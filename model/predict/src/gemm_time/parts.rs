use serde::Serialize;

use super::candidates::{Candidate, list_candidates};
use super::{GemmConstants, GpuFigures, TimingConditions};
use derate_units::Seconds;
use derate_workload::Matmul;

/// The time of a GEMM, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GemmParts {
    /// The whole: `launch + quantise + split + sqrt(compute^2 + read^2 + write^2)`.
    pub total: Seconds,
    /// Before and after any call.
    pub launch: Seconds,
    /// Quantising the left operand, where the call does so.
    pub quantise: Seconds,
    /// Summing what several units have of one contraction.
    pub split: Seconds,
    /// The units' work, if operands were always there.
    pub compute: Seconds,
    /// Reading operands, if nothing else took time.
    pub read: Seconds,
    /// Writing the result.
    pub write: Seconds,
    /// Rows and columns of the tile.
    pub tile: (u32, u32),
    /// Among how many units each contraction is shared out.
    pub ways: u32,
    /// Tiles over units, rounded up as far as the fit found.
    pub waves: f64,
}

/// A product on a machine, with all that no fitted constant changes.
#[derive(Clone, Debug)]
pub(super) struct PreparedGemm {
    machine: GpuFigures,
    candidates: Vec<Candidate>,
    batch: f64,
    rows: f64,
    columns: f64,
    depth: f64,
    left: f64,
    right: f64,
    result: f64,
    /// Bytes between a use of a weight and the next one.
    until_weight: f64,
    /// The same of any other byte.
    until_other: f64,
}

/// The share of a working set that a cache does not keep: `1 / (1 + (capacity / set)^4)`, between all and nothing.
fn missed_share(set: f64, capacity: f64) -> f64 {
    let ratio = capacity / set;
    1.0 / (1.0 + (ratio * ratio) * (ratio * ratio))
}

impl PreparedGemm {
    /// Copies of the weights take turns between calls; everything else is used again by the next.
    pub(super) fn new(
        product: Matmul,
        conditions: &TimingConditions,
        machine: &GpuFigures,
    ) -> Self {
        let TimingConditions { elements, weight_copies, column_major, .. } = conditions;
        let product =
            if *column_major { Matmul { m: product.n, n: product.m, ..product } } else { product };
        let (left, right, result) = elements.bytes(product);
        Self {
            machine: *machine,
            candidates: list_candidates(product, elements, machine),
            rows: product.m as f64,
            batch: product.batch as f64,
            columns: product.n as f64,
            depth: product.k as f64,
            left,
            right,
            result,
            until_weight: weight_copies * right + left + result,
            until_other: left + right + result,
        }
    }

    /// Whether the library has no such tile for a product of that size.
    fn too_small(&self, candidate: &Candidate, constants: &GemmConstants) -> bool {
        let (rows, columns) = candidate.tile;
        (rows < constants.least_rows && f64::from(rows) < self.rows)
            || (columns < constants.least_columns && f64::from(columns) < self.columns)
    }

    /// The quickest way to cut the product.
    pub(super) fn best_time(&self, constants: &GemmConstants) -> GemmParts {
        let c = constants;
        let bandwidth = self.machine.bandwidth.0;
        let cache = self.machine.cache.0;
        let kept = c.cache_share * cache;
        let read = (self.right * missed_share(self.until_weight, kept)
            + self.left * missed_share(self.until_other, kept))
            / (c.read * bandwidth);
        let cached = 1.0 / (c.cache_rate * bandwidth);
        let write = self.result * missed_share(self.until_other, c.result_share * cache)
            / (c.write * bandwidth);
        let write = write.max(self.result * cached);
        let rate = self.machine.peak.0 / self.machine.units * c.compute;
        // Seconds of a whole tile besides its products, and of one of the contracted dimension.
        let beside = c.tile * 1e-6 / (128.0 * 128.0);
        let step = c.step * 1e-6 / 1024.0;
        let parts = |candidate: &Candidate| {
            let products =
                2.0 * candidate.area * candidate.depth / rate * (1.0 + c.edge * candidate.edge);
            let tile = products.max(step * candidate.depth) + beside * candidate.area;
            let waves = c.tail * candidate.waves + (1.0 - c.tail) * candidate.even;
            let compute = waves * tile;
            let read = read.max(candidate.moved * cached);
            let split = if candidate.split > 1 { c.split * 1e-6 } else { 0.0 };
            let joint = (compute * compute + read * read + write * write).sqrt();
            (joint + split, compute, read, split, waves)
        };
        let mut best = (f64::INFINITY, 0.0, 0.0, 0.0, 0.0);
        let mut chosen = None;
        for candidate in &self.candidates {
            if self.too_small(candidate, constants) {
                continue;
            }
            let tried = parts(candidate);
            if tried.0 < best.0 {
                best = tried;
                chosen = Some(candidate);
            }
        }
        let (joint, compute, read, split, waves) = best;
        let rows = self.batch * self.rows / self.machine.units;
        let quantise = rows * (c.quantise_row * 1e-6 + c.quantise_element * 1e-9 * self.depth);
        let launch = c.launch * 1e-6;
        GemmParts {
            total: Seconds(launch + quantise + joint),
            launch: Seconds(launch),
            quantise: Seconds(quantise),
            split: Seconds(split),
            compute: Seconds(compute),
            read: Seconds(read),
            write: Seconds(write),
            tile: chosen.map_or((0, 0), |c| c.tile),
            ways: chosen.map_or(1, |c| c.split),
            waves,
        }
    }
}
