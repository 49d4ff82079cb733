//! A kernel of the design, with all that is known of it.

use crate::formats::KernelFormats;
use crate::roofs::KernelRoof;
use crate::served::ServedWork;
use crate::stages::StageCycles;
use derate_machine::ResourceKind;
use derate_units::{Figure, Hertz, Precision, Seconds};
use serde::Serialize;

/// Cycles of one call with the range in which they are expected.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CycleRange {
    /// The least.
    pub low: f64,
    /// What is expected.
    pub value: Figure<f64>,
    /// The most.
    pub high: f64,
}

/// An amount of a resource that a kernel takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UsedResource {
    /// Which.
    pub resource: ResourceKind,
    /// How much of it, and how that is known.
    pub amount: Figure<f64>,
}

/// A kernel of the design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignKernel {
    /// What it is called.
    pub name: String,
    /// What it computes of the model.
    pub serves: ServedWork,
    /// Calls per inference.
    pub calls: Figure<f64>,
    /// Compute units; what it takes of the card is that of all of them.
    pub units: u64,
    /// Cycles of one call; `None` where they are not known.
    pub cycles: Option<CycleRange>,
    /// Cycles from the start of a call to the next possible start.
    pub interval: Option<f64>,
    /// The clock that cycles become seconds at.
    pub clock: Figure<Hertz>,
    /// The number format that it computes in: that of its source, else the stated one.
    pub precision: Option<Precision>,
    /// The number formats of its source, where that was read.
    pub formats: Option<KernelFormats>,
    /// Multiply-adds of one call; `None` where the origin does not tell them.
    pub multiply_adds: Option<Figure<f64>>,
    /// The name of its top function, where its origin tells it.
    pub top: Option<String>,
    /// The first kernel that is the same hardware and gets other sizes, where that is another one: the card has room for
    /// both where it has room for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_hardware_as: Option<String>,
    /// The region of the chip that it is placed in, where that is known.
    pub region: Option<String>,
    /// What the card could do of its work; `None` where that is not known.
    pub roof: Option<KernelRoof>,
    /// What it takes of the card.
    pub used: Vec<UsedResource>,
    /// Its stages, where it is described by stages.
    pub stages: Vec<StageCycles>,
    /// What is not known, in sentences.
    pub unknown: Vec<String>,
}

impl DesignKernel {
    /// The name of its hardware: that of the first kernel that is the same.
    #[must_use]
    pub fn hardware(&self) -> &str {
        self.same_hardware_as.as_deref().unwrap_or(&self.name)
    }

    /// Calls of an inference that run one after another. Units share the calls of a layer; layers run one after another.
    #[must_use]
    pub fn serial_calls(&self) -> f64 {
        let (calls, layers) = (self.calls.value, self.serves.layer_runs);
        if self.units < 2 || layers <= 0.0 || calls <= layers {
            return calls;
        }
        layers * (calls / layers / self.units as f64).ceil()
    }

    /// Seconds of all calls of an inference, each of so many cycles. Several units share the memory: they take at least what
    /// it needs for their bytes.
    #[must_use]
    pub fn seconds_of(&self, cycles: f64) -> f64 {
        let time = cycles * self.serial_calls() / self.clock.value.0;
        let memory = self.roof.as_ref().filter(|_| self.units > 1).map(|roof| roof.memory.0);
        memory.map_or(time, |memory| time.max(memory))
    }

    /// Seconds between two inferences at least: units work on the calls of several of them at once.
    #[must_use]
    pub fn least_interval(&self) -> Option<f64> {
        let calls = self.calls.value / self.units as f64;
        Some(self.cycles.as_ref()?.low * calls / self.clock.value.0)
    }

    /// Time of all calls of an inference.
    #[must_use]
    pub fn seconds(&self) -> Option<Figure<Seconds>> {
        let cycles = &self.cycles.as_ref()?.value;
        let inputs = [cycles.provenance, self.calls.provenance, self.clock.provenance];
        Some(Figure::new(
            Seconds(self.seconds_of(cycles.value)),
            derate_units::Provenance::of_inputs(inputs),
            format!(
                "cycles: {}; calls: {}; clock: {}",
                cycles.source, self.calls.source, self.clock.source
            ),
        ))
    }

    /// Multiply-adds that its loops do per inference.
    #[must_use]
    pub fn work_done(&self) -> Option<f64> {
        Some(self.multiply_adds.as_ref()?.value * self.calls.value)
    }

    /// Multiply-adds that start per cycle on average, in all units.
    #[must_use]
    pub fn multiply_adds_per_cycle(&self) -> Option<f64> {
        let cycles = self.cycles.as_ref()?.value.value;
        let at_once = if self.units > 1 { self.calls.value / self.serial_calls() } else { 1.0 };
        let rate = at_once * self.multiply_adds.as_ref()?.value / cycles;
        Some(rate).filter(|rate| rate.is_finite())
    }

    /// Multiply-adds per cycle that the served work asks of it: what it would have to do, whatever its loops do.
    #[must_use]
    pub fn needed_per_cycle(&self) -> Option<f64> {
        let cycles = self.cycles.as_ref()?.value.value * self.serial_calls();
        Some(self.serves.multiply_adds() / cycles).filter(|rate| rate.is_finite() && *rate > 0.0)
    }

    /// How much of a resource it takes.
    #[must_use]
    pub fn amount(&self, resource: ResourceKind) -> Option<f64> {
        self.used.iter().find(|one| one.resource == resource).map(|one| one.amount.value)
    }
}
