//! A product of matrices: packed blocks that stay in the caches, tiles that stay in the registers (Goto and van de Geijn 2008).

use super::level::Compute;
use super::number::Number;
use super::pack::{Lanes, Panels, pack_lanes};
use super::stop::Stop;

/// Terms of a block.
const DEPTH: usize = 256;
/// Columns of a block.
const ACROSS: usize = 1024;
/// Rows of a block, in tiles.
const TILES: usize = 10;

/// Memory that a thread uses again in every repetition.
pub(super) struct PackScratch<A: Number, B: Number> {
    left: Vec<A::Packed>,
    right: Vec<B::Packed>,
    /// Rows by columns of the last product.
    pub(super) sums: Vec<A::Sum>,
}

impl<A: Number, B: Number> Default for PackScratch<A, B> {
    fn default() -> Self {
        Self { left: Vec::new(), right: Vec::new(), sums: Vec::new() }
    }
}

/// `rows x columns` sums of `depth` products, left in the scratch. The left operand's lanes are rows, the right one's columns.
pub(super) struct Product<'a, A: Number, B: Number, R: Panels<B>> {
    pub(super) left: Lanes<'a, A>,
    pub(super) right: R,
    pub(super) rows: std::ops::Range<usize>,
    pub(super) columns: std::ops::Range<usize>,
    pub(super) depth: usize,
    pub(super) scratch: &'a mut PackScratch<A, B>,
    /// Asked before each block of the left operand.
    pub(super) stop: &'a Stop<'a>,
}

impl<A, B, R> Compute for Product<'_, A, B, R>
where
    R: Panels<B>,
    A: Number,
    B: Number<Factor = A::Factor, Packed = A::Packed, Sum = A::Sum>,
{
    type Output = ();

    #[inline(always)]
    fn compute<const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(self) {
        let Self { left, right, rows, columns, depth, scratch, stop } = self;
        let wide = columns.len();
        scratch.sums.clear();
        scratch.sums.resize(rows.len() * wide, A::Sum::default());
        for from_column in columns.clone().step_by(ACROSS) {
            let across = from_column..columns.end.min(from_column + ACROSS);
            for from_depth in (0..depth).step_by(DEPTH) {
                let depths = from_depth..depth.min(from_depth + DEPTH);
                let strip = depths.len().div_ceil(A::STEP);
                right.pack::<COLUMNS>(across.clone(), depths.clone(), &mut scratch.right);
                for from_row in rows.clone().step_by(TILES * ROWS) {
                    if stop.asked() {
                        return;
                    }
                    let down = from_row..rows.end.min(from_row + TILES * ROWS);
                    pack_lanes::<A, ROWS>(left, down.clone(), depths.clone(), &mut scratch.left);
                    let strips = scratch.right.chunks_exact(strip * COLUMNS).enumerate();
                    for (at, b) in strips {
                        let column = from_column - columns.start + at * COLUMNS;
                        let lefts = scratch.left.chunks_exact(strip * ROWS).enumerate();
                        for (at, a) in lefts {
                            let row = from_row - rows.start + at * ROWS;
                            let tile = multiply_tile::<A, FUSED, ROWS, COLUMNS>(a, b);
                            let into = scratch.sums.chunks_exact_mut(wide).skip(row).zip(&tile);
                            let count = COLUMNS.min(wide - column);
                            for (sums, tile) in into {
                                let sums = sums.get_mut(column..column + count);
                                for (sum, &add) in sums.unwrap_or_default().iter_mut().zip(tile) {
                                    *sum += add;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The products of one tile over one block's depth, in registers.
#[inline(always)]
fn multiply_tile<E: Number, const FUSED: bool, const ROWS: usize, const COLUMNS: usize>(
    left: &[E::Packed],
    right: &[E::Packed],
) -> [[E::Sum; COLUMNS]; ROWS] {
    let mut sums = [[E::Sum::default(); COLUMNS]; ROWS];
    let (left, _) = left.as_chunks::<ROWS>();
    let (right, _) = right.as_chunks::<COLUMNS>();
    for (left, right) in left.iter().zip(right) {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                sums[row][column] =
                    E::add_packed::<FUSED>(left[row], right[column], sums[row][column]);
            }
        }
    }
    sums
}
