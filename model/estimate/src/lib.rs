//! What an inference costs: a project put together, scenarios of assumptions, estimates and sweeps.
//!
//! An [`Analysis`] has all that was read of a project. [`ladder_steps`](scenario::ladder_steps) makes the
//! [`Assumptions`](scenario::Assumptions) of each scenario from it, [`estimate`] computes every scenario under every
//! schedule, and [`sweep`](sweep::sweep) varies one scenario in many ways. Every stage is a function of the one before.
//!
//! ```
//! use derate_estimate::sweep::{Axis, combinations};
//!
//! let axes = [Axis::parse("cameras=1,2,3"), Axis::parse("bandwidth=300 GB/s, 460 GB/s")];
//! let axes = axes.into_iter().collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(combinations(&axes)?, 6);
//! # Ok::<(), derate_estimate::sweep::SweepError>(())
//! ```

mod analysis;
mod array;
mod array_blocks;
mod array_model;
mod asked;
mod certainty;
mod commit;
mod cost;
mod deeper_nest;
mod design_clock;
mod design_files;
mod design_tool;
mod error;
mod estimate;
mod held_array;
mod hidden;
mod hold;
mod interval_cause;
mod kernel_memo;
mod kernel_reading;
mod kernels;
mod latency;
mod linked;
mod nest;
mod open_loops;
mod other_tool;
mod part_doubt;
mod pass;
mod pass_memo;
mod ports;
pub mod scenario;
mod setting;
pub mod starter;
pub mod sweep;
mod unread;
mod waits;

pub use analysis::{Analysis, BuiltFormats, default_mac, operators_of};
pub use array::Array;
pub use array_blocks::{count_filled, count_full, count_used, fits_by_report};
pub use array_model::{ArrayDesign, ArrayModel, SizeRange};
pub use asked::{Asked, AskedByTop, SolutionName};
pub use certainty::{count_cycles, doubt_latencies, find_least, find_most, is_bound, may_be_cut};
pub use commit::Commit;
pub use cost::{
    find_slight_buffer, find_slight_interval, find_slight_line, find_slight_loop, find_slight_sum,
};
pub use design_clock::{ClockOrigin, DesignClock, NamedClock};
pub use design_files::DesignFiles;
pub use design_tool::{DesignTool, ToolOrigin, find_agreed_tool};
pub use error::EstimateError;
pub use estimate::{
    BandwidthOwner, BandwidthRow, Ceiling, ClaimKey, Estimate, GridPoint, KernelEstimate, Latency,
    LatencyRoofs, LatencyStanding, Member, MissingPart, OperandTraffic, PartEstimate, PeakRow,
    RefusedGroup, ScenarioEstimate, SensitivityRow, Step, SynthesisedKernel, TermRule, Totals,
    Variant, estimate, estimate_one, estimate_scenarios, variant_savings,
};
pub use interval_cause::{IntervalCause, find_interval_cause};
pub use kernel_reading::{KernelReading, ReportReading, SourceModel};
pub use kernels::{KernelModels, ModelledKernel};
pub use latency::{ArrayNumbers, Terms, product_cycles};
pub use open_loops::{find_open, is_decided_by_data, list_innermost};
pub use other_tool::OtherTool;
pub use ports::port_bandwidth;
pub use unread::{has_unknown, is_doubtful, is_stencil};
