//! What becomes of a node of an ONNX graph.

use crate::graph::OperationKind;

/// What becomes of a node.
pub(super) enum Meaning {
    /// An operation, with the places of its operands among the inputs; all of them where there are none.
    Operation(OperationKind, Vec<usize>),
    /// The product of the first two inputs, each in another shape, and what is added.
    Shaped(Vec<u64>, Vec<u64>),
    /// Another shape for the same memory.
    View,
    /// A conversion of its first input, which is no operation where that is a parameter.
    Conversion,
    /// Sizes, which are known before anything runs.
    Sizes,
}
