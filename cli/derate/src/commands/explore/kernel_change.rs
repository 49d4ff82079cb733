//! What a design changes of a kernel.

use derate_hls::TclDirective;
use derate_model::explore::Cost;
use derate_model::explore::kernel::ChangedArgument;

/// What a design changes of a kernel.
#[derive(Clone, Default)]
pub(super) struct KernelChange {
    /// Placeholders, definitions and macros: name and value.
    pub(super) values: Vec<(String, String)>,
    /// Directives beside those that are there.
    pub(super) directives: Vec<TclDirective>,
    /// Arguments whose ports the directives change.
    pub(super) arguments: Vec<ChangedArgument>,
    /// Compute units, where they are others than now.
    pub(super) units: Option<u64>,
    /// What one unit of the design takes.
    pub(super) promised: Cost,
}

impl KernelChange {
    /// Whether the kernel itself stays as it is.
    pub(super) fn keeps_source(&self) -> bool {
        self.values.is_empty() && self.directives.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keeps_source() && self.units.is_none()
    }
}
