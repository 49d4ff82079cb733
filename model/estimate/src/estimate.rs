//! What an estimate says: plain data, and the JSON contract `derate.estimate/1`.
//!
//! `flops` counts matrix products alone; `elementwise_ops` is a figure of its own. A kernel's figures are those of one call,
//! a part's are those of all its calls.

mod bandwidths;
mod build;
mod claimed;
mod floor;
mod gap;
mod grid;
mod kernel;
mod part;
mod peaks;
mod refused;
mod rows;
mod scenario;
mod sensitivity;
mod synthesised;
mod totals;
mod variants;

use serde::Serialize;

pub use build::{estimate, estimate_one, estimate_scenarios};
pub use floor::{LatencyRoofs, LatencyStanding};
pub use gap::{Latency, TermRule};
pub use grid::GridPoint;
pub use kernel::{KernelEstimate, Member, OperandTraffic};
pub use part::PartEstimate;
pub use peaks::PeakRow;
pub use refused::RefusedGroup;
pub use scenario::{Ceiling, ClaimKey, ScenarioEstimate};
pub use sensitivity::{SensitivityRow, Step};
pub use synthesised::SynthesisedKernel;
pub use totals::Totals;
pub use variants::{Variant, variant_savings};

use crate::scenario::{ScenarioKind, Skipped};
use derate_project::Schedule;
use derate_units::{BytesPerSecond, Figure, Seconds};

/// Estimates of one project under its scenarios.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// `derate.estimate/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// Name of the workload.
    pub workload: String,
    /// Name of the platform.
    pub platform: String,
    /// Inferences at a time.
    pub batch: u64,
    /// From the claim to what holds, one correction at a time, each under every schedule: `unfused` first.
    pub scenarios: Vec<ScenarioEstimate>,
    /// Work that an inference could do without.
    pub variants: Vec<Variant>,
    /// Which assumption moves the answer most, the strongest first.
    pub sensitivity: Vec<SensitivityRow>,
    /// What synthesis reports say of the latency of kernels.
    pub synthesised: Vec<SynthesisedKernel>,
    /// Where bandwidth figures come from, in sentences.
    pub bandwidths: Vec<BandwidthRow>,
    /// The latency that is claimed; `None` where none is.
    pub claimed_latency: Option<Seconds>,
    /// What that is compared with; `None` where no latency is claimed.
    #[serde(skip)]
    pub latency_roofs: Option<LatencyRoofs>,
    /// Which number format is assumed where the code stores numbers as raw bits, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_bits: Option<String>,
    /// Parts of an inference that the dump does not have all tensors of.
    pub missing_parts: Vec<MissingPart>,
    /// Steps of the ladder that cannot be estimated.
    pub skipped: Vec<Skipped>,
    /// The claim's own kernels at four precisions, at the claimed and at the true tokens, under the claimed roofs and
    /// under the corrected ones.
    pub by_precision: Vec<ScenarioEstimate>,
    /// The first part of the claim's own kernels: precisions x tokens x bandwidths x peaks.
    pub grid: Vec<GridPoint>,
    /// Peaks as claimed and as derived, with the ridge at each bandwidth.
    pub peaks: Vec<PeakRow>,
}

impl Estimate {
    /// A scenario under its first schedule, unfused: only there the claim's own kernels are among the parts.
    pub fn scenario(&self, kind: ScenarioKind) -> Option<&ScenarioEstimate> {
        self.scenarios.iter().find(|s| s.kind == kind)
    }

    /// The scenarios of the ladder, unfused; the design under its own schedule.
    pub fn ladder(&self) -> impl Iterator<Item = &ScenarioEstimate> + Clone {
        self.scenarios.iter().filter(|s| match s.kind {
            ScenarioKind::Design => s.chosen,
            _ => s.schedule == Schedule::Unfused,
        })
    }

    /// Whether the workload holds all that an inference does, and what its kernels hand to one another.
    pub fn is_whole(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.whole)
    }

    /// The design under its own schedule.
    pub fn design(&self) -> Option<&ScenarioEstimate> {
        self.schedules(ScenarioKind::Design).find(|s| s.chosen)
    }

    /// Why no latency of the design is known: one sentence without its stop.
    pub fn no_latency(&self) -> String {
        let design = self.skipped.iter().find(|s| s.scenario == ScenarioKind::Design);
        design.map_or_else(
            || "[design] in derate.toml gives no rows and columns of an array, so nothing says how many cycles a kernel takes".to_owned(),
            |skipped| skipped.reason.clone(),
        )
    }

    /// One scenario under every schedule.
    pub fn schedules(&self, kind: ScenarioKind) -> impl Iterator<Item = &ScenarioEstimate> + Clone {
        self.scenarios.iter().filter(move |s| s.kind == kind)
    }
}

/// Whose bandwidth a row gives.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BandwidthOwner {
    /// The claim's.
    Claimed,
    /// The derated one.
    Derated,
    /// That of the project's own ports.
    OwnPorts,
    /// Something to compare with.
    Other,
}

/// A bandwidth with its reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BandwidthRow {
    /// Whose it is.
    #[serde(skip)]
    pub owner: BandwidthOwner,
    /// What it is the bandwidth of.
    pub name: String,
    /// The figure; `None` where it cannot be had.
    pub bandwidth: Option<Figure<BytesPerSecond>>,
    /// Where it comes from and when it is wrong, or why there is none.
    pub sentence: String,
    /// Why ports have it; `None` for what is stated.
    #[serde(skip)]
    pub reason: Option<String>,
}

/// A part that is not in any figure.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct MissingPart {
    /// Its name.
    pub part: String,
    /// Why.
    pub reason: String,
}
