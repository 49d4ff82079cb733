//! One operation of a graph.

use super::{Convolution, Folding};

/// What an operation does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OperationKind {
    /// A matrix product, perhaps many of one shape: left operand, right operand, and perhaps what is added.
    Product,
    /// A convolution: input, weight, and perhaps a bias.
    Convolution(Convolution),
    /// Scaled dot-product attention: queries, keys, values, and perhaps a mask.
    Attention,
    /// A normalisation.
    Norm,
    /// A softmax.
    Softmax,
    /// The largest or the mean of so many elements.
    Pool {
        /// Elements of a window.
        window: u64,
    },
    /// Rows of a table: the table, and which rows.
    Embedding,
    /// The same on every element of the result.
    Elementwise,
    /// Fewer results than elements.
    Reduction,
    /// Nothing but moving.
    Copy,
    /// Writes values that nothing is read for.
    Fill,
    /// Something that the schema has no words for.
    Unknown,
}

/// One operation.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Operation {
    /// What it does.
    pub kind: OperationKind,
    /// What exactly, such as `gelu` or `layer_norm`.
    pub function: String,
    /// Path of the module that it is in, such as `blocks.0.attn.qkv`.
    pub module: String,
    /// What it reads, by place in [`super::Graph::values`].
    pub inputs: Vec<usize>,
    /// What it writes; a view among them is a part of what it shows.
    pub outputs: Vec<usize>,
    /// The loop around it, by place in [`super::Graph::loops`].
    pub around: Option<usize>,
    /// How its circuit is folded, where the file is of a generator that says so.
    pub folding: Option<Folding>,
}

impl Operation {
    /// The operation for people: ``gelu in `blocks.0.mlp.act` ``.
    pub fn describe(&self) -> String {
        if self.module.is_empty() {
            self.function.clone()
        } else {
            format!("{} in `{}`", self.function, self.module)
        }
    }
}
