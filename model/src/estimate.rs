//! What an estimate says: plain data, and the JSON contract `derate.estimate/1`.
//!
//! `flops` is matrix-product work alone; `elementwise_ops` stands beside it. A kernel's figures are those of one call,
//! a part's are those of all its calls.

mod bandwidths;
mod build;
mod floor;
mod gap;
mod grid;
mod peaks;
mod rows;
mod sensitivity;
mod setting;
mod synthesised;
mod totals;
mod variants;

use std::borrow::Cow;

use serde::Serialize;

pub use build::{estimate, estimate_one, scenarios};
pub(crate) use floor::{as_designed, floor};
pub use sensitivity::Assumption;
pub(crate) use setting::base;
pub use synthesised::SynthesisedKernel;
pub use variants::Variant;
pub(crate) use variants::saved;

use crate::figures::grouped;
use crate::units::{Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};
use crate::workload::{Elementwise, Matmul, Role};
use crate::{Array, Bound, Figure, Peak, Precision, Provenance, Terms};

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

/// One combination of assumptions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridPoint {
    /// Bytes of every element.
    pub precision: String,
    /// Tokens that the layers see.
    pub tokens: f64,
    /// External bandwidth.
    pub bandwidth: BytesPerSecond,
    /// `claimed` or `derived`.
    pub peak_basis: &'static str,
    /// The ridge point, where the peak is known.
    pub ridge: Option<OpsPerByte>,
    /// The command that gives it with its kernels.
    pub command: String,
    /// The first part of the claim's own kernels together: the text layers of smolVLA, all layers of another model.
    #[serde(flatten)]
    pub totals: Totals,
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

/// A bandwidth with its reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BandwidthRow {
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

/// A peak and its ridge points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakRow {
    /// `claimed` or `derived`.
    pub basis: &'static str,
    /// The peak.
    #[serde(flatten)]
    pub peak: Peak,
    /// Ridge at the claimed bandwidth.
    pub ridge_claimed_bandwidth: OpsPerByte,
    /// Ridge at the derated bandwidth.
    pub ridge_derated_bandwidth: OpsPerByte,
}

/// Everything under one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScenarioEstimate {
    /// Its name.
    pub name: String,
    /// What it changes against the one before.
    pub change: String,
    /// The command that gives it again.
    pub command: String,
    /// `unfused`, `epilogue`, `attention` or `block`.
    pub schedule: &'static str,
    /// Whether `[design]` names this schedule.
    pub chosen: bool,
    /// `bf16`, `as-stored`, `as-built`...
    pub precision: String,
    /// Tokens that the claim's own kernels see.
    pub tokens: Figure<f64>,
    /// External bandwidth.
    pub bandwidth: Figure<BytesPerSecond>,
    /// On-chip memory for operands, held weights taken off.
    pub on_chip: Figure<Bytes>,
    /// `claimed`, `derived`, `given` or `design`.
    pub peak_basis: &'static str,
    /// What of scenario `claimed` is a default because `derate.toml` claims nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unclaimed: Vec<&'static str>,
    /// The roofs of the precisions in use.
    pub ceilings: Vec<Ceiling>,
    /// All parts that an inference runs.
    pub totals: Totals,
    /// What the latency is made of.
    pub latency: Option<Latency>,
    /// Groups that the schedule asks for and that are not made.
    pub refused: Vec<RefusedGroup>,
    /// The work: what an inference runs, then what the claim models.
    pub parts: Vec<PartEstimate>,
}

impl ScenarioEstimate {
    /// Its name, with the schedule where that is not `unfused`: `design (block)`.
    pub fn heading(&self) -> String {
        match self.schedule {
            "unfused" => self.name.clone(),
            fused => format!("{} ({fused})", self.name),
        }
    }

    /// The part that the claim speaks of: the first that it models itself, else the first that runs.
    pub fn main_part(&self) -> Option<&PartEstimate> {
        let claims = self.parts.iter().find(|part| !part.runs);
        claims.or(self.parts.iter().find(|part| part.name == "text prefix")).or(self.parts.first())
    }

    /// The roof of the main part's arithmetic; unknown where its kernels differ.
    pub fn main_ceiling(&self) -> Option<&Ceiling> {
        let kernels = &self.main_part()?.kernels;
        let precision = kernels.first()?.precision;
        let alike = kernels.iter().all(|kernel| kernel.precision == precision);
        self.ceilings.iter().find(|c| alike && c.peak.precision == precision)
    }

    /// `1 token`, `241 tokens`.
    pub fn tokens_text(&self) -> String {
        let ending = if self.tokens.value.to_bits() == 1.0_f64.to_bits() { "" } else { "s" };
        format!("{} token{ending}", grouped(self.tokens.value))
    }

    /// Roofline time of all parts that an inference runs.
    pub fn running_time(&self) -> Option<Seconds> {
        self.totals.throughput_seconds
    }

    /// Why a roof of a part that runs is not known.
    pub fn unknown_roof(&self) -> Option<&str> {
        let kernels = self.parts.iter().filter(|part| part.runs).flat_map(|part| &part.kernels);
        kernels
            .into_iter()
            .find(|k| k.totals.bound.is_none())
            .and_then(|k| k.unknown.first())
            .map(AsRef::as_ref)
    }
}

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

/// A latency and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Latency {
    /// The whole.
    pub seconds: Seconds,
    /// `latency / roofline time`.
    pub gap: Option<f64>,
    /// Seconds of each term; they sum up to the whole.
    pub terms: Terms,
    /// Time of the one call that starts all parts, where `launches` is `inference`: with it, the parts' latencies sum up to
    /// the whole.
    pub host_call: Seconds,
    /// How the figures are known.
    pub provenance: Provenance,
    /// The rule of each term.
    pub rules: Vec<TermRule>,
    /// The array that it is computed for.
    pub array: Array,
    /// What is not known of it, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// How a term comes about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermRule {
    /// The term.
    pub term: &'static str,
    /// Its rule.
    pub rule: &'static str,
    /// The figures that it stands on.
    pub inputs: String,
}

/// A flat roof and where it meets the slope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ceiling {
    /// The peak.
    #[serde(flatten)]
    pub peak: Peak,
    /// Its ridge point at the scenario's bandwidth.
    pub ridge: OpsPerByte,
}

/// Work, traffic and time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// Operations of matrix products.
    pub flops: Ops,
    /// All other operations.
    pub elementwise_ops: Ops,
    /// Bytes that cross external memory.
    pub bytes: Bytes,
    /// Bytes of weights among them.
    pub weight_bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// Which roof is the lower; unknown without a peak. For several kernels, the roof that takes the larger share of time.
    pub bound: Option<Bound>,
    /// Rate under that roof.
    pub attainable: Option<OpsPerSecond>,
    /// Time at that rate: a lower bound of what runs so, fused or not.
    pub throughput_seconds: Option<Seconds>,
    /// Time with fills, launches and memory latency.
    pub latency_seconds: Option<Seconds>,
}

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

/// One call of one kernel, or of several that are fused into one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelEstimate {
    /// The block that it stands in.
    pub block: Cow<'static, str>,
    /// Its name, with the layers that it is of where these differ.
    pub name: Cow<'static, str>,
    /// Its matrix product, where it has just one.
    #[serde(flatten)]
    pub matmul: Option<Matmul>,
    /// Calls per inference pass.
    pub calls: u64,
    /// The arithmetic of its products, or the format of its first operand.
    pub precision: Precision,
    /// Figures of one call.
    #[serde(flatten)]
    pub totals: Totals,
    /// Where its precision's roofs meet.
    pub ridge: Option<OpsPerByte>,
    /// What its latency is made of.
    pub latency: Option<Terms>,
    /// Why a figure is null.
    pub unknown: Vec<Cow<'static, str>>,
    /// How its times are known.
    pub provenance: Provenance,
    /// The operators that run as one.
    pub members: Vec<Member>,
    /// Bytes that it must hold on the chip, tiles aside.
    pub footprint: Bytes,
    /// What crosses external memory, and what stays on the chip.
    pub operands: Vec<OperandTraffic>,
}

/// An operator of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its matrix product.
    pub matmul: Option<Matmul>,
    /// What it does on each element, if it is no product.
    pub elementwise: Option<Elementwise>,
}

/// One operand's traffic in one call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperandTraffic {
    /// Which of the kernel's members it is of.
    pub member: usize,
    /// What it is.
    pub name: &'static str,
    /// Read as weight, read as input, or written.
    pub role: Role,
    /// Elements.
    pub elements: u64,
    /// Its number format.
    pub precision: Precision,
    /// How often it crosses: 0 where it stays on the chip, below one where it is read once for several runs.
    pub crossings: f64,
    /// `elements x bits / 8 x crossings`.
    pub bytes: Bytes,
}
