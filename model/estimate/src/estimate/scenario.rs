//! What an inference costs under one scenario and schedule.

use serde::Serialize;

use super::{KernelEstimate, Latency, PartEstimate, RefusedGroup, Totals};
use crate::scenario::{PeakSource, ScenarioKind};
use derate_machine::Peak;
use derate_project::Schedule;
use derate_units::figures::grouped;
use derate_units::{Bytes, BytesPerSecond, Figure, OpsPerByte, Seconds};

/// A figure of scenario `claimed` that `derate.toml` may claim.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimKey {
    /// The bytes of an element.
    Precision,
    /// The tokens that a layer sees.
    Tokens,
    /// External bandwidth.
    Bandwidth,
    /// Peak rates.
    Peak,
}

impl ClaimKey {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Precision => "precision",
            Self::Tokens => "tokens",
            Self::Bandwidth => "bandwidth",
            Self::Peak => "peak",
        }
    }
}

/// Everything under one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScenarioEstimate {
    /// What the scenario is.
    #[serde(skip)]
    pub kind: ScenarioKind,
    /// Its name.
    pub name: String,
    /// What it changes against the one before.
    pub change: String,
    /// The command that gives it again.
    pub command: String,
    /// What is fused.
    pub schedule: Schedule,
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
    /// Who says what the peaks are.
    pub peak_basis: PeakSource,
    /// Whether the workload holds all that an inference does, and what its kernels hand to one another.
    #[serde(skip)]
    pub whole: bool,
    /// Whether a number of tokens is among what is assumed.
    #[serde(skip)]
    pub has_tokens: bool,
    /// The figures of scenario `claimed` that are defaults because `derate.toml` claims none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unclaimed: Vec<ClaimKey>,
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
            Schedule::Unfused => self.name.clone(),
            fused => format!("{} ({})", self.name, fused.name()),
        }
    }

    /// What all its parts are together.
    pub fn all_parts(&self) -> &'static str {
        if self.whole { "whole inference" } else { "all 2-D weights" }
    }

    /// The part that the claim is about: the first that it models itself, else the workload's main part.
    pub fn main_part(&self) -> Option<&PartEstimate> {
        let claimed = self.parts.iter().find(|part| !part.runs);
        claimed.or(self.parts.iter().find(|part| part.is_main)).or(self.parts.first())
    }

    /// The parts that an inference runs.
    pub fn running_parts(&self) -> impl Iterator<Item = &PartEstimate> + Clone {
        self.parts.iter().filter(|part| part.runs)
    }

    /// The names of the figures that are defaults, with commas.
    pub fn unclaimed_text(&self) -> String {
        self.unclaimed.iter().map(|key| key.name()).collect::<Vec<_>>().join(", ")
    }

    /// The roof of the main part's arithmetic; unknown where its kernels have different ones.
    pub fn main_ceiling(&self) -> Option<&Ceiling> {
        let find = |precision| self.ceilings.iter().find(|c| c.peak.precision == precision);
        // What multiplies nothing has no arithmetic to be held to a roof.
        let multiplies = |kernel: &&KernelEstimate| kernel.totals.flops.0 > 0.0;
        let all = &self.main_part()?.kernels;
        let mut kernels: Vec<&KernelEstimate> = all.iter().filter(multiplies).collect();
        if kernels.is_empty() {
            kernels = all.iter().collect();
        }
        let first = find(kernels.first()?.precision)?;
        let rate = |ceiling: &Ceiling| ceiling.peak.rate.value;
        let alike =
            |kernel: &&KernelEstimate| find(kernel.precision).map(rate) == Some(rate(first));
        kernels.iter().all(alike).then_some(first)
    }

    /// `1 token`, `241 tokens`, `shapes as recorded`.
    pub fn tokens_text(&self) -> String {
        if !self.has_tokens {
            return "shapes as recorded".to_owned();
        }
        let ending = if self.tokens.value.to_bits() == 1.0_f64.to_bits() { "" } else { "s" };
        format!("{} token{ending}", grouped(self.tokens.value))
    }

    /// Roofline time of all parts that an inference runs.
    pub fn running_time(&self) -> Option<Seconds> {
        self.totals.throughput_seconds
    }

    /// Why a roof of a part that runs is not known.
    pub fn unknown_roof(&self) -> Option<&str> {
        self.running_parts()
            .flat_map(|part| &part.kernels)
            .find(|k| k.totals.bound.is_none())
            .and_then(|k| k.unknown.first())
            .map(AsRef::as_ref)
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
    /// Whether the peak is claimed for that very arithmetic.
    #[serde(skip)]
    pub is_own_claim: bool,
}
