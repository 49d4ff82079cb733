//! Sums of products with packed rows by a processor's vectors: codes are expanded in registers.
#![cfg(target_arch = "x86_64")]
#![expect(
    unsafe_code,
    reason = "a function for a processor's extensions is called where they were seen"
)]

mod avx2;
mod avx512;
mod expand;
mod steps;
mod vectors;

use avx2::Avx2;
use avx512::Avx512;
use steps::sum_steps;

use super::gemv::PackedRows;
use super::registers::Registers;

/// The sums of the whole groups of each row, without the scales of row and tensor; `None` where nothing here computes it.
pub(super) fn sum_groups<const N: usize>(
    registers: Registers,
    rows: &PackedRows<'_, N>,
) -> Option<[f32; N]> {
    let (format, group) = (rows.format, registers.group());
    let steps = rows.columns / group;
    let columns = steps * group;
    let scales = match format.scale.shared() {
        Some(block) => columns.div_ceil(block) * format.scale.bytes(),
        None => 0,
    };
    let fits = rows.codes.iter().all(|codes| codes.len() >= format.row_bytes(columns))
        && rows.scales.iter().all(|own| own.len() >= scales)
        && rows.arranged.len() >= columns
        && rows.vector.len() >= columns;
    if !fits || !registers.is_seen() {
        return None;
    }
    // SAFETY: the registers were just seen, and each slice holds what so many steps read of it.
    unsafe {
        match registers {
            Registers::Avx512 => sum_wide(rows, steps),
            Registers::Avx2 => sum_middle(rows, steps),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
unsafe fn sum_wide<const N: usize>(rows: &PackedRows<'_, N>, steps: usize) -> Option<[f32; N]> {
    // SAFETY: the caller has seen the registers and that the slices are long enough.
    unsafe { sum_steps::<Avx512, N>(rows, steps) }
}

#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn sum_middle<const N: usize>(rows: &PackedRows<'_, N>, steps: usize) -> Option<[f32; N]> {
    // SAFETY: the caller has seen the registers and that the slices are long enough.
    unsafe { sum_steps::<Avx2, N>(rows, steps) }
}
