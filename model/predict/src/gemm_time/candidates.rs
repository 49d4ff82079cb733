use super::{ElementBytes, GpuFigures};
use derate_workload::Matmul;

/// Rows of the tiles that a library chooses among.
const ROWS: [u32; 5] = [16, 32, 64, 128, 256];
/// Their columns.
const COLUMNS: [u32; 4] = [32, 64, 128, 256];
/// Least and most elements of a tile: a multiprocessor's registers hold no more sums.
const AREA: std::ops::RangeInclusive<u32> = 16 * 64..=256 * 128;
/// Among how many units a contraction is shared out.
const SPLITS: [u32; 5] = [1, 2, 4, 8, 16];
/// What of the contracted dimension a step takes.
const STEP: f64 = 64.0;

/// One way to cut a product into tiles: what of it no fitted constant changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Rows and columns of a tile.
    pub(super) tile: (u32, u32),
    /// Among how many units each contraction is shared out.
    pub(super) split: u32,
    /// Elements of a tile.
    pub(super) area: f64,
    /// `1/rows + 1/columns`.
    pub(super) edge: f64,
    /// The contracted dimension of a tile, in whole steps.
    pub(super) depth: f64,
    /// Tiles over units: 1 at least.
    pub(super) even: f64,
    /// The same in whole waves.
    pub(super) waves: f64,
    /// Bytes between cache and units.
    pub(super) moved: f64,
}

/// All ways to cut a product.
pub(super) fn list_candidates(
    product: Matmul,
    elements: &ElementBytes,
    machine: &GpuFigures,
) -> Vec<Candidate> {
    let [batch, m, n, k] =
        [product.batch, product.m, product.n, product.k].map(|extent| extent as f64);
    let mut all = Vec::with_capacity(ROWS.len() * COLUMNS.len() * SPLITS.len());
    for rows in ROWS {
        for columns in COLUMNS {
            if !AREA.contains(&(rows * columns)) {
                continue;
            }
            let (height, width) = (f64::from(rows), f64::from(columns));
            let whole = batch * (m / height).ceil() * (n / width).ceil();
            for split in SPLITS {
                let parts = f64::from(split);
                let tiles = whole * parts;
                let depth = (k / parts / STEP).ceil() * STEP;
                let sums = if split > 1 { 8.0 * batch * m * n * parts } else { 0.0 };
                let operands = elements.left * height + elements.right * width;
                all.push(Candidate {
                    tile: (rows, columns),
                    split,
                    area: height * width,
                    edge: 1.0 / height + 1.0 / width,
                    depth,
                    even: (tiles / machine.units).max(1.0),
                    waves: (tiles / machine.units).ceil(),
                    moved: tiles * operands * depth + sums,
                });
            }
        }
    }
    all
}
