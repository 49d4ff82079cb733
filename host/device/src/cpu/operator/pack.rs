//! Operands laid out as the innermost loop reads them.

use std::ops::Range;

use super::number::Number;

/// A matrix as lanes of a depth: element `(lane, depth)` lies at `lane x lane_step + depth x depth_step`.
#[derive(Clone, Copy)]
pub(super) struct Lanes<'a, E> {
    pub(super) data: &'a [E],
    pub(super) lane_step: usize,
    pub(super) depth_step: usize,
}

impl<'a, E> Lanes<'a, E> {
    /// The rows of a matrix that has so many columns.
    pub(super) fn rows(data: &'a [E], columns: usize) -> Self {
        Self { data, lane_step: columns, depth_step: 1 }
    }

    /// The columns of a matrix that has so many.
    pub(super) fn columns(data: &'a [E], columns: usize) -> Self {
        Self { data, lane_step: 1, depth_step: columns }
    }
}

/// What can be laid out as the innermost loop reads it.
pub(super) trait Panels<E: Number>: Copy + Send {
    /// Lays lanes out in strips of `WIDTH`, each step of the depth together, widened; what is beyond the last lane is zero.
    fn pack<const WIDTH: usize>(
        self,
        lanes: Range<usize>,
        depths: Range<usize>,
        to: &mut Vec<E::Packed>,
    );
}

impl<E: Number> Panels<E> for Lanes<'_, E> {
    #[inline(always)]
    fn pack<const WIDTH: usize>(
        self,
        lanes: Range<usize>,
        depths: Range<usize>,
        to: &mut Vec<E::Packed>,
    ) {
        pack_lanes::<E, WIDTH>(self, lanes, depths, to);
    }
}

/// Lays lanes out in strips of `WIDTH`, each step of the depth together, widened; what is beyond the last lane is zero.
#[inline(always)]
pub(super) fn pack_lanes<E: Number, const WIDTH: usize>(
    from: Lanes<'_, E>,
    lanes: Range<usize>,
    depths: Range<usize>,
    to: &mut Vec<E::Packed>,
) {
    let steps = depths.len().div_ceil(E::STEP);
    to.clear();
    to.resize(lanes.len().div_ceil(WIDTH) * steps * WIDTH, E::Packed::default());
    let Lanes { data, lane_step, depth_step } = from;
    let at = |lane: usize, depth: usize| {
        let element =
            if depth < depths.end { data.get(lane * lane_step + depth * depth_step) } else { None };
        element.copied().unwrap_or_default().widen()
    };
    for (strip, out) in to.chunks_exact_mut(steps.max(1) * WIDTH).enumerate() {
        let first = lanes.start + strip * WIDTH;
        let count = WIDTH.min(lanes.end - first);
        if lane_step == 1 && E::STEP == 1 {
            // Neighbours in memory are neighbours in the strip.
            for (depth, out) in depths.clone().zip(out.chunks_exact_mut(WIDTH)) {
                let begin = first + depth * depth_step;
                let row = data.get(begin..begin + count).unwrap_or_default();
                for (to, &element) in out.iter_mut().zip(row) {
                    *to = E::pack(element.widen(), E::Factor::default());
                }
            }
        } else if lane_step == 1 {
            for (step, out) in out.chunks_exact_mut(WIDTH).enumerate() {
                let depth = depths.start + step * E::STEP;
                for (lane, to) in out.iter_mut().take(count).enumerate() {
                    *to = E::pack(at(first + lane, depth), at(first + lane, depth + 1));
                }
            }
        } else {
            for lane in 0..count {
                for step in 0..steps {
                    let depth = depths.start + step * E::STEP;
                    if let Some(to) = out.get_mut(step * WIDTH + lane) {
                        let second = if E::STEP == 1 {
                            E::Factor::default()
                        } else {
                            at(first + lane, depth + 1)
                        };
                        *to = E::pack(at(first + lane, depth), second);
                    }
                }
            }
        }
    }
}
