//! Whether FP32 is multiplied with its whole mantissa. The numbers of a bench are whole and small, so they would come out
//! right in TF32, too.

use super::entries::draw_bits;
use super::memory::GpuMemory;
use super::{Arithmetic, Gpu};
use crate::error::CudaError;

/// What tells NVIDIA's libraries to multiply FP32 as TF32, or never to.
const OVERRIDE: &str = "NVIDIA_TF32_OVERRIDE";

/// Rows, columns and terms of the product that is looked at.
const EXTENT: u64 = 64;
const SEEDS: [u64; 2] = [5, 6];

/// What two operands of ten bits make of their product, relative to it: `2^-11` each, and a little for the sums.
const TEN_BITS: f64 = 1.1 / 1024.0;

/// A number of 1 to 2 or -2 to -1 with 23 bits behind the point.
fn full_mantissa(seed: u64, number: u64) -> f32 {
    let bits = draw_bits(seed, number).to_le_bytes();
    let low = u32::from_le_bytes([bits[0], bits[1], bits[2], bits[3]]);
    f32::from_bits(0x3f80_0000 | low & 0x807f_ffff)
}

/// Refuses an environment in which another arithmetic than the one that is asked for may run; `value` is the variable's.
pub(super) fn check_environment(
    arithmetic: Arithmetic,
    value: Option<&str>,
) -> Result<(), CudaError> {
    let value = value.map(str::trim).filter(|value| !value.is_empty());
    let against = match (arithmetic, value) {
        (Arithmetic::Fp32, Some(value)) => value != "0",
        (Arithmetic::Tf32, Some(value)) => value == "0",
        _ => false,
    };
    if !against {
        return Ok(());
    }
    Err(CudaError::Setup(format!(
        "{OVERRIDE} is {}, by which NVIDIA's libraries may run another arithmetic than {}: unset it, and measure again",
        value.unwrap_or_default().escape_debug(),
        arithmetic.name()
    )))
}

/// The same of this process.
pub(super) fn check_own_environment(arithmetic: Arithmetic) -> Result<(), CudaError> {
    let value = std::env::var_os(OVERRIDE);
    check_environment(
        arithmetic,
        value.map(|value| value.to_string_lossy().into_owned()).as_deref(),
    )
}

/// Multiplies numbers of the whole mantissa in FP32: whether that is right. A product that ten bits of them explain is refused.
///
/// Sums of `k` products in single precision err by at most `k u / (1 - k u)` times `sum |a| |b|`, `u = 2^-24`, in any order;
/// of operands that are rounded to ten bits first, by about `2^-10` of that.
pub(super) fn is_whole(gpu: &Gpu) -> Result<bool, CudaError> {
    let bytes = EXTENT * EXTENT * 4;
    let (a, b, c) =
        (gpu.allocate_memory(bytes)?, gpu.allocate_memory(bytes)?, gpu.allocate_memory(bytes)?);
    a.fill(4, |number| full_mantissa(SEEDS[0], number).to_le_bytes())?;
    b.fill(4, |number| full_mantissa(SEEDS[1], number).to_le_bytes())?;
    c.wipe()?;
    let arithmetic = Arithmetic::Fp32;
    let places = [&a, &b, &c].map(GpuMemory::address);
    gpu.cublas()?.multiply(&arithmetic.to_matrices(places, [64; 3]))?;
    let terms = EXTENT as f64 * crate::oracle::unit_roundoff(24);
    let mut right = true;
    for at in 0..EXTENT {
        let product = |term| {
            let [a, b] = SEEDS.map(|seed| f64::from(full_mantissa(seed, at * EXTENT + term)));
            a * b
        };
        let exact: f64 = (0..EXTENT).map(product).sum();
        let size: f64 = (0..EXTENT).map(|term| product(term).abs()).sum();
        let got = arithmetic.decode(c.element((at * EXTENT + at) * 4, 4)?);
        let (error, bound) = ((got - exact).abs(), terms / (1.0 - terms) * size);
        if error > bound && error <= TEN_BITS * size {
            return Err(CudaError::Setup(format!(
                "cuBLAS multiplied FP32 in fewer bits than it has: an entry of a small product is off by {error:.3e}, and \
                 single precision errs by {bound:.3e} at most, so no FP32 is measured here; --precision tf32 is another \
                 arithmetic"
            )));
        }
        // What is not a number is never within a bound.
        right &= error <= bound;
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_that_runs_another_arithmetic_is_refused() {
        for (arithmetic, value, refused) in [
            (Arithmetic::Fp32, None, false),
            (Arithmetic::Fp32, Some("0"), false),
            (Arithmetic::Fp32, Some(" "), false),
            (Arithmetic::Fp32, Some("1"), true),
            (Arithmetic::Fp32, Some("yes"), true),
            (Arithmetic::Tf32, Some("0"), true),
            (Arithmetic::Tf32, Some("1"), false),
            (Arithmetic::Fp16, Some("1"), false),
            (Arithmetic::Int8, Some("0"), false),
        ] {
            let got = check_environment(arithmetic, value);
            assert_eq!(got.is_err(), refused, "{arithmetic:?} {value:?}");
            if let Err(error) = got {
                assert!(error.to_string().contains("unset it"), "{error}");
            }
        }
    }

    #[test]
    fn numbers_have_the_whole_mantissa() {
        let numbers: Vec<f32> = (0..1000).map(|at| full_mantissa(5, at)).collect();
        assert!(numbers.iter().all(|number| (1.0..2.0).contains(&number.abs())));
        assert!(numbers.iter().any(|&number| number < 0.0));
        let odd = numbers.iter().filter(|number| number.to_bits() & 1 == 1).count();
        assert!((400..600).contains(&odd), "{odd}");
    }
}
