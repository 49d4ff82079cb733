//! Sums of products with packed rows by AVX-512: codes are expanded in registers.
#![cfg(target_arch = "x86_64")]
#![expect(
    unsafe_code,
    reason = "a function for a processor's extensions is called where they were seen"
)]

use std::arch::x86_64::{
    __m128i, __m512, __mmask16, _mm_cvtsi32_si128, _mm_loadl_epi64, _mm_loadu_si128, _mm_set_epi8,
    _mm_shuffle_epi8, _mm_unpacklo_epi8, _mm256_and_si256, _mm256_castsi128_si256,
    _mm256_cvtepi8_epi16, _mm256_cvtepu8_epi16, _mm256_maskz_loadu_epi16, _mm256_permutexvar_epi16,
    _mm256_set_epi16, _mm256_set1_epi16, _mm256_slli_epi16, _mm512_add_ps, _mm512_castsi512_ps,
    _mm512_cvtepi8_epi32, _mm512_cvtepi32_ps, _mm512_cvtepu8_epi32, _mm512_cvtph_ps,
    _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mul_ps, _mm512_permutexvar_ps,
    _mm512_reduce_add_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512,
    _mm512_slli_epi32, _mm512_srli_epi32, _mm512_storeu_ps,
};

use super::code::Code;
use super::format::Scale;
use super::gemv::{GROUP, PackedRows};

/// Whether this processor has what the functions here need.
pub(super) fn is_wide() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("f16c")
}

const NONE: u8 = 0;
const HALF32: u8 = 1;
const HALF64: u8 = 2;
const HALF_LONG: u8 = 3;
const E4M3: u8 = 4;
const EXPONENT: u8 = 5;
const SINGLE: u8 = 6;

/// The sums of the whole groups of each row, without the scales of row and tensor; `None` where nothing here computes it.
///
/// The caller has seen [`is_wide`].
pub(super) fn sum_groups<const N: usize>(row: &PackedRows<'_, N>) -> Option<[f32; N]> {
    let groups = row.columns / GROUP;
    let bytes = groups * GROUP * row.format.code.bits() / 8;
    let scales = match row.format.scale {
        Scale::None | Scale::Row => 0,
        Scale::Half(block) if block >= GROUP => 2 * (groups * GROUP).div_ceil(block),
        Scale::Half(block) | Scale::E4m3(block) | Scale::Exponent(block) | Scale::Single(block) => {
            groups * GROUP / block * row.format.scale.bytes()
        }
    };
    let fits = row.codes.iter().all(|codes| codes.len() >= bytes)
        && row.scales.iter().all(|own| own.len() >= scales)
        && row.arranged.len() >= groups * GROUP
        && row.vector.len() >= groups * GROUP;
    if !fits || !is_wide() {
        return None;
    }
    // SAFETY: the features were just seen, and each slice holds what so many groups read of it.
    unsafe {
        Some(match (row.format.code, row.format.scale) {
            (Code::E2m1 | Code::Int4 | Code::Nf4, scale) => match scale {
                Scale::None | Scale::Row => sum_nibbles::<NONE, N>(row, groups, 1),
                Scale::Half(32) => sum_nibbles::<HALF32, N>(row, groups, 1),
                Scale::Half(64) => sum_nibbles::<HALF64, N>(row, groups, 1),
                Scale::Half(block) if block >= GROUP && block.is_multiple_of(GROUP) => {
                    sum_nibbles::<HALF_LONG, N>(row, groups, block / GROUP)
                }
                Scale::E4m3(16) => sum_nibbles::<E4M3, N>(row, groups, 1),
                Scale::Exponent(32) => sum_nibbles::<EXPONENT, N>(row, groups, 1),
                Scale::Single(64) => sum_nibbles::<SINGLE, N>(row, groups, 1),
                _ => return None,
            },
            (Code::E4m3, Scale::None | Scale::Row) => {
                sum_bytes::<0, false, N>(row, groups).map(|sum| 256.0 * sum)
            }
            (Code::E4m3, Scale::Exponent(32)) => {
                sum_bytes::<0, true, N>(row, groups).map(|sum| 256.0 * sum)
            }
            (Code::E5m2, Scale::None | Scale::Row) => sum_bytes::<1, false, N>(row, groups),
            (Code::E5m2, Scale::Exponent(32)) => sum_bytes::<1, true, N>(row, groups),
            (Code::Int8, Scale::None | Scale::Row) => sum_bytes::<2, false, N>(row, groups),
            _ => return None,
        })
    }
}

/// Eight bytes of E4M3 as halves of 2^-8 of their size: the sign goes to the top, exponent and mantissa behind it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
fn widen_e4m3(bytes: __m128i) -> __m512 {
    let moved = _mm256_slli_epi16::<7>(_mm256_cvtepi8_epi16(bytes));
    _mm512_cvtph_ps(_mm256_and_si256(moved, _mm256_set1_epi16(0xbfff_u16.cast_signed())))
}

/// The scales of a group: lane `l` has that of elements `8 l` to `8 l + 7`. Those of E4M3 are 2^-8 of their size.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
unsafe fn load_scales<const KIND: u8>(scales: *const u8, group: usize) -> __m512 {
    // SAFETY: the caller's scales hold those of this group.
    unsafe {
        match KIND {
            HALF32 => {
                let four = _mm_loadl_epi64(scales.add(8 * group).cast());
                let lanes = _mm256_set_epi16(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
                _mm512_cvtph_ps(_mm256_permutexvar_epi16(lanes, _mm256_castsi128_si256(four)))
            }
            HALF64 => {
                let two = _mm_cvtsi32_si128(scales.add(4 * group).cast::<i32>().read_unaligned());
                let lanes = _mm256_set_epi16(1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0);
                _mm512_cvtph_ps(_mm256_permutexvar_epi16(lanes, _mm256_castsi128_si256(two)))
            }
            E4M3 => {
                let eight = _mm_loadl_epi64(scales.add(8 * group).cast());
                widen_e4m3(_mm_unpacklo_epi8(eight, eight))
            }
            EXPONENT => {
                let four = _mm_cvtsi32_si128(scales.add(4 * group).cast::<i32>().read_unaligned());
                let lanes = _mm_set_epi8(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
                let each = _mm512_cvtepu8_epi32(_mm_shuffle_epi8(four, lanes));
                _mm512_castsi512_ps(_mm512_slli_epi32::<23>(each))
            }
            SINGLE => {
                let single =
                    |at: usize| f32::from_ne_bytes(scales.add(at).cast::<[u8; 4]>().read());
                let (first, second) = (single(8 * group), single(8 * group + 4));
                let both = _mm512_set1_ps(first);
                std::arch::x86_64::_mm512_mask_mov_ps(both, 0xff00, _mm512_set1_ps(second))
            }
            _ => _mm512_set1_ps(1.0),
        }
    }
}

/// Codes of 4 bits: a group is one register, whose lanes are shifted and looked up in a table of 16.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
unsafe fn sum_nibbles<const KIND: u8, const N: usize>(
    row: &PackedRows<'_, N>,
    groups: usize,
    long: usize,
) -> [f32; N] {
    let (codes, scales) = (row.codes.map(<[u8]>::as_ptr), row.scales.map(<[u8]>::as_ptr));
    let x = row.arranged.as_ptr();
    // SAFETY: the caller's slices hold so many groups.
    unsafe {
        let table = _mm512_loadu_ps(row.format.code.table().as_ptr());
        let mut totals = [_mm512_setzero_ps(); N];
        // Scales of whole groups are converted sixteen at a time.
        let (mut held, mut step, mut within) = ([[0.0_f32; 16]; N], 0, 0);
        for group in 0..groups {
            if KIND == HALF_LONG && within == 0 && step % 16 == 0 {
                let left = (groups.div_ceil(long) - step).min(16);
                let mask: __mmask16 = u16::MAX >> (16 - left);
                for at in 0..N {
                    let halves = _mm256_maskz_loadu_epi16(mask, scales[at].add(2 * step).cast());
                    _mm512_storeu_ps(held[at].as_mut_ptr(), _mm512_cvtph_ps(halves));
                }
            }
            let (mut own, mut sums) = ([_mm512_setzero_si512(); N], [_mm512_setzero_ps(); N]);
            let x = x.add(GROUP * group);
            let first = _mm512_loadu_ps(x);
            for at in 0..N {
                own[at] = _mm512_loadu_si512(codes[at].add(64 * group).cast());
                sums[at] = _mm512_mul_ps(_mm512_permutexvar_ps(own[at], table), first);
            }
            macro_rules! add_parts {
                ($($part:literal)*) => {$(
                    let own_x = _mm512_loadu_ps(x.add(16 * $part));
                    for at in 0..N {
                        let moved = _mm512_srli_epi32::<{ 4 * $part }>(own[at]);
                        sums[at] = _mm512_fmadd_ps(_mm512_permutexvar_ps(moved, table), own_x, sums[at]);
                    }
                )*};
            }
            add_parts!(1 2 3 4 5 6 7);
            for at in 0..N {
                totals[at] = if KIND == NONE {
                    _mm512_add_ps(totals[at], sums[at])
                } else {
                    let own = if KIND == HALF_LONG {
                        _mm512_set1_ps(held[at][step % 16])
                    } else {
                        load_scales::<KIND>(scales[at], group)
                    };
                    _mm512_fmadd_ps(sums[at], own, totals[at])
                };
            }
            within += 1;
            if within == long {
                (within, step) = (0, step + 1);
            }
        }
        let mut results = [0.0; N];
        for at in 0..N {
            let sum = _mm512_reduce_add_ps(totals[at]);
            results[at] = if KIND == E4M3 { 256.0 * sum } else { sum };
        }
        results
    }
}

/// Sixteen bytes, expanded: E4M3 as 2^-8 of its size.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
unsafe fn widen_bytes<const CODE: u8>(codes: *const u8) -> __m512 {
    // SAFETY: the caller has sixteen bytes there.
    let own = unsafe { _mm_loadu_si128(codes.cast()) };
    match CODE {
        0 => widen_e4m3(own),
        1 => _mm512_cvtph_ps(_mm256_slli_epi16::<8>(_mm256_cvtepu8_epi16(own))),
        _ => _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(own)),
    }
}

/// Codes of 8 bits, 16 to a register; where they are scaled, 32 share an exponent.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")]
unsafe fn sum_bytes<const CODE: u8, const SCALED: bool, const N: usize>(
    row: &PackedRows<'_, N>,
    groups: usize,
) -> [f32; N] {
    let (codes, scales) = (row.codes.map(<[u8]>::as_ptr), row.scales.map(<[u8]>::as_ptr));
    let x = row.vector.as_ptr();
    // SAFETY: the caller's slices hold so many groups.
    unsafe {
        let mut sums = [[_mm512_setzero_ps(); 2]; N];
        for pair in 0..groups * GROUP / 32 {
            let x = x.add(32 * pair);
            let (low, high) = (_mm512_loadu_ps(x), _mm512_loadu_ps(x.add(16)));
            for at in 0..N {
                let own = codes[at].add(32 * pair);
                let (first, second) = (widen_bytes::<CODE>(own), widen_bytes::<CODE>(own.add(16)));
                let [even, odd] = sums[at];
                sums[at] = if SCALED {
                    let sum = _mm512_fmadd_ps(second, high, _mm512_mul_ps(first, low));
                    let scale = f32::from_bits(u32::from(*scales[at].add(pair)) << 23);
                    // Neighbours wait for no addition of each other.
                    [odd, _mm512_fmadd_ps(sum, _mm512_set1_ps(scale), even)]
                } else {
                    [_mm512_fmadd_ps(first, low, even), _mm512_fmadd_ps(second, high, odd)]
                };
            }
        }
        let mut results = [0.0; N];
        for at in 0..N {
            let [even, odd] = sums[at];
            results[at] = _mm512_reduce_add_ps(_mm512_add_ps(even, odd));
        }
        results
    }
}
