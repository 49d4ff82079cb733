//! What one point may ask of this machine: everybody waits for it.

use derate_host::{available_memory, cpu};
use derate_model::operator::{Formats, Shape};
use derate_model::{Mixture, Precision};

/// Operations that a processor computes at once: 4096 cubed, and its check takes longer than it does.
const BY_A_PROCESSOR: f64 = (1_u64 << 37) as f64;

/// Operations that a GPU computes at once: about a second.
const BY_A_GPU: f64 = (1_u64 << 47) as f64;

/// Bytes that are drawn for a GPU and sent there.
const TO_A_GPU: f64 = (1_u64 << 33) as f64;

/// Of the memory that is to be had.
const SHARE: f64 = 0.75;

fn fits(bytes: f64, available: Option<u64>) -> Result<(), String> {
    match available.map(|bytes| bytes as f64) {
        Some(available) if bytes > SHARE * available => Err(format!(
            "measuring and checking it takes {:.1} GB of memory, and derate serve takes three quarters of the {:.1} GB that are to be \
             had just now: give a smaller shape, or try again later",
            bytes / 1e9,
            available / 1e9
        )),
        _ => Ok(()),
    }
}

/// Bytes that an operator takes here with all that checks it; no element that is measured is wider than these.
fn bytes(shape: &Shape) -> Result<f64, String> {
    let bytes = cpu::operator_bytes(shape, Precision::FP32);
    bytes.map(|bytes| bytes as f64).map_err(|error| error.to_string())
}

/// Whether this machine's memory has room for an operator, its result and what checks it, just now. The error is a sentence.
pub(crate) fn memory(shape: &Shape) -> Result<(), String> {
    // What is too large anyway is refused where it is measured.
    bytes(shape).map_or(Ok(()), |bytes| fits(bytes, available_memory()))
}

/// What may be asked of a device just now.
pub(crate) struct Limits<'a> {
    device: &'a str,
    available: Option<u64>,
}

impl<'a> Limits<'a> {
    /// Of a device by its name.
    pub(crate) fn of(device: &'a str) -> Self {
        Self { device, available: available_memory() }
    }

    /// Whether an operator of that size is measured there. The error is a sentence.
    pub(crate) fn allow(&self, shape: &Shape) -> Result<(), String> {
        let device = self.device;
        let is_cpu = device == "cpu";
        let most = if is_cpu { BY_A_PROCESSOR } else { BY_A_GPU };
        let operations = shape.flops().0;
        if operations > most {
            return Err(format!(
                "these are {operations:.3e} operations, and derate serve measures {most:.3e} at once on {device}: give a smaller shape, \
                 or take derate bench"
            ));
        }
        if is_cpu {
            return fits(bytes(shape)?, self.available);
        }
        let (read, written) = shape.bytes(&Formats::new(Mixture::of(Precision::FP32.into())));
        let bytes = (read + written).0;
        if bytes > TO_A_GPU {
            return Err(format!(
                "these are {:.1} GB, and derate serve sends {:.1} GB at once to {device}: give a smaller shape, or take derate bench",
                bytes / 1e9,
                TO_A_GPU / 1e9
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_would_wait_for_is_refused_and_the_presets_are_not() {
        let (cpu, gpu) = (Limits::of("cpu"), Limits::of("cuda:0"));
        let gemm = |side: u64| Shape::Gemm { m: side, n: side, k: side };
        let told = cpu.allow(&gemm(11_585)).unwrap_err();
        assert!(told.contains("3.110e12 operations") && told.contains("1.374e11"), "{told}");
        assert_eq!(cpu.allow(&gemm(512)), Ok(()));
        assert_eq!(gemm(4096).flops().0.to_bits(), BY_A_PROCESSOR.to_bits());
        assert_eq!(gpu.allow(&gemm(11_585)), Ok(()));
        assert!(gpu.allow(&gemm(60_000)).unwrap_err().contains("operations"));
        let long = Shape::Gemv { n: 1 << 20, k: 1 << 12 };
        assert!(gpu.allow(&long).unwrap_err().contains("17.2 GB"));
    }

    #[test]
    fn memory_that_is_not_to_be_had_is_not_taken() {
        assert_eq!(fits(3e9, Some(4_000_000_000)), Ok(()));
        let told = fits(3.1e9, Some(4_000_000_000)).unwrap_err();
        assert!(told.contains("takes 3.1 GB") && told.contains("of the 4.0 GB"), "{told}");
        assert_eq!(fits(1e18, None), Ok(()), "nobody says");
    }
}
