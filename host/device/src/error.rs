//! Why a measurement ends without a result.

mod cuda;

use derate_emulate::emulator::DeviceError;

pub use cuda::CudaError;
pub(crate) use cuda::{CUBLAS, CUBLAS_LT, DRIVER, NVRTC};

/// Why a bench could not be run. Each is a sentence.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Ports, banks or sizes that make no sense together.
    #[error("{0}")]
    Setup(String),
    /// The device.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The GPU.
    #[error(transparent)]
    Cuda(#[from] CudaError),
    /// It was cancelled.
    #[error("it was stopped before it was finished")]
    Cancelled,
    /// Memory that this machine does not give just now.
    #[error("{0}")]
    Room(String),
}

impl BenchError {
    /// Whether the same may work at another time: memory that others take, or a device that fails.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Room(_) | Self::Device(_) => true,
            Self::Cuda(error) => error.is_passing(),
            Self::Setup(_) | Self::Cancelled => false,
        }
    }
}
