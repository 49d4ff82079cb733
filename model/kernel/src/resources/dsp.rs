//! DSP slices.

/// DSP slices of a multiplier of whole numbers.
pub(super) fn multiplier_dsp(wide: u16, narrow: u16) -> u32 {
    if u32::from(wide) * u32::from(narrow) <= 64 || narrow <= 4 {
        return 0;
    }
    match (wide, narrow) {
        (..=27, ..=18) => 1,
        (..=35, ..=18) => 2,
        (..=35, _) => 3,
        (..=64, ..=35) => 6,
        _ => {
            let across = u32::from(wide).div_ceil(26);
            let down = u32::from(narrow).div_ceil(17);
            across * down
        }
    }
}
