//! A part of the workload.

use serde::Serialize;

use super::{KernelEstimate, Totals};
use crate::{Provenance, Terms};

/// One part of the workload.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartEstimate {
    /// Its name.
    pub name: String,
    /// Layers that repeat the same kernels.
    pub layers: u64,
    /// Whether an inference runs it.
    pub runs: bool,
    /// What stands in it and what does not.
    pub note: String,
    /// All calls.
    #[serde(flatten)]
    pub totals: Totals,
    /// What its latency is made of.
    pub latency: Option<Terms>,
    /// One layer, where all are alike; without the calls that start the part.
    pub one_layer: Option<Totals>,
    /// The kernels.
    pub kernels: Vec<KernelEstimate>,
    /// How its times are known: as the least known of the figures that they stand on.
    pub provenance: Provenance,
}
