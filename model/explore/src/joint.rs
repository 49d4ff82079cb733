//! Kernels that are built independently, as units of one design.

use crate::{Choice, Cost, Unit};

/// A kernel with the designs of it that were scheduled.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltKernel {
    /// What it is called.
    pub name: String,
    /// Seconds that a cycle of a call takes in an inference: its calls over its clock.
    pub seconds_per_cycle: f64,
    /// Seconds of an inference that the host takes to call it.
    pub launches: f64,
    /// Designs by what they change, with the cycles of a call.
    pub designs: Vec<(String, Cost)>,
}

/// The kernels as units whose objective is seconds of an inference. Designs of unknown cycles are left out.
#[must_use]
pub fn join_units(kernels: &[BuiltKernel]) -> Vec<Unit> {
    let unit = |kernel: &BuiltKernel| {
        let known = kernel.designs.iter().filter(|(_, cost)| !cost.objective.is_nan());
        let choice = |(name, cost): &(String, Cost)| {
            let objective = cost.objective * kernel.seconds_per_cycle + kernel.launches;
            Choice { name: name.clone(), cost: Cost { objective, usage: cost.usage } }
        };
        Unit { name: kernel.name.clone(), choices: known.map(choice).collect() }
    };
    kernels.iter().map(unit).collect()
}
