//! One kernel for all formats and registers: steps of eight registers, each expanded, multiplied and summed.

use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

use super::super::gemv::PackedRows;
use super::expand::{Bytes, E4M3, E5M2, Expand, INT8, Nibbles};
use super::vectors::Vectors;
use crate::packed::{Code, Scale};

/// Elements of a row whose scales are widened at once.
const CHUNK: usize = 2048;

/// Scales of so many elements, and what a register reads beyond them.
const SCALES: usize = CHUNK / 16 + 16;

/// Bytes ahead of what is read: the rows lie too far apart for a processor to foresee all of them.
const AHEAD: usize = 2048;

/// The sums of so many steps of each row; `None` where a format has scales of another length.
#[inline(always)]
pub(super) unsafe fn sum_steps<V: Vectors, const N: usize>(
    rows: &PackedRows<'_, N>,
    steps: usize,
) -> Option<[f32; N]> {
    let (code, block) = (rows.format.code, rows.format.scale.shared());
    // SAFETY: as the caller has seen.
    unsafe {
        Some(match (code, block) {
            (Code::Int4, block) => sum_nibbles::<V, true, N>(rows, steps, block)?,
            (Code::E2m1 | Code::Nf4, block) => sum_nibbles::<V, false, N>(rows, steps, block)?,
            (Code::E4m3, None) => sum::<V, Bytes<E4M3>, 0, N>(rows, steps, 1),
            (Code::E4m3, Some(32)) => sum::<V, Bytes<E4M3>, 16, N>(rows, steps, 32),
            (Code::E5m2, None) => sum::<V, Bytes<E5M2>, 0, N>(rows, steps, 1),
            (Code::E5m2, Some(32)) => sum::<V, Bytes<E5M2>, 16, N>(rows, steps, 32),
            (Code::Int8, None) => sum::<V, Bytes<INT8>, 0, N>(rows, steps, 1),
            _ => return None,
        })
    }
}

#[inline(always)]
unsafe fn sum_nibbles<V: Vectors, const INTEGERS: bool, const N: usize>(
    rows: &PackedRows<'_, N>,
    steps: usize,
    block: Option<usize>,
) -> Option<[f32; N]> {
    // SAFETY: as the caller has seen.
    unsafe {
        Some(match block {
            None => sum::<V, Nibbles<INTEGERS>, 0, N>(rows, steps, 1),
            Some(16) => sum::<V, Nibbles<INTEGERS>, 2, N>(rows, steps, 16),
            Some(32) => sum::<V, Nibbles<INTEGERS>, 4, N>(rows, steps, 32),
            Some(64) => sum::<V, Nibbles<INTEGERS>, 8, N>(rows, steps, 64),
            Some(block @ (128 | 256)) => sum::<V, Nibbles<INTEGERS>, 16, N>(rows, steps, block),
            Some(_) => return None,
        })
    }
}

/// `EACH` lanes have one scale, 16 all of them and 0 none; `block` elements of a row share it.
#[inline(always)]
unsafe fn sum<V: Vectors, D: Expand<V>, const EACH: usize, const N: usize>(
    rows: &PackedRows<'_, N>,
    steps: usize,
    block: usize,
) -> [f32; N] {
    let elements = 8 * V::LANES;
    let (shift, row_bytes) = (block.trailing_zeros(), steps * D::BYTES);
    let vector = if D::SPAN == 8 { rows.arranged } else { rows.vector };
    // SAFETY: the caller's slices hold so many steps, and the scales those of each.
    unsafe {
        let codes = rows.codes.map(<[u8]>::as_ptr);
        let table = V::load_table(rows.format.code.table());
        let mut totals = [V::zero(); N];
        let mut scales = [[0.0_f32; SCALES]; N];
        for chunk in (0..steps).step_by(CHUNK / elements) {
            let end = steps.min(chunk + CHUNK / elements);
            let first = (chunk * elements) >> shift;
            if EACH > 0 {
                let count = (end * elements).div_ceil(block) - first;
                for (row, to) in rows.scales.iter().zip(&mut scales) {
                    widen_scales::<V>(rows.format.scale, row, first, count, to);
                }
            }
            for step in chunk..end {
                for line in 0..D::BYTES.div_ceil(64) {
                    fetch_ahead(codes, step * D::BYTES + 64 * line, row_bytes);
                }
                let x = vector.as_ptr().add(step * elements);
                let mut held = [D::hold(codes[0].add(step * D::BYTES)); N];
                for at in 1..N {
                    held[at] = D::hold(codes[at].add(step * D::BYTES));
                }
                let mut sums = [V::zero(); N];
                macro_rules! add_registers {
                    ($($place:literal)*) => {$(
                        let own = V::load(x.add(V::LANES * $place));
                        for at in 0..N {
                            sums[at] = V::fused(D::expand(held[at], $place, table), own, sums[at]);
                        }
                        if EACH > 0 && ($place + 1) % D::SPAN == 0 {
                            let begin = step * elements + V::LANES * ($place + 1 - D::SPAN);
                            for at in 0..N {
                                let by = scales[at].as_ptr().add((begin >> shift) - first);
                                totals[at] = V::fused(sums[at], V::repeat::<EACH>(by), totals[at]);
                                sums[at] = V::zero();
                            }
                        }
                    )*};
                }
                add_registers!(0 1 2 3 4 5 6 7);
                for at in 0..N {
                    if EACH == 0 {
                        totals[at] = V::add(totals[at], sums[at]);
                    }
                }
            }
        }
        let scale = if matches!(rows.format.scale, Scale::E4m3(_)) { 256.0 } else { 1.0 };
        let lift = scale * D::LIFT;
        let mut results = [0.0; N];
        for at in 0..N {
            results[at] = lift * V::sum(totals[at]);
        }
        results
    }
}

/// Asks for what the rows read later: at their ends, for what the rows after them begin with.
#[inline(always)]
unsafe fn fetch_ahead<const N: usize>(codes: [*const u8; N], from: usize, row_bytes: usize) {
    let ahead = from + AHEAD;
    let ahead = if ahead < row_bytes { ahead } else { ahead + (N - 1) * row_bytes };
    for row in codes {
        // SAFETY: asking for what is not there does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.wrapping_add(ahead).cast()) };
    }
}

/// Scales of a row, from one on, as numbers; those of E4M3 are 2^-8 of their size.
#[inline(always)]
unsafe fn widen_scales<V: Vectors>(
    scale: Scale,
    row: &[u8],
    first: usize,
    count: usize,
    to: &mut [f32; SCALES],
) {
    let width = scale.bytes();
    for at in (0..count).step_by(V::LANES) {
        let own = row.get((first + at) * width..).unwrap_or_default();
        let mut rest = [0_u8; 64];
        let from = if own.len() >= V::LANES * width {
            own.as_ptr()
        } else {
            rest[..own.len()].copy_from_slice(own);
            rest.as_ptr()
        };
        // SAFETY: there are as many bytes, in the row or in its copy, and `to` has room for whole registers.
        unsafe {
            let wide = match scale {
                Scale::Half(_) => V::widen_halves(from),
                Scale::E4m3(_) => V::widen_e4m3(from),
                Scale::Exponent(_) => V::widen_exponents(from),
                _ => V::load(from.cast()),
            };
            V::store(to.as_mut_ptr().add(at), wide);
        }
    }
}
