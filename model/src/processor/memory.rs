use crate::Figure;
use crate::units::{Bytes, BytesPerSecond};

/// External memory of a processor.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessorMemory {
    /// What it is, such as `HBM3`.
    pub title: String,
    /// What its wires carry at most, as printed: no program reaches it.
    pub bandwidth: Figure<BytesPerSecond>,
    /// What it holds, as printed.
    pub capacity: Option<Figure<Bytes>>,
}
