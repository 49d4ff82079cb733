//! AVX2: eight lanes.

use std::arch::x86_64::{
    __m256, __m256i, _mm_and_si128, _mm_cvtepi8_epi16, _mm_cvtepu8_epi16, _mm_loadl_epi64,
    _mm_loadu_si128, _mm_set1_epi16, _mm_slli_epi16, _mm256_add_ps, _mm256_and_si256,
    _mm256_blendv_ps, _mm256_castsi256_ps, _mm256_cvtepi8_epi32, _mm256_cvtepi32_ps,
    _mm256_cvtepu8_epi32, _mm256_cvtph_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256,
    _mm256_permutevar8x32_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setr_epi32,
    _mm256_setzero_ps, _mm256_slli_epi32, _mm256_sllv_epi32, _mm256_srlv_epi32, _mm256_storeu_ps,
};

use super::vectors::Vectors;

#[derive(Clone, Copy)]
pub(super) struct Avx2;

// SAFETY, of each block: the trait says what its callers have seen, and how many bytes are there.
impl Vectors for Avx2 {
    const LANES: usize = 8;
    type Floats = __m256;
    type Nibbles = __m256i;
    type Table = [__m256; 2];
    /// `2^-28`.
    const INT4_LIFT: f32 = f32::from_bits((127 - 28) << 23);

    #[inline(always)]
    unsafe fn zero() -> __m256 {
        unsafe { _mm256_setzero_ps() }
    }

    #[inline(always)]
    unsafe fn load(from: *const f32) -> __m256 {
        unsafe { _mm256_loadu_ps(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f32, value: __m256) {
        unsafe { _mm256_storeu_ps(to, value) }
    }

    #[inline(always)]
    unsafe fn fused(a: __m256, b: __m256, c: __m256) -> __m256 {
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    unsafe fn add(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    unsafe fn sum(a: __m256) -> f32 {
        let mut lanes = [0.0_f32; 8];
        unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), a) };
        // In pairs, so that no addition waits for all before it.
        let pair = |at: usize| lanes[at] + lanes[at + 4];
        (pair(0) + pair(1)) + (pair(2) + pair(3))
    }

    #[inline(always)]
    unsafe fn repeat<const EACH: usize>(from: *const f32) -> __m256 {
        unsafe {
            let lanes = match EACH {
                2 => _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3),
                4 => _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1),
                _ => return _mm256_set1_ps(*from),
            };
            _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), lanes)
        }
    }

    #[inline(always)]
    unsafe fn load_table(table: &'static [f32; 16]) -> [__m256; 2] {
        unsafe { [_mm256_loadu_ps(table.as_ptr()), _mm256_loadu_ps(table.as_ptr().add(8))] }
    }

    #[inline(always)]
    unsafe fn load_nibbles(from: *const u8) -> __m256i {
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn look_up(codes: __m256i, place: i32, [low, high]: [__m256; 2]) -> __m256 {
        // The lowest three bits of a lane choose in each half of the table, and the fourth, moved to the top, chooses a half.
        unsafe {
            let which = _mm256_srlv_epi32(codes, _mm256_set1_epi32(4 * place));
            let half = _mm256_sllv_epi32(codes, _mm256_set1_epi32(28 - 4 * place));
            _mm256_blendv_ps(
                _mm256_permutevar8x32_ps(low, which),
                _mm256_permutevar8x32_ps(high, which),
                _mm256_castsi256_ps(half),
            )
        }
    }

    /// Moved to the top of a lane, where the sign is.
    #[inline(always)]
    unsafe fn widen_int4(codes: __m256i, place: i32, _: [__m256; 2]) -> __m256 {
        unsafe {
            let moved = _mm256_sllv_epi32(codes, _mm256_set1_epi32(28 - 4 * place));
            let top = _mm256_set1_epi32(0xf000_0000_u32.cast_signed());
            _mm256_cvtepi32_ps(_mm256_and_si256(moved, top))
        }
    }

    #[inline(always)]
    unsafe fn widen_halves(from: *const u8) -> __m256 {
        unsafe { _mm256_cvtph_ps(_mm_loadu_si128(from.cast())) }
    }

    /// The sign goes to the top of a half, exponent and mantissa behind it.
    #[inline(always)]
    unsafe fn widen_e4m3(from: *const u8) -> __m256 {
        unsafe {
            let moved = _mm_slli_epi16::<7>(_mm_cvtepi8_epi16(_mm_loadl_epi64(from.cast())));
            let own = _mm_set1_epi16(0xbfff_u16.cast_signed());
            _mm256_cvtph_ps(_mm_and_si128(moved, own))
        }
    }

    #[inline(always)]
    unsafe fn widen_e5m2(from: *const u8) -> __m256 {
        unsafe {
            let wide = _mm_cvtepu8_epi16(_mm_loadl_epi64(from.cast()));
            _mm256_cvtph_ps(_mm_slli_epi16::<8>(wide))
        }
    }

    #[inline(always)]
    unsafe fn widen_int8(from: *const u8) -> __m256 {
        unsafe { _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(from.cast()))) }
    }

    #[inline(always)]
    unsafe fn widen_exponents(from: *const u8) -> __m256 {
        unsafe {
            let wide = _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast()));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(wide))
        }
    }
}
