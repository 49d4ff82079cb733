use derate_units::{Bytes, BytesPerSecond, Figure};

/// External memory of a processor.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessorMemory {
    /// What it is, such as `HBM3`.
    pub title: String,
    /// What its wires carry at most, as printed: no program reaches it. Of this machine, the fastest read that was measured.
    pub bandwidth: Figure<BytesPerSecond>,
    /// What a copy moves, bytes read and bytes written, where that was measured.
    pub copy_bandwidth: Option<Figure<BytesPerSecond>>,
    /// What it holds, as the driver reports it where somebody printed that.
    pub capacity: Option<Figure<Bytes>>,
    /// What the driver keeps of that for itself, where that is known.
    pub driver_keeps: Option<Figure<Bytes>>,
}
