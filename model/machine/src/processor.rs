//! Processors: GPUs and CPUs, whose peaks are given per arithmetic instead of derived from logic.

mod catalogue;
mod disputed;
mod file;
mod kind;
mod memory;
mod peak;
mod write;

pub use disputed::Disputed;
pub use kind::ProcessorKind;
pub use memory::ProcessorMemory;
pub use peak::{ArithmeticPeak, UnknownPeak};

use derate_hls::Reason;
use derate_units::{Bytes, Figure, Precision, Roofline, Watts};

/// A GPU or a CPU: its memory, and what it computes at most in each arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct Processor {
    /// Short name, as `--platform` and `derate platform` take it.
    pub name: String,
    /// Full name.
    pub title: String,
    /// GPU or CPU.
    pub kind: ProcessorKind,
    /// External memory.
    pub memory: ProcessorMemory,
    /// Streaming multiprocessors of a GPU, cores of a CPU.
    pub units: Option<Figure<f64>>,
    /// The cache before external memory.
    pub last_level_cache: Option<Figure<Bytes>>,
    /// Power that it may draw.
    pub power: Option<Figure<Watts>>,
    /// Dense peaks, those of one arithmetic together, its default first.
    pub peaks: Vec<ArithmeticPeak>,
    /// Other values that are printed for figures of this processor.
    pub disputed: Vec<Disputed>,
    /// Arithmetic that has no peak here, and why.
    pub unknown: Vec<UnknownPeak>,
}

impl Processor {
    /// What is printed elsewhere for figures that count: the bandwidth, if it does, and the peaks of some arithmetic. Each
    /// is a sentence.
    pub fn disputes(
        &self,
        bandwidth: bool,
        peak: impl Fn(Precision) -> bool,
    ) -> impl Iterator<Item = String> {
        let counts = move |figure: &str| match figure.strip_prefix("peak.") {
            Some(arithmetic) => Precision::parse(arithmetic).is_some_and(&peak),
            None => bandwidth && figure == "memory.bandwidth",
        };
        self.disputed.iter().filter(move |other| counts(&other.figure)).map(|other| {
            format!(
                "{} of {}: {} is printed too and not used: {}.",
                other.figure, self.title, other.value, other.source
            )
        })
    }

    /// The arithmetic that products in that one run in: another where its file says that elements are widened.
    pub fn computed_as(&self, arithmetic: Precision) -> Precision {
        let own = self.unknown.iter().find(|u| u.arithmetic.format() == arithmetic.format());
        own.and_then(|own| own.computed_as).unwrap_or(arithmetic)
    }

    /// The default peak of the arithmetic that such products run in; else a sentence that says why there is none.
    pub fn peak(&self, arithmetic: Precision) -> Result<&ArithmeticPeak, Reason> {
        let arithmetic = self.computed_as(arithmetic);
        let found = self.peaks.iter().find(|peak| peak.is_of(arithmetic));
        found.ok_or_else(|| self.no_peak(arithmetic))
    }

    /// The peak of the arithmetic that such products run in whose sums are kept in that precision.
    pub fn peak_summing(
        &self,
        arithmetic: Precision,
        accumulate: Precision,
    ) -> Result<&ArithmeticPeak, Reason> {
        let arithmetic = self.computed_as(arithmetic);
        let own = || self.peaks.iter().filter(|peak| peak.is_of(arithmetic));
        let found = own().find(|peak| peak.accumulate == accumulate);
        found.ok_or_else(|| {
            let known: Vec<String> = own().map(|peak| peak.accumulate.to_string()).collect();
            if known.is_empty() {
                return self.no_peak(arithmetic);
            }
            let sums = known.join(" and in ");
            Reason::from(format!(
                "{} has no published {arithmetic} peak with sums in {accumulate}, but one with \
                 sums in {sums}",
                self.title
            ))
        })
    }

    /// The default peak over the memory's bandwidth; else why there is none.
    pub fn roofline(&self, arithmetic: Precision) -> Result<Roofline, Reason> {
        let peak = self.peak(arithmetic)?.rate.value;
        Ok(Roofline { peak, bandwidth: self.memory.bandwidth.value })
    }

    fn no_peak(&self, arithmetic: Precision) -> Reason {
        let unknown = self.unknown.iter().find(|u| u.arithmetic.format() == arithmetic.format());
        let reason = unknown.map_or("its file gives none", |unknown| &unknown.reason);
        Reason::from(format!("the {arithmetic} peak of {} is unknown: {reason}", self.title))
    }
}

#[cfg(test)]
mod tests;
