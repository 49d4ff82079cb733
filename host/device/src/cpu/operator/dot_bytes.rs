//! Sums of products of bytes, which compilers do not find the instruction for: two products and their sum at once.

/// The sum of `row[i] vector[i]`, for a vector of bytes; `None` where this processor has no vectors for it.
#[inline]
pub(super) fn dot_bytes(row: &[i8], vector: &[i16]) -> Option<i32> {
    let (sum, done) = sys::sum_blocks(row, vector)?;
    let rest = row.iter().zip(vector).skip(done);
    Some(rest.fold(sum, |sum, (&a, &b)| sum.wrapping_add(i32::from(a).wrapping_mul(i32::from(b)))))
}

#[cfg(target_arch = "x86_64")]
mod sys {
    #![expect(
        unsafe_code,
        reason = "a function for a processor's extensions is called where they were seen"
    )]

    use std::arch::x86_64::{
        _MM_HINT_T0, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_prefetch,
        _mm_shuffle_epi32, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
        _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_setzero_si256,
        _mm512_add_epi32, _mm512_cvtepi8_epi16, _mm512_loadu_si512, _mm512_madd_epi16,
        _mm512_reduce_add_epi32, _mm512_setzero_si512,
    };

    /// The sum of the first whole blocks, and how many elements these are.
    #[inline]
    pub(super) fn sum_blocks(row: &[i8], vector: &[i16]) -> Option<(i32, usize)> {
        let both = row.len().min(vector.len());
        let wide = both / 128 * 128;
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512f") {
            // SAFETY: the features were just seen, and both slices hold so many elements.
            Some((unsafe { sum_wide(row, vector, wide) }, wide))
        } else if is_x86_feature_detected!("avx2") {
            // SAFETY: as above.
            Some((unsafe { sum_middle(row, vector, wide) }, wide))
        } else {
            None
        }
    }

    /// Bytes ahead of what is read.
    const AHEAD: usize = 2048;

    /// Asks for the line that is read later, also of the row behind this one.
    #[inline]
    fn fetch_ahead(row: &[i8], from: usize) {
        // SAFETY: asking for what is not there does nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(row.as_ptr().wrapping_add(from + AHEAD)) };
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn sum_wide(row: &[i8], vector: &[i16], count: usize) -> i32 {
        let mut sums = [_mm512_setzero_si512(); 4];
        for block in (0..count).step_by(128) {
            fetch_ahead(row, block);
            fetch_ahead(row, block + 64);
            for (part, sum) in sums.iter_mut().enumerate() {
                let at = block + 32 * part;
                // SAFETY: the caller's slices hold so many elements.
                let (a, b) = unsafe {
                    (
                        _mm256_loadu_si256(row.as_ptr().add(at).cast()),
                        _mm512_loadu_si512(vector.as_ptr().add(at).cast()),
                    )
                };
                *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(_mm512_cvtepi8_epi16(a), b));
            }
        }
        let [a, b, c, d] = sums;
        _mm512_reduce_add_epi32(_mm512_add_epi32(_mm512_add_epi32(a, b), _mm512_add_epi32(c, d)))
    }

    #[target_feature(enable = "avx2")]
    unsafe fn sum_middle(row: &[i8], vector: &[i16], count: usize) -> i32 {
        let mut sums = [_mm256_setzero_si256(); 4];
        for block in (0..count).step_by(64) {
            fetch_ahead(row, block);
            for (part, sum) in sums.iter_mut().enumerate() {
                let at = block + 16 * part;
                // SAFETY: the caller's slices hold so many elements.
                let (a, b) = unsafe {
                    (
                        _mm_loadu_si128(row.as_ptr().add(at).cast()),
                        _mm256_loadu_si256(vector.as_ptr().add(at).cast()),
                    )
                };
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(_mm256_cvtepi8_epi16(a), b));
            }
        }
        let [a, b, c, d] = sums;
        let all = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d));
        let four = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
    }

    #[cfg(test)]
    pub(super) fn sum_as_avx2(row: &[i8], vector: &[i16]) -> Option<i32> {
        let count = row.len().min(vector.len()) / 128 * 128;
        // SAFETY: the feature is seen first, and both slices hold so many elements.
        is_x86_feature_detected!("avx2").then(|| unsafe { sum_middle(row, vector, count) })
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod sys {
    pub(super) fn sum_blocks(_: &[i8], _: &[i16]) -> Option<(i32, usize)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn vectors_are_exact(pairs in prop::collection::vec((any::<i8>(), any::<i8>()), 0..700)) {
            let (row, vector): (Vec<i8>, Vec<i16>) = pairs.iter().map(|&(a, b)| (a, i16::from(b))).unzip();
            let exact = |count: usize| -> i64 {
                pairs[..count].iter().map(|&(a, b)| i64::from(a) * i64::from(b)).sum()
            };
            if let Some(sum) = dot_bytes(&row, &vector) {
                prop_assert_eq!(i64::from(sum), exact(pairs.len()));
            }
            #[cfg(target_arch = "x86_64")]
            if let Some(sum) = sys::sum_as_avx2(&row, &vector) {
                prop_assert_eq!(i64::from(sum), exact(pairs.len() / 128 * 128));
            }
        }
    }
}
