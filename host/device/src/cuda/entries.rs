//! What the matrices of a bench hold, so that any entry of their product is known without the matrices.

/// Bits that are as good as drawn.
pub(super) fn draw_bits(seed: u64, number: u64) -> u64 {
    // SplitMix64, by Steele, Lea and Flood, 2014.
    let mut mixed = (number ^ seed.rotate_left(32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number of -1, 0 and 1.
pub(super) fn entry(seed: u64, number: u64) -> i8 {
    match draw_bits(seed, number) % 3 {
        0 => -1,
        1 => 0,
        _ => 1,
    }
}

/// The sum over `k` of `A[row, k] B[k, column]`, where each row of A, and each column of B, is contiguous.
pub(super) fn sum_products(seeds: [u64; 2], row: u64, column: u64, terms: u64) -> f64 {
    let term = |at| {
        let a = entry(seeds[0], row * terms + at);
        i64::from(a * entry(seeds[1], column * terms + at))
    };
    (0..terms).map(term).sum::<i64>() as f64
}

/// So many numbers below `bound`, spread over all of them, the first and the last among them.
pub(super) fn spread_over(bound: u64, count: u64) -> impl Iterator<Item = u64> {
    let count = count.min(bound);
    let last = u128::from(bound.saturating_sub(1));
    (0..count).map(move |at| {
        let place = last * u128::from(at) / u128::from(count.saturating_sub(1).max(1));
        u64::try_from(place).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_as_many_of_each_kind() {
        let mut counts = [0_u32; 3];
        for number in 0..30_000 {
            counts[usize::try_from(entry(7, number) + 1).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
    }

    #[test]
    fn numbers_are_spread_from_the_first_to_the_last() {
        assert_eq!(spread_over(10, 4).collect::<Vec<_>>(), [0, 3, 6, 9]);
        assert_eq!(spread_over(2, 100).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(spread_over(1, 5).collect::<Vec<_>>(), [0]);
        assert_eq!(spread_over(0, 5).count(), 0);
        assert_eq!(spread_over(u64::MAX, 2).last(), Some(u64::MAX - 1));
    }
}
