//! The operations of a model as a file gives them, each with its shapes: `derate.workload/1`, ONNX, or the
//! project that hls4ml generated.
//!
//! A file says what is computed on what. What that costs is computed here from the shapes, and a file whose shapes
//! contradict one another is refused.
//!
//! ```
//! use derate_workload::graph::Graph;
//!
//! let text = r#"{"schema": "derate.workload/1", "name": "mlp", "values": [
//!     {"shape": [1, 960], "dtype": "float32", "input": "x"},
//!     {"shape": [960, 2560], "dtype": "float32", "parameter": "up.weight"},
//!     {"shape": [1, 2560], "dtype": "float32"}],
//!   "operations": [{"kind": "product", "function": "mm", "module": "up", "inputs": [0, 1], "outputs": [2]}]}"#;
//! assert_eq!(Graph::parse(text).unwrap().count_flops(), 2 * 960 * 2560);
//! ```

mod attention;
mod check;
mod convolution;
mod error;
mod find_line;
mod folding;
mod hls4ml;
mod misfit;
mod onnx;
mod operation;
mod product;
mod raw;
mod read;
mod totals;
mod value;

pub use convolution::Convolution;
pub use error::GraphError;
pub use folding::Folding;
pub use onnx::Dimensions;
pub use operation::{Operation, OperationKind};
pub use totals::KindTotals;
pub use value::{GraphValue, Origin};

/// The name of the file's form, and its version.
pub const SCHEMA: &str = "derate.workload/1";

/// A loop around operations.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Loop {
    /// What it goes through, such as `denoise_steps`.
    pub name: String,
    /// How often an inference runs it.
    pub count: u64,
}

/// The operations of a model in the order of their execution.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Graph {
    /// What the model is called.
    pub name: String,
    /// What recorded it.
    pub producer: Option<String>,
    /// Loops around operations.
    pub loops: Vec<Loop>,
    /// All data.
    pub values: Vec<GraphValue>,
    /// What is done with it.
    pub operations: Vec<Operation>,
    /// The values that the model returns.
    pub outputs: Vec<usize>,
}

impl Graph {
    /// The value whose memory `value` shows, and how many elements of it at most: a view shows part of its base, or a part
    /// of it several times.
    pub fn find_base(&self, value: usize) -> (usize, u64) {
        let (mut at, mut elements) = (value, u64::MAX);
        // A view shows an earlier value, so this ends.
        loop {
            let own = &self.values[at];
            elements = elements.min(own.elements());
            match own.origin {
                Origin::View(base) if base < at => at = base,
                _ => return (at, elements),
            }
        }
    }

    /// How often an inference runs an operation.
    pub fn count_runs(&self, operation: &Operation) -> u64 {
        let around = operation.around.and_then(|at| self.loops.get(at));
        around.map_or(1, |one| one.count)
    }
}
