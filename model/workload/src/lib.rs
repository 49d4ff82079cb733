//! The operations of a model: kernels and parts, their traffic, and what is fused.

pub mod classes;
pub mod fusion;
pub mod layer_formats;
pub mod operator;
pub mod traffic;
pub mod work;
mod workload;

pub use workload::{
    Block, Elementwise, FormatOf, InferenceParameters, Joins, Kernel, Layer, LinearModel, Matmul,
    Op, Operand, Part, PartCache, Repeated, Role, SmolVla, TensorId, TokenCount, Value, ValueId,
    Workload, WorkloadError,
};
