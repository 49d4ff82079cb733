//! The limits of one point: all clients wait for it.

use derate_host::{BenchError, available_memory, cpu};
use derate_model::operator::{OperatorFormats, Shape};
use derate_model::{Mixture, Precision};

/// Operations that a processor computes at once: 4096 cubed, and its check takes longer than it does.
const BY_A_PROCESSOR: f64 = (1_u64 << 37) as f64;

/// Operations that a GPU computes at once: about a second.
const BY_A_GPU: f64 = (1_u64 << 47) as f64;

/// Bytes that are drawn for a GPU and sent there.
const TO_A_GPU: f64 = (1_u64 << 33) as f64;

/// The share of the available memory that a measurement may take.
const SHARE: f64 = 0.75;

/// Why a shape is not measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LimitError {
    #[error(
        "measuring and checking it takes {:.1} GB of memory, and derate serve takes three quarters of the {:.1} GB that are \
         available now: give a smaller shape, or try again later",
        .needed / 1e9,
        .available / 1e9
    )]
    Memory { needed: f64, available: f64 },
    #[error(
        "these are {operations:.3e} operations, and derate serve measures {most:.3e} at once on {device}: give a smaller shape, \
         or use derate bench"
    )]
    Operations { operations: f64, most: f64, device: String },
    #[error(
        "these are {:.1} GB, and derate serve sends {:.1} GB at once to {device}: give a smaller shape, or use derate bench",
        .bytes / 1e9,
        TO_A_GPU / 1e9
    )]
    Transfer { bytes: f64, device: String },
    #[error(transparent)]
    Shape(#[from] BenchError),
}

fn check_memory(needed: f64, available: Option<u64>) -> Result<(), LimitError> {
    match available.map(|bytes| bytes as f64) {
        Some(available) if needed > SHARE * available => {
            Err(LimitError::Memory { needed, available })
        }
        _ => Ok(()),
    }
}

/// Bytes that an operator and its check take in memory, at the widest element that is measured.
fn needed_bytes(shape: &Shape) -> Result<f64, LimitError> {
    Ok(cpu::operator_bytes(shape, Precision::FP32)? as f64)
}

/// Whether the available memory holds an operator, its result and its check.
pub(crate) fn check_available(shape: &Shape) -> Result<(), LimitError> {
    // A shape that is too large in any case is refused when it is measured.
    needed_bytes(shape).map_or(Ok(()), |bytes| check_memory(bytes, available_memory()))
}

/// What a request may ask of a device now.
pub(crate) struct Limits<'a> {
    device: &'a str,
    available: Option<u64>,
}

impl<'a> Limits<'a> {
    /// Of a device by its name.
    pub(crate) fn of_device(device: &'a str) -> Self {
        Self { device, available: available_memory() }
    }

    /// Whether an operator of that size is measured there.
    pub(crate) fn check_shape(&self, shape: &Shape) -> Result<(), LimitError> {
        let device = || self.device.to_owned();
        let is_cpu = self.device == "cpu";
        let most = if is_cpu { BY_A_PROCESSOR } else { BY_A_GPU };
        let operations = shape.flops().0;
        if operations > most {
            return Err(LimitError::Operations { operations, most, device: device() });
        }
        if is_cpu {
            return check_memory(needed_bytes(shape)?, self.available);
        }
        let (read, written) =
            shape.bytes(&OperatorFormats::new(Mixture::of(Precision::FP32.into())));
        let bytes = (read + written).0;
        if bytes > TO_A_GPU {
            return Err(LimitError::Transfer { bytes, device: device() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_would_wait_for_is_refused_and_the_presets_are_not() {
        let (cpu, gpu) = (Limits::of_device("cpu"), Limits::of_device("cuda:0"));
        let gemm = |side: u64| Shape::Gemm { m: side, n: side, k: side };
        let told = cpu.check_shape(&gemm(11_585)).unwrap_err().to_string();
        assert!(told.contains("3.110e12 operations") && told.contains("1.374e11"), "{told}");
        assert!(cpu.check_shape(&gemm(512)).is_ok());
        assert_eq!(gemm(4096).flops().0.to_bits(), BY_A_PROCESSOR.to_bits());
        assert!(gpu.check_shape(&gemm(11_585)).is_ok());
        assert!(gpu.check_shape(&gemm(60_000)).unwrap_err().to_string().contains("operations"));
        let long = Shape::Gemv { n: 1 << 20, k: 1 << 12 };
        assert!(gpu.check_shape(&long).unwrap_err().to_string().contains("17.2 GB"));
    }

    #[test]
    fn memory_that_is_not_to_be_had_is_not_taken() {
        assert!(check_memory(3e9, Some(4_000_000_000)).is_ok());
        let told = check_memory(3.1e9, Some(4_000_000_000)).unwrap_err().to_string();
        assert!(told.contains("takes 3.1 GB") && told.contains("of the 4.0 GB"), "{told}");
        assert!(check_memory(1e18, None).is_ok(), "nobody says");
    }
}
