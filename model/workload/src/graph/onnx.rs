//! Reads the graph of an ONNX file.
//!
//! Shapes are those that the file states, else those that follow from the operators. What neither gives is refused, and an
//! operator that derate does not know is kept with its name.

mod attributes;
mod classify;
mod constants;
mod error;
mod finn;
mod infer;
mod infer_window;
mod meaning;
mod module;
mod names;
mod proto;
mod read;
mod stated;

use std::collections::BTreeMap;

use super::{Graph, GraphError};

/// The sizes of dimensions that a file leaves open, by their names.
pub type Dimensions = BTreeMap<String, u64>;

impl Graph {
    /// Reads the bytes of an ONNX file called `name`; `dimensions` are the sizes of dimensions that it leaves open.
    ///
    /// # Errors
    ///
    /// What is not ONNX, a shape that neither the file nor the operators give, and shapes that contradict one another.
    pub fn parse_onnx(
        name: &str,
        bytes: Vec<u8>,
        dimensions: &Dimensions,
    ) -> Result<Self, GraphError> {
        let graph = read::read_model(name, bytes, dimensions)
            .map_err(|error| GraphError::new(error.to_string()))?;
        graph.check().map_err(|(_, reason)| GraphError::new(reason))?;
        Ok(graph)
    }
}
