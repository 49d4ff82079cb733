//! How often the operands of a matrix product cross memory when they do not fit on the chip.

use crate::workload::Matmul;

/// Partial sums are kept at 32 bits, whatever the operands are.
const ACCUMULATOR_BYTES: f64 = 4.0;

/// A matrix product and where its operands are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TiledProduct {
    pub matmul: Matmul,
    /// Bytes per element.
    pub left: f64,
    pub right: f64,
    pub(crate) left_on_chip: bool,
    pub(crate) right_on_chip: bool,
    /// Bytes per element of a result that is held as a whole; zero where it leaves, or streams into what follows.
    pub(crate) held_result: f64,
}

/// Crossings of the left and the right operand with `capacity` bytes for tiles.
///
/// With one operand or all partial sums on the chip, both cross once. Else the least of: `t` rows of the left operand
/// held (the right crosses `ceil(m / t)` times), `t` columns of the right held (the left crosses `ceil(n / t)` times), or
/// a tile of `t x u` partial sums held (left `ceil(n / u)`, right `ceil(m / t)`). More capacity never adds a crossing.
pub fn count_crossings(product: &TiledProduct, capacity: f64) -> (u64, u64) {
    let TiledProduct { matmul: Matmul { m, k, n, .. }, left, right, .. } = *product;
    let (rows, depth, columns) = (m as f64, k as f64, n as f64);
    let (a, b) = (rows * depth * left, depth * columns * right);
    if product.left_on_chip || product.right_on_chip {
        return (1, 1);
    }
    // A held result has room already, as wide as it will be.
    let sums = rows * columns * (ACCUMULATOR_BYTES - product.held_result).max(0.0);
    if a.min(b).min(sums) <= capacity {
        return (1, 1);
    }
    let held = |one: f64| (capacity / one).floor();
    let (t, u) = (held(depth * left), held(depth * right));
    let by_rows = (t >= 1.0).then(|| (1, tiles_across(rows, t)));
    let by_columns = (u >= 1.0).then(|| (tiles_across(columns, u), 1));
    // One partial sum is always there.
    let tiles = (0..=m.max(1).ilog2().min(62)).map_while(|power| {
        let t = (1_u64 << power) as f64;
        let u = held(t * ACCUMULATOR_BYTES);
        (u >= 1.0 || power == 0).then(|| (tiles_across(columns, u.max(1.0)), tiles_across(rows, t)))
    });
    let bytes = |&(l, r): &(u64, u64)| l as f64 * a + r as f64 * b;
    by_rows
        .into_iter()
        .chain(by_columns)
        .chain(tiles)
        .min_by(|x, y| bytes(x).total_cmp(&bytes(y)))
        .unwrap_or((n, m))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a quotient of counts, at least one; the cast saturates"
)]
fn tiles_across(extent: f64, tile: f64) -> u64 {
    (extent / tile).ceil().max(1.0) as u64
}
