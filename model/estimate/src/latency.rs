//! How long a group of kernels takes in cycles, and what the gap to the roofline is made of.
//!
//! Each step adds one effect to the one before; a term is what its step adds, so the terms sum up to the latency exactly
//! and none is below zero.

use serde::Serialize;

use crate::array::Array;
use derate_project::Launches;
use derate_units::Seconds;
use derate_workload::Matmul;
use derate_workload::work::GroupWork;

/// What the time of a pass is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Terms {
    /// `max(multiply-adds / array, bytes / bandwidth)`: the roofline.
    pub roofline: Seconds,
    /// Tiles at the edges of a result, and a contracted dimension that the unrolling does not divide, run as full ones.
    pub edge_tiles: Seconds,
    /// The adder's latency where partial sums are not interleaved.
    pub accumulation: Seconds,
    /// Filling and draining the array, per tile.
    pub fill: Seconds,
    /// Elementwise work that is slower than the products beside it.
    pub elementwise: Seconds,
    /// The first word and the last answer of memory.
    pub memory_latency: Seconds,
    /// Kernel calls by the host.
    pub launch: Seconds,
}

impl Terms {
    /// The latency: the sum of all terms.
    pub fn total(&self) -> Seconds {
        self.named().into_iter().map(|(_, term)| term).sum()
    }

    /// Each term with its name.
    pub fn named(&self) -> [(&'static str, Seconds); 7] {
        [
            ("roofline", self.roofline),
            ("edge tiles", self.edge_tiles),
            ("accumulation", self.accumulation),
            ("fill", self.fill),
            ("elementwise", self.elementwise),
            ("memory latency", self.memory_latency),
            ("launch", self.launch),
        ]
    }

    /// Adds `calls` times the terms of another.
    pub fn add(&mut self, other: &Self, calls: f64) {
        let sum = |a: Seconds, b: Seconds| a + b * calls;
        *self = Self {
            roofline: sum(self.roofline, other.roofline),
            edge_tiles: sum(self.edge_tiles, other.edge_tiles),
            accumulation: sum(self.accumulation, other.accumulation),
            fill: sum(self.fill, other.fill),
            elementwise: sum(self.elementwise, other.elementwise),
            memory_latency: sum(self.memory_latency, other.memory_latency),
            launch: sum(self.launch, other.launch),
        };
    }
}

/// The numbers of an [`Array`] that times are computed from; each field is described there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrayNumbers {
    /// Rows of elements.
    pub rows: f64,
    /// Columns of elements.
    pub columns: f64,
    /// Multiply-adds per element and cycle.
    pub unroll: f64,
    /// Cycles between two additions to the same sum.
    pub accumulation_ii: f64,
    /// Cycles of fill and drain per tile.
    pub fill: f64,
    /// Elements per cycle of an elementwise operator; infinite where memory is the limit.
    pub lanes: f64,
    /// Cycles from a request to its first word.
    pub memory_latency: f64,
    /// Hertz.
    pub clock: f64,
    /// Seconds of a kernel call.
    pub launch: f64,
    /// What a kernel call is.
    pub launches: Launches,
}

impl ArrayNumbers {
    /// Multiply-adds per cycle.
    pub fn macs(&self) -> f64 {
        self.rows * self.columns * self.unroll
    }
}

impl From<&Array> for ArrayNumbers {
    fn from(array: &Array) -> Self {
        Self {
            rows: array.rows.value,
            columns: array.columns.value,
            unroll: array.unroll.value,
            accumulation_ii: array.accumulation_ii.value,
            fill: array.fill.value,
            lanes: array.lanes.as_ref().map_or(f64::INFINITY, |lanes| lanes.value),
            memory_latency: array.memory_latency.value,
            clock: array.clock.value.0,
            launch: array.launch.value.0,
            launches: array.launches,
        }
    }
}

/// Cycles of one product at each step: ideal, with edge tiles, with accumulation, with fill.
///
/// An output-stationary array makes `rows x columns` results at once: `ceil(m / rows) * ceil(n / columns)` tiles, each
/// `ceil(k / unroll) * II` cycles and its fill. (csynth reports of a tiled smolVLA MLP give
/// `floor(M / a) * floor(N / b) * K` plus 4 or 5 cycles, its systolic twin a fill per tile.)
pub fn product_cycles(matmul: Matmul, array: &ArrayNumbers) -> [f64; 4] {
    let ideal = matmul.macs() / array.macs();
    let tiles = matmul.batch as f64
        * (matmul.m as f64 / array.rows).ceil()
        * (matmul.n as f64 / array.columns).ceil();
    let depth = (matmul.k as f64 / array.unroll).ceil();
    let edges = tiles * depth;
    let accumulation = edges * array.accumulation_ii;
    [ideal, edges, accumulation, accumulation + tiles * array.fill]
}

/// The terms of one run of a group that takes so many seconds of memory, without launches. Compute and memory overlap
/// (operands are double-buffered), and elementwise work streams beside the products of its group.
pub(crate) fn latency_terms(work: &GroupWork, memory: f64, array: &ArrayNumbers) -> Terms {
    let mut steps = [0.0_f64; 4];
    for (_, matmul) in &work.products {
        for (sum, cycles) in steps.iter_mut().zip(product_cycles(*matmul, array)) {
            *sum += cycles;
        }
    }
    let elementwise = work.streamed / array.lanes;
    let [ideal, edges, accumulation, fill] = steps.map(|cycles| cycles / array.clock);
    let all = fill.max(elementwise / array.clock);
    let mut before = ideal.max(memory);
    let roofline = Seconds(before);
    let mut step = |compute: f64| {
        let now = compute.max(memory).max(before);
        let term = Seconds(now - before);
        before = now;
        term
    };
    Terms {
        roofline,
        edge_tiles: step(edges),
        accumulation: step(accumulation),
        fill: step(fill),
        elementwise: step(all),
        // The first read and the last write cannot overlap with anything of the kernel.
        memory_latency: Seconds(2.0 * array.memory_latency / array.clock),
        launch: Seconds(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARRAY: ArrayNumbers = ArrayNumbers {
        rows: 8.0,
        columns: 8.0,
        unroll: 1.0,
        accumulation_ii: 1.0,
        fill: 0.0,
        lanes: f64::INFINITY,
        memory_latency: 0.0,
        clock: 300e6,
        launch: 0.0,
        launches: Launches::Block,
    };

    #[test]
    #[allow(clippy::float_cmp, reason = "whole numbers")]
    fn tiles_that_divide_lose_nothing() {
        // 1024 x 720 x 2048 on a 4 x 4 array: (1024/4) * (2048/4) * 720 cycles.
        let array = ArrayNumbers { rows: 4.0, columns: 4.0, ..ARRAY };
        let [ideal, edges, ..] = product_cycles(Matmul::gemm(1024, 720, 2048), &array);
        assert_eq!((ideal, edges), (94_371_840.0, 94_371_840.0));
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "whole numbers")]
    fn edge_tiles_run_as_full_ones() {
        let [ideal, edges, ..] = product_cycles(Matmul::gemm(9, 10, 8), &ARRAY);
        assert_eq!((ideal, edges), (11.25, 20.0));
    }
}
