//! A group of kernels that a schedule asks for and that is not made.

use serde::Serialize;

use derate_units::Bytes;
use derate_workload::Part;
use derate_workload::classes::LayerClass;
use derate_workload::fusion::RefusedFusion;

/// A group of kernels that is not fused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RefusedGroup {
    /// The part.
    pub part: String,
    /// The block.
    pub block: String,
    /// The kernels.
    pub kernels: Vec<String>,
    /// What it would have to hold.
    pub footprint: Bytes,
    /// What the chip has for it.
    pub on_chip: Bytes,
    /// By how much it does not fit; zero where it fits and would move more bytes than its kernels apart.
    pub exceeds: Bytes,
}

impl RefusedGroup {
    pub(super) fn new(part: &Part, class: &LayerClass, refused: &RefusedFusion) -> Self {
        let kernels = &class.block.kernels[refused.kernels.clone()];
        Self {
            part: part.name.to_string(),
            block: class.block.name.to_string(),
            kernels: kernels.iter().map(|k| k.name.to_string()).collect(),
            footprint: refused.footprint,
            on_chip: refused.capacity,
            exceeds: Bytes((refused.footprint.0 - refused.capacity.0).max(0.0)),
        }
    }
}
