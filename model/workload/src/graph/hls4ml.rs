//! Reads the project that hls4ml generated: `firmware/parameters.h` has a struct of settings for each layer, `defines.h` its
//! number formats, and the top function calls one template of `nnet_utils` for each layer.
//!
//! What is synthesised is what is read, so that a layer that hls4ml joined with another one is one here, too. A layer that
//! derate does not know is kept with its name.

mod call;
mod error;
mod folding;
mod read;
mod settings;
mod shapes;

use super::{Graph, GraphError};
use derate_hls::{FileId, Sources};

impl Graph {
    /// Reads a project called `name`: `files` are its top function's source and the headers beside it.
    ///
    /// # Errors
    ///
    /// A source without layers, a layer whose settings lack a size, and sizes that contradict one another.
    pub fn read_hls4ml(
        name: &str,
        sources: &Sources,
        files: &[FileId],
    ) -> Result<Self, GraphError> {
        let graph = read::read_project(name, sources, files)
            .map_err(|error| GraphError::new(error.to_string()))?;
        graph.check().map_err(|(_, reason)| GraphError::new(reason))?;
        Ok(graph)
    }
}
