/// What to do about extents that [`to_cublas_extent`] does not take.
pub(super) const GIVE: &str = "give extents of 1 to 2147483647";

/// An extent as cuBLAS counts it.
pub(super) fn to_cublas_extent(extent: u64) -> Option<i32> {
    i32::try_from(extent).ok().filter(|&own| own > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_is_of_31_bits_and_not_nothing() {
        let known = [1, 2_147_483_647].map(to_cublas_extent);
        assert_eq!(known, [Some(1), Some(i32::MAX)]);
        assert_eq!([0, 2_147_483_648, u64::MAX].map(to_cublas_extent), [None; 3]);
    }
}
