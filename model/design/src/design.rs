//! The kernels of a project as its design.

use derate_machine::ResourceKind;
use serde::Serialize;

use crate::changes::DesignChange;
use crate::compared::ComparedTime;
use crate::hardware::count_hardware;
use crate::kernel::{DesignKernel, UsedResource};
use crate::totals::DesignTotals;
use crate::transfers::Transfers;

/// The design as its kernels are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelDesign {
    /// In the order of `derate.toml`.
    pub kernels: Vec<DesignKernel>,
    /// All of them together.
    pub totals: DesignTotals,
    /// What host and card exchange.
    pub transfers: Transfers,
    /// Measured times beside the predicted ones, in the order of `derate.toml`.
    pub measured: Vec<ComparedTime>,
    /// What would make an inference faster, the best first.
    pub changes: Vec<DesignChange>,
}

impl KernelDesign {
    /// What each hardware takes of a resource; kernels that are one hardware are there once, with the most that any says.
    #[must_use]
    pub fn count_hardware(&self, resource: ResourceKind) -> Vec<&UsedResource> {
        count_hardware(&self.kernels.iter().collect::<Vec<_>>(), resource)
    }
}
