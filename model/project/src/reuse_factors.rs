//! Which reuse factors hls4ml takes for a layer.

/// A layer of more products is not looked at.
const PRODUCTS: u64 = 1 << 24;

/// Why hls4ml does not take a reuse factor for a layer of inputs and outputs, as `_validate_reuse_factor` of its backend has it.
#[must_use]
pub fn find_obstacle((inputs, outputs): (u64, u64), factor: u64) -> Option<String> {
    let products = inputs.checked_mul(outputs).filter(|_| factor > 0)?;
    let multipliers = products.div_ceil(factor.min(inputs).max(1));
    let of = format!("{inputs} x {outputs}");
    if !products.is_multiple_of(factor) {
        return Some(format!("{factor} does not divide the {of} products"));
    }
    if factor >= inputs {
        return (!factor.is_multiple_of(inputs))
            .then(|| format!("{factor} is not a multiple of the {inputs} inputs"));
    }
    (!multipliers.is_multiple_of(outputs)).then(|| {
        format!("{of} / {factor} = {multipliers} multipliers are not a multiple of the {outputs} outputs")
    })
}

/// The nearest factor that hls4ml takes, the smaller of two.
#[must_use]
pub fn find_nearest(size: (u64, u64), factor: u64) -> Option<u64> {
    let most = size.0.checked_mul(size.1).filter(|most| (1..=PRODUCTS).contains(most))?;
    let is_valid = |one: &u64| (1..=most).contains(one) && find_obstacle(size, *one).is_none();
    let from = factor.min(most);
    let steps = (0..=most).flat_map(|step| [from.saturating_sub(step), from + step]);
    steps.into_iter().find(is_valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_taken_or_replaced_as_hls4ml_does() {
        for (size, factor, nearest) in [
            ((6, 8), 4, 3),
            ((50, 32), 4, 5),
            ((16, 4), 64, 64),
            ((16, 4), 60, 64),
            ((16, 4), 1000, 64),
            ((27, 28), 8, 9),
            ((4, 6), 6, 4),
        ] {
            assert_eq!(find_nearest(size, factor), Some(nearest), "{size:?} {factor}");
        }
        let why = |size, factor| find_obstacle(size, factor).unwrap_or_default();
        assert_eq!(
            why((6, 8), 4),
            "6 x 8 / 4 = 12 multipliers are not a multiple of the 8 outputs"
        );
        assert_eq!(why((6, 8), 5), "5 does not divide the 6 x 8 products");
        assert_eq!(why((4, 6), 6), "6 is not a multiple of the 4 inputs");
        assert_eq!(why((6, 8), 3), "");
    }
}
