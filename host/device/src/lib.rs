//! Devices that are measured: XRT cards, CUDA GPUs and this processor.

pub mod bench;
pub mod cpu;
pub mod cuda;
mod error;
pub mod measure;
pub mod operators;
pub mod oracle;
pub mod roofs;
pub mod xrt;

pub use error::{BenchError, CudaError};
pub use measure::available_memory;
