//! The operations of a model: kernels and parts, their traffic, and what is fused.

pub mod classes;
pub mod fusion;
pub mod layer_formats;
pub mod operator;
pub mod traffic;
pub mod work;
mod workload;

pub use workload::{
    Block, Built, Elementwise, FormatOf, Joins, Kernel, Layer, Linear, Matmul, Op, Operand,
    Parameters, Part, Repeated, Role, SmolVla, TensorId, Tokens, Value, ValueId, Workload,
    WorkloadError,
};
