//! Packed rows as the right operand of a product: expanded into the panels that stay in the caches.

use std::ops::Range;

use super::super::pack::Panels;
use crate::packed::PackedMatrix;

/// The rows of a packed matrix, each a column of the right operand.
#[derive(Clone, Copy)]
pub(in super::super) struct PackedRows<'a>(pub(in super::super) &'a PackedMatrix);

impl Panels<f32> for PackedRows<'_> {
    #[inline(always)]
    fn pack<const WIDTH: usize>(
        self,
        lanes: Range<usize>,
        depths: Range<usize>,
        to: &mut Vec<f32>,
    ) {
        let steps = depths.len();
        to.clear();
        to.resize(lanes.len().div_ceil(WIDTH) * steps * WIDTH, 0.0);
        let mut row = vec![0.0; steps];
        for (strip, out) in to.chunks_exact_mut(steps.max(1) * WIDTH).enumerate() {
            let first = lanes.start + strip * WIDTH;
            for lane in 0..WIDTH.min(lanes.end - first) {
                self.0.expand(first + lane, depths.start, &mut row);
                for (step, &value) in row.iter().enumerate() {
                    out[step * WIDTH + lane] = value;
                }
            }
        }
    }
}
