//! Operators by their shapes: GEMV, GEMM, attention and MLP, with what they compute and which matrices cross memory.
//!
//! Each operation reads its operands once and writes its result once: the least traffic there is when nothing is kept from
//! one operation to the next. A multiply-add counts two operations. What is not a matrix product is counted beside, never in it.

mod attention;
mod extent;
mod formats;
mod given_peaks;
mod ground;
mod ladder;
mod matrix;
mod mlp;
mod operation;
mod product;
mod record;
mod shape;
mod words;

pub use attention::{Attention, AttentionError, Scores};
pub use extent::{ExtentError, MOST_EXTENT, parse_extent, parse_extents};
pub use formats::OperatorFormats;
pub use given_peaks::{GivenPeakError, GivenPeaks};
pub use ground::{ArithmeticRoof, RoofError, RoofOverrides, TargetRoofs};
pub use matrix::{Factors, Matrix, StoredAs};
pub use mlp::Mlp;
pub use operation::Operation;
pub use product::{gemm, gemv};
pub use record::{OperationRecord, OperationTotals, OperatorRoofs};
pub use shape::{OperatorKind, Shape};
