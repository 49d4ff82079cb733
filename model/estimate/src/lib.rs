//! What a project costs: scenarios, estimates and sweeps.

mod analysis;
mod array;
mod estimate;
pub mod hold;
pub mod latency;
pub mod pass;
pub mod project_bandwidth;
pub mod scenario;
pub mod setting;
pub mod starter;
pub mod sweep;

pub use analysis::{Analysis, default_mac, operators_of};
pub use array::Array;
pub use estimate::{
    Assumption, BandwidthRow, Ceiling, Estimate, GridPoint, KernelEstimate, Latency, LatencyRoofs,
    Member, MissingPart, OperandTraffic, PartEstimate, PeakRow, RefusedGroup, ScenarioEstimate,
    Skipped, Stand, SynthesisedKernel, TermRule, Totals, Variant, Whose, estimate, estimate_one,
    saved, scenarios,
};
pub use latency::Terms;
