//! AVX-512: sixteen lanes.

use std::arch::x86_64::{
    __m512, __m512i, _mm_loadu_si128, _mm256_and_si256, _mm256_cvtepi8_epi16, _mm256_cvtepu8_epi16,
    _mm256_loadu_si256, _mm256_set1_epi16, _mm256_slli_epi16, _mm512_add_ps, _mm512_castsi512_ps,
    _mm512_cvtepi8_epi32, _mm512_cvtepi32_ps, _mm512_cvtepu8_epi32, _mm512_cvtph_ps,
    _mm512_fmadd_ps, _mm512_loadu_ps, _mm512_loadu_si512, _mm512_permutexvar_ps,
    _mm512_reduce_add_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setr_epi32, _mm512_setzero_ps,
    _mm512_slli_epi32, _mm512_srlv_epi32, _mm512_storeu_ps,
};

use super::vectors::Vectors;

#[derive(Clone, Copy)]
pub(super) struct Avx512;

// SAFETY, of each block: the trait says what its callers have seen, and how many bytes are there.
impl Vectors for Avx512 {
    const LANES: usize = 16;
    type Floats = __m512;
    type Nibbles = __m512i;
    type Table = __m512;
    const INT4_LIFT: f32 = 1.0;

    #[inline(always)]
    unsafe fn zero() -> __m512 {
        unsafe { _mm512_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> __m512 {
        unsafe { _mm512_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, value: __m512) {
        unsafe { _mm512_storeu_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn fused(a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    unsafe fn add(a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn sum(a: __m512) -> f32 {
        unsafe { _mm512_reduce_add_ps(a) }
    }

    #[inline(always)]
    unsafe fn repeat<const EACH: usize>(from: *const f32) -> __m512 {
        unsafe {
            let lanes = match EACH {
                2 => _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
                4 => _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                8 => _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1),
                _ => return _mm512_set1_ps(*from),
            };
            _mm512_permutexvar_ps(lanes, _mm512_loadu_ps(from))
        }
    }

    #[inline(always)]
    unsafe fn load_table(table: &'static [f32; 16]) -> __m512 {
        unsafe { _mm512_loadu_ps(table.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn load_nibbles(from: *const u8) -> __m512i {
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn look_up(codes: __m512i, place: i32, table: __m512) -> __m512 {
        // The lowest four bits of a lane choose.
        unsafe {
            _mm512_permutexvar_ps(_mm512_srlv_epi32(codes, _mm512_set1_epi32(4 * place)), table)
        }
    }

    #[inline(always)]
    unsafe fn widen_int4(codes: __m512i, place: i32, table: __m512) -> __m512 {
        unsafe { Self::look_up(codes, place, table) }
    }

    #[inline(always)]
    unsafe fn widen_halves(from: *const u8) -> __m512 {
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(from.cast())) }
    }

    /// The sign goes to the top of a half, exponent and mantissa behind it.
    #[inline(always)]
    unsafe fn widen_e4m3(from: *const u8) -> __m512 {
        unsafe {
            let moved = _mm256_slli_epi16::<7>(_mm256_cvtepi8_epi16(_mm_loadu_si128(from.cast())));
            let own = _mm256_set1_epi16(0xbfff_u16.cast_signed());
            _mm512_cvtph_ps(_mm256_and_si256(moved, own))
        }
    }

    #[inline(always)]
    unsafe fn widen_e5m2(from: *const u8) -> __m512 {
        unsafe {
            let wide = _mm256_cvtepu8_epi16(_mm_loadu_si128(from.cast()));
            _mm512_cvtph_ps(_mm256_slli_epi16::<8>(wide))
        }
    }

    #[inline(always)]
    unsafe fn widen_int8(from: *const u8) -> __m512 {
        unsafe { _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(from.cast()))) }
    }

    #[inline(always)]
    unsafe fn widen_exponents(from: *const u8) -> __m512 {
        unsafe {
            let wide = _mm512_cvtepu8_epi32(_mm_loadu_si128(from.cast()));
            _mm512_castsi512_ps(_mm512_slli_epi32::<23>(wide))
        }
    }
}
