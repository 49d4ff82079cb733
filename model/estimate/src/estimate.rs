//! What an estimate says: plain data, and the JSON contract `derate.estimate/1`.
//!
//! `flops` is matrix-product work alone; `elementwise_ops` stands beside it. A kernel's figures are those of one call,
//! a part's are those of all its calls.

mod bandwidths;
mod build;
mod floor;
mod gap;
mod grid;
mod kernel;
mod part;
mod peaks;
mod rows;
mod scenario;
mod sensitivity;
mod synthesised;
mod totals;
mod variants;

use serde::Serialize;

pub use build::{estimate, estimate_one, scenarios};
pub use floor::{LatencyRoofs, Stand};
pub use gap::{Latency, TermRule};
pub use grid::GridPoint;
pub use kernel::{KernelEstimate, Member, OperandTraffic};
pub use part::PartEstimate;
pub use peaks::PeakRow;
pub use scenario::{Ceiling, RefusedGroup, ScenarioEstimate};
pub use sensitivity::Assumption;
pub use synthesised::SynthesisedKernel;
pub use totals::Totals;
pub use variants::{Variant, saved};

use derate_units::{BytesPerSecond, Figure, Seconds};

/// Estimates of one project under its scenarios.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// `derate.estimate/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// Name of the workload.
    pub workload: &'static str,
    /// Name of the platform.
    pub platform: String,
    /// Inferences at a time.
    pub batch: u64,
    /// From the claim to what holds, one correction at a time, each under every schedule: `unfused` first.
    pub scenarios: Vec<ScenarioEstimate>,
    /// Work that an inference could do without.
    pub variants: Vec<Variant>,
    /// Which assumption moves the answer most, the strongest first.
    pub sensitivity: Vec<Assumption>,
    /// What synthesis reports say of the latency of kernels.
    pub synthesised: Vec<SynthesisedKernel>,
    /// Where bandwidth figures come from, in sentences.
    pub bandwidths: Vec<BandwidthRow>,
    /// The latency that is claimed; `None` where none is.
    pub claimed_latency: Option<Seconds>,
    /// What it is held against; nothing where no latency is claimed.
    #[serde(skip)]
    pub latency_roofs: Option<LatencyRoofs>,
    /// What is taken of raw bits that the code stores numbers in, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_bits: Option<String>,
    /// Parts of an inference that the dump does not have all tensors of.
    pub missing_parts: Vec<MissingPart>,
    /// Steps of that ladder that could not be taken.
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
    /// The scenario of that name in the ladder, unfused: there the claim's own kernels stand too.
    pub fn scenario(&self, name: &str) -> Option<&ScenarioEstimate> {
        self.scenarios.iter().find(|s| s.name == name)
    }

    /// The scenarios of the ladder, unfused; the design under its own schedule.
    pub fn ladder(&self) -> impl Iterator<Item = &ScenarioEstimate> + Clone {
        self.scenarios.iter().filter(|s| match s.peak_basis {
            "design" => s.chosen,
            _ => s.schedule == "unfused",
        })
    }

    /// Whether the workload holds all that an inference does, and what its kernels hand to one another.
    pub fn is_whole(&self) -> bool {
        self.scenarios.iter().all(|scenario| scenario.whole)
    }

    /// The design under its own schedule.
    pub fn design(&self) -> Option<&ScenarioEstimate> {
        self.schedules("design").find(|s| s.chosen)
    }

    /// Why no latency of the design is known: one sentence without its stop.
    pub fn no_latency(&self) -> String {
        let design = self.skipped.iter().find(|skipped| skipped.scenario == "design");
        design.map_or_else(
            || "[design] in derate.toml gives no rows and columns of an array, so nothing says how many cycles a kernel takes".to_owned(),
            |skipped| skipped.reason.clone(),
        )
    }

    /// One scenario under every schedule.
    pub fn schedules<'a>(
        &'a self,
        name: &'a str,
    ) -> impl Iterator<Item = &'a ScenarioEstimate> + Clone {
        self.scenarios.iter().filter(move |s| s.name == name)
    }
}

/// Whose bandwidth a row is of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Whose {
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
    pub whose: Whose,
    /// What it is the bandwidth of.
    pub name: String,
    /// The figure; `None` where it cannot be had.
    pub bandwidth: Option<Figure<BytesPerSecond>>,
    /// Where it comes from and when it is wrong, or why there is none.
    pub sentence: String,
}

/// A part that is not in any figure.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct MissingPart {
    /// Its name.
    pub part: &'static str,
    /// Why.
    pub reason: String,
}

/// A scenario that could not be estimated.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub scenario: String,
    /// Why.
    pub reason: String,
}
