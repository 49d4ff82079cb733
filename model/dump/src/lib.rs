//! What the model is: dump text in, names, shapes and dtypes out.
//!
//! [`ModelShape::parse`] finds out by content which of the known dump forms a text has
//! ([`DumpFormat`] lists them) and reads it. Whatever it cannot read it reports as a
//! [`DumpProblem`] with its place; what a reader should know before trusting the figures it
//! reports as a [`DumpNote`].
//!
//! ```
//! use derate_dump::{DumpFormat, ModelShape};
//! use derate_source::Sources;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("model.txt", "up.weight: torch.Size([2560, 960]) [torch.bfloat16]\n");
//! let model = ModelShape::parse(&sources, file, None).unwrap();
//! assert_eq!((model.format, model.parameters()), (DumpFormat::Flat, 2_457_600));
//! assert_eq!(model.bytes_as_stored(), Some(4_915_200));
//! ```

mod blocks;
mod builder;
mod cell;
mod columns;
mod cut;
mod detect;
mod dims;
mod dtype;
mod entry;
mod entry_error;
mod entry_name;
mod entry_tail;
mod error;
mod expand;
mod flat;
mod format;
mod gguf;
mod grouping;
mod json;
mod json_token;
mod layer;
mod line;
mod listed;
mod model;
mod modules;
mod one_line;
mod onnx;
mod parse;
mod problem;
mod safetensors;
mod separator;
mod shorthand;
mod summary;
mod table;
mod tensor;
mod totals;
mod tree;

pub use blocks::is_block_format;
pub use error::{DumpExcess, ShapeError};
pub use format::{DumpFormat, UnknownFormat};
pub use model::ModelShape;
pub use problem::{DumpNote, DumpProblem, NoteKind, ProblemKind};
pub use safetensors::safetensors_header;
pub use tensor::Tensor;

#[cfg(test)]
mod tests;
