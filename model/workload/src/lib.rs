//! The operations of a model: kernels and parts, their traffic, and what is fused.
//!
//! [`Workload`] is a whole model as its dump shows it; [`operator`] has single operators by their extents.
//!
//! ```
//! use derate_workload::operator::{OperatorKind, Shape};
//!
//! let gemm = Shape::parse(OperatorKind::Gemm, "50x2560x960").unwrap();
//! assert_eq!(gemm.flops().0, 2.0 * 50.0 * 2560.0 * 960.0);
//! ```

pub mod classes;
mod count;
pub mod fusion;
pub mod graph;
pub mod layer_formats;
mod matmul;
pub mod operator;
pub mod traffic;
pub mod work;
mod workload;

pub use workload::{
    Block, Convolved, Count, Elementwise, Exchanged, FormatOf, InferenceParameters, Joins, Kernel,
    Layer, LinearModel, Matmul, NeverRuns, Op, Operand, Part, PartCache, PointFunction, Repeated,
    Role, SmolVla, TensorId, TokenCount, TracedModel, Value, ValueId, Workload, WorkloadError,
};
