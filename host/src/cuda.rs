//! A GPU, really measured: copies of its memory, and cuBLAS' products of matrices.
//!
//! NVIDIA's driver and cuBLAS are loaded at run time: derate builds and runs where neither is.

mod arithmetic;
mod copies;
mod entries;
mod error;
mod expected;
mod gpu;
mod library;
mod mantissa;
mod measured;
mod memory;
mod name;
mod products;
mod stopwatch;
mod sys;

pub use arithmetic::Arithmetic;
pub use copies::Copies;
pub use error::CudaError;
pub use gpu::Gpu;
pub use measured::copies;
pub(crate) use measured::{arithmetic, measure, measurement, product};
pub use name::CudaName;
pub use products::{Product, Timed};
