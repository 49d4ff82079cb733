//! Parameters that another reader has found: of a binary file.

use std::fmt::Write;

use derate_source::Sources;

use super::builder::{DumpBuilder, FoundTensor};
use super::dtype::Dtype;
use super::{DumpFormat, ModelShape};
use derate_units::Precision;

impl ModelShape {
    /// The dump of a binary file called `name`. What findings show of it is a text of one line a tensor, as ONNX prints its
    /// graphs.
    pub fn list<'a>(
        sources: &mut Sources,
        name: &str,
        tensors: impl Iterator<Item = (&'a str, &'a [u64], Precision)>,
    ) -> Self {
        let tensors: Vec<_> = tensors.collect();
        let (mut text, mut places) = (String::new(), Vec::with_capacity(tensors.len()));
        for (tensor, dims, dtype) in &tensors {
            let begin = text.len();
            let sizes: Vec<String> = dims.iter().map(u64::to_string).collect();
            let _ = write!(text, "%{tensor}[{dtype}, {}]", sizes.join("x"));
            places.push((begin, text.len()));
            text.push('\n');
        }
        let file = sources.add(name, text);
        let mut builder = DumpBuilder::new(file);
        for ((name, dims, dtype), place) in tensors.into_iter().zip(places) {
            let key = dtype.key();
            let dtype = Dtype::Known(dtype, &key);
            builder.add_tensor(&FoundTensor {
                name,
                dims: dims.to_vec(),
                dtype,
                shape_known: true,
                place,
            });
        }
        builder.finish(DumpFormat::Onnx)
    }
}
