//! Devices that are measured.
//!
//! | module | has |
//! |---|---|
//! | [`mod@bench`] | streams and products by HLS kernels, on the emulator or on a card |
//! | [`operators`] | GEMM, GEMV, attention and MLP on this processor or a GPU |
//! | [`roofs`] | a machine as a platform: its bandwidth and its arithmetic peaks |
//! | [`xrt`], [`cuda`], [`cpu`] | the devices themselves |
//! | [`oracle`] | what a result must be, and its error bound |
//! | [`measure`] | repetitions, cancelling, available memory |
//!
//! Every repetition is checked, and the result is a [`Run`](derate_model::measurement::Run):
//!
//! ```
//! use derate_device::measure::Repeat;
//! use derate_device::operators::OperatorDevice;
//! use derate_model::Precision;
//! use derate_model::operator::Shape;
//!
//! let device = OperatorDevice::named("cpu", Some(1))?;
//! let shape = Shape::Gemm { m: 32, n: 32, k: 32 };
//! let repeat = Repeat { repetitions: 3, warm_up: 1 };
//! let run = device.run(&shape, Precision::FP32, repeat, &|| false, &mut |_| {})?;
//! assert_eq!(run.seconds.len(), 3);
//! assert!(run.check.is_some_and(|check| check.passed));
//! # Ok::<(), derate_device::BenchError>(())
//! ```

pub mod bench;
pub mod cpu;
pub mod cuda;
mod error;
pub mod measure;
pub mod operators;
pub mod oracle;
mod packed;
pub mod roofs;
pub mod xrt;

pub use error::{BenchError, CudaError};
pub use measure::available_memory;
