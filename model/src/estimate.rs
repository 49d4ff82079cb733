//! What an estimate says: plain data, and the JSON contract `derate.estimate/1`.
//!
//! `flops` is matrix-product work alone; `elementwise_ops` stands beside it. A kernel's figures are those of one call,
//! a part's are those of all its calls.

mod build;

use serde::Serialize;

pub use build::{estimate, estimate_one};

use crate::figures::grouped;
use crate::units::{Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};
use crate::workload::Role;
use crate::{Bound, Figure, Peak, Precision, Provenance};

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
    /// From the claim to what holds, one correction at a time.
    pub scenarios: Vec<ScenarioEstimate>,
    /// Steps of that ladder that could not be taken.
    pub skipped: Vec<Skipped>,
    /// The precisions, at the claimed and at the true tokens, under the claimed roofs and under the corrected ones.
    pub by_precision: Vec<ScenarioEstimate>,
    /// Precisions x tokens x bandwidths x peaks, without the kernels.
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
    /// The work.
    pub parts: Vec<GridPart>,
}

/// A part of a combination.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridPart {
    /// Its name.
    pub name: String,
    /// Whether an inference runs it.
    pub runs: bool,
    /// All calls.
    #[serde(flatten)]
    pub totals: Totals,
}

impl GridPoint {
    /// The part that tables speak of: the first that runs.
    pub fn main_part(&self) -> Option<&GridPart> {
        self.parts.iter().find(|part| part.runs)
    }

    /// Roofline time of all parts that an inference runs.
    pub fn running_time(&self) -> Option<Seconds> {
        self.parts.iter().filter(|part| part.runs).map(|part| part.totals.throughput_seconds).sum()
    }
}

impl Estimate {
    /// The scenario of that name in the ladder.
    pub fn scenario(&self, name: &str) -> Option<&ScenarioEstimate> {
        self.scenarios.iter().find(|s| s.name == name)
    }
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
    /// `unfused`: every kernel reads its operands from external memory and writes its result there.
    pub schedule: &'static str,
    /// `bf16`, `as-stored`, `as-built`...
    pub precision: String,
    /// Tokens that the layers see.
    pub tokens: Figure<f64>,
    /// External bandwidth.
    pub bandwidth: Figure<BytesPerSecond>,
    /// `claimed`, `derived` or `given`.
    pub peak_basis: &'static str,
    /// What of scenario `claimed` is a default because `derate.toml` claims nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unclaimed: Vec<&'static str>,
    /// The roofs of the precisions in use.
    pub ceilings: Vec<Ceiling>,
    /// The work.
    pub parts: Vec<PartEstimate>,
}

impl ScenarioEstimate {
    /// The part that sentences and charts speak of: the first that runs.
    pub fn main_part(&self) -> Option<&PartEstimate> {
        self.parts.iter().find(|part| part.runs)
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
        self.parts.iter().filter(|part| part.runs).map(|part| part.totals.throughput_seconds).sum()
    }

    /// Why a roof of a part that runs is not known.
    pub fn unknown_roof(&self) -> Option<&str> {
        let kernels = self.parts.iter().filter(|part| part.runs).flat_map(|part| &part.kernels);
        kernels
            .into_iter()
            .find(|k| k.totals.bound.is_none())
            .and_then(|k| k.unknown.first())
            .map(String::as_str)
    }
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
    /// Time at that rate: a lower bound.
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
    /// One layer, where all are alike.
    pub one_layer: Option<Totals>,
    /// The kernels.
    pub kernels: Vec<KernelEstimate>,
    /// How the figures are known.
    pub provenance: Provenance,
}

/// One call of one kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelEstimate {
    /// Its name.
    pub name: String,
    /// Independent products.
    pub batch: u64,
    /// Rows.
    pub m: u64,
    /// The contracted dimension.
    pub k: u64,
    /// Columns.
    pub n: u64,
    /// Calls per inference pass.
    pub calls: u64,
    /// The arithmetic and storage of its weights.
    pub precision: Precision,
    /// Figures of one call.
    #[serde(flatten)]
    pub totals: Totals,
    /// Where its precision's roofs meet.
    pub ridge: Option<OpsPerByte>,
    /// Why a figure is null.
    pub unknown: Vec<String>,
    /// How the figures are known.
    pub provenance: Provenance,
    /// The formulas and inputs.
    pub basis: String,
    /// What crosses external memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<OperandTraffic>,
}

/// One operand's traffic in one call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperandTraffic {
    /// What it is.
    pub name: &'static str,
    /// Read as weight, read as input, or written.
    pub role: Role,
    /// Elements.
    pub elements: u64,
    /// Its number format.
    pub precision: Precision,
    /// How often it crosses.
    pub crossings: u64,
    /// `elements x bits / 8 x crossings`.
    pub bytes: Bytes,
}
