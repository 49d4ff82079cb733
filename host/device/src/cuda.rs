//! A GPU, really measured: copies of its memory, products of matrices by cuBLAS and cuBLASLt, and attention, layers and products
//! with packed weights, which have kernels of derate's own.
//!
//! NVIDIA's driver, cuBLAS, cuBLASLt and NVRTC are loaded at run time: derate builds and runs where none of them is.

mod activated;
mod arithmetic;
mod attended;
mod attention;
mod copies;
mod entries;
mod expected;
mod extent;
mod fp8;
mod gpu;
mod kernels;
mod library;
mod mantissa;
mod measured;
mod memory;
mod mlp;
mod name;
mod packed;
mod packed_expected;
mod products;
mod stopwatch;
mod sys;
mod trained;
mod training;
mod turns;

pub use crate::error::CudaError;
pub use arithmetic::Arithmetic;
pub use attention::Attention;
pub use copies::Copies;
pub use gpu::Gpu;
pub use measured::{as_run, measure_copies};
pub(crate) use measured::{check_support, describe_arithmetic, gpu_measurement, measure_operator};
pub use mlp::Mlp;
pub use name::CudaName;
pub use products::Product;
pub use turns::GpuTiming;
