//! Where a workload runs: the roofs of a card or a processor, each with its source.

use super::{Factors, GivenPeaks, OperatorFormats, OperatorRoofs};
use derate_machine::{PeakRange, Target};
use derate_source::Reason;
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Figure, Hertz, OpsPerSecond, Precision, Provenance};

/// Figures that replace a target's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoofOverrides {
    /// Of external memory.
    pub bandwidth: Option<BytesPerSecond>,
    /// Of every arithmetic, or of each.
    pub peak: GivenPeaks,
    /// Of a card's kernels.
    pub clock: Option<Hertz>,
    /// The share of the bandwidth that runs reach.
    pub memory_efficiency: Option<f64>,
    /// The share of the peak that runs reach.
    pub compute_efficiency: Option<f64>,
}

/// Why a target has no roofs under the figures that are given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RoofError {
    /// A processor has no clock to set.
    #[error("{0} has peaks of its own, whatever the clock: --clock is for FPGA cards")]
    ClockOfProcessor(String),
    /// The card's slices are not as fast.
    #[error("--clock: a DSP slice of {card} bears no more than {}", quantity(*most))]
    ClockTooFast {
        /// The card.
        card: String,
        /// Its fastest clock.
        most: Hertz,
    },
}

/// The peak of one arithmetic, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithmeticRoof {
    /// Which.
    pub arithmetic: Precision,
    /// What its elements are widened to, whose peak this is; `None` where it runs as it is, or the peak was given.
    pub computed_as: Option<Precision>,
    /// The rate, or why it is not known.
    pub peak: Result<Figure<OpsPerSecond>, Reason>,
    /// What it may be where it is not known, from the target's other arithmetic.
    pub range: Option<PeakRange>,
}

/// The figures behind the times of a workload.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRoofs {
    /// What the memory's pins carry.
    pub bandwidth: Figure<BytesPerSecond>,
    /// What the memory holds, where that is known.
    pub capacity: Option<Figure<Bytes>>,
    /// What a driver keeps of that for itself, where that is known.
    pub driver_keeps: Option<Figure<Bytes>>,
    /// The memory, for people.
    pub memory: String,
    /// What the chip holds between external memory and the units: a processor's last-level cache, a card's on-chip memory.
    /// `None` where that is not known.
    pub on_chip: Option<Figure<Bytes>>,
    /// The arithmetics that the workload needs, each once.
    pub peaks: Vec<ArithmeticRoof>,
    /// The bandwidth that sequential streams reach, where that is known.
    pub reached_bandwidth: Option<Figure<BytesPerSecond>>,
    /// The share of the peaks that runs reach, where that is known.
    pub compute_efficiency: Option<Figure<f64>>,
    /// The roofs themselves, of every kind of product.
    pub roofs: OperatorRoofs,
    /// The same, each peak that is not known at the least that it may be.
    pub slowest: OperatorRoofs,
    /// The same, each peak that is not known at the most that it may be.
    pub fastest: OperatorRoofs,
}

const KINDS: [Factors; 4] =
    [Factors::Weights, Factors::Table, Factors::Activations, Factors::Cache];

impl TargetRoofs {
    /// The roofs of `target` for products in `formats`.
    pub fn new(
        target: &Target,
        formats: &OperatorFormats,
        given: &RoofOverrides,
    ) -> Result<Self, RoofError> {
        let line = |what: &str| format!("--{what} on the command line");
        if let (Target::Processor(processor), Some(_)) = (target, given.clock) {
            return Err(RoofError::ClockOfProcessor(processor.title.clone()));
        }
        if let (Target::Card(card), Some(clock)) = (target, given.clock)
            && let Some(fastest) = card.exceeded_clock(clock)
        {
            let (card, most) = (card.title.clone(), fastest.value);
            return Err(RoofError::ClockTooFast { card, most });
        }
        let driver_keeps = match target {
            Target::Processor(processor) => processor.memory.driver_keeps.clone(),
            Target::Card(_) => None,
        };
        let (memory, capacity, reached) = match target {
            Target::Processor(processor) => {
                let memory = &processor.memory;
                (&memory.title, memory.capacity.clone(), None)
            }
            Target::Card(card) => {
                let memory = &card.memory;
                let capacity = memory.capacity().map(|bytes| {
                    Figure::new(bytes, Provenance::Derived, "channels x bytes of one")
                });
                let reached = memory.achievable();
                (&memory.title, capacity, reached)
            }
        };
        let bandwidth = match given.bandwidth {
            Some(own) => Figure::new(own, Provenance::Assumed, line("bandwidth")),
            None => target.bandwidth(),
        };
        let reached_bandwidth = match given.memory_efficiency {
            Some(share) => Some(Figure::new(
                bandwidth.value * share,
                Provenance::Assumed,
                format!("{share} of the bandwidth: {}", line("memory-efficiency")),
            )),
            None => reached.filter(|_| given.bandwidth.is_none()),
        };
        let unknown = OperatorRoofs {
            weights: None,
            table: None,
            activations: None,
            cache: None,
            bandwidth: bandwidth.value,
        };
        let mut ground = Self {
            roofs: unknown,
            slowest: unknown,
            fastest: unknown,
            bandwidth,
            capacity,
            driver_keeps,
            memory: memory.clone(),
            on_chip: match target {
                Target::Processor(processor) => processor.last_level_cache.clone(),
                Target::Card(card) => card.on_chip_bytes(),
            },
            peaks: Vec::new(),
            reached_bandwidth,
            compute_efficiency: given
                .compute_efficiency
                .map(|share| Figure::new(share, Provenance::Assumed, line("compute-efficiency"))),
        };
        for factors in KINDS {
            let Some(arithmetic) = formats.arithmetic(factors) else { continue };
            let peak = match given.peak.of(arithmetic) {
                Some(own) => Ok(Figure::new(own, Provenance::Assumed, line("peak"))),
                None => find_peak(target, formats, arithmetic, given),
            };
            let known = peak.as_ref().ok().map(|peak| peak.value);
            let range = match known {
                Some(_) => None,
                None => target.peak_range(arithmetic, clock_of(given).as_ref()),
            };
            *ground.roofs.of(factors) = known;
            *ground.slowest.of(factors) = known.or(range.as_ref().map(|range| range.low.0));
            let high = range.as_ref().and_then(|range| range.high);
            *ground.fastest.of(factors) = known.or(high.map(|high| high.0));
            if !ground.peaks.iter().any(|known| known.arithmetic == arithmetic) {
                let wider = Some(target.computed_as(arithmetic));
                let computed_as =
                    wider.filter(|w| *w != arithmetic && given.peak.of(arithmetic).is_none());
                ground.peaks.push(ArithmeticRoof { arithmetic, computed_as, peak, range });
            }
        }
        Ok(ground)
    }

    /// What a program can have of the memory: what it holds, less what the driver keeps as far as that is known.
    pub fn usable_capacity(&self) -> Option<Bytes> {
        let kept = self.driver_keeps.as_ref().map_or(0.0, |kept| kept.value.0);
        self.capacity.as_ref().map(|capacity| Bytes((capacity.value.0 - kept).max(0.0)))
    }

    /// The arithmetic that products in that one run in.
    pub fn computed_as(&self, arithmetic: Precision) -> Precision {
        let roof = self.peaks.iter().find(|roof| roof.arithmetic == arithmetic);
        roof.and_then(|roof| roof.computed_as).unwrap_or(arithmetic)
    }

    /// Why the peaks of these arithmetics are not known, each reason once.
    pub fn why_unknown(&self, arithmetics: impl Iterator<Item = Precision>) -> Option<String> {
        let mut reasons: Vec<&str> = Vec::new();
        for arithmetic in arithmetics {
            let roof = self.peaks.iter().find(|roof| roof.arithmetic == arithmetic);
            if let Some(why) = roof.and_then(|roof| roof.peak.as_ref().err())
                && !reasons.contains(&&**why)
            {
                reasons.push(why);
            }
        }
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    /// What has to hold of the peaks of these arithmetics that are not known, as the end of a sentence; `None` where all are
    /// known, or one has no range.
    pub fn find_condition(&self, arithmetics: impl Iterator<Item = Precision>) -> Option<String> {
        let mut conditions: Vec<String> = Vec::new();
        for arithmetic in arithmetics {
            let roof = self.peaks.iter().find(|roof| roof.arithmetic == arithmetic)?;
            if roof.peak.is_ok() {
                continue;
            }
            let condition = roof.range.as_ref()?.condition();
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        (!conditions.is_empty()).then(|| conditions.join(", and "))
    }

    /// The roofs lowered to what is known to be reached; `None` where no efficiency is known.
    pub fn reached_roofs(&self) -> Option<OperatorRoofs> {
        if self.reached_bandwidth.is_none() && self.compute_efficiency.is_none() {
            return None;
        }
        let share = self.compute_efficiency.as_ref().map_or(1.0, |share| share.value);
        let lower = |peak: Option<OpsPerSecond>| peak.map(|peak| peak * share);
        let OperatorRoofs { weights, table, activations, cache, bandwidth } = self.roofs;
        Some(OperatorRoofs {
            weights: lower(weights),
            table: lower(table),
            activations: lower(activations),
            cache: lower(cache),
            bandwidth: self.reached_bandwidth.as_ref().map_or(bandwidth, |reached| reached.value),
        })
    }
}

/// The peak of `arithmetic`, with the sums that the mixture names where it names them for that arithmetic.
fn find_peak(
    target: &Target,
    formats: &OperatorFormats,
    arithmetic: Precision,
    given: &RoofOverrides,
) -> Result<Figure<OpsPerSecond>, Reason> {
    let mixture = &formats.mixture;
    let sums = (arithmetic == mixture.arithmetic()).then_some(mixture.accumulate);
    target.peak(arithmetic, sums, clock_of(given).as_ref())
}

fn clock_of(given: &RoofOverrides) -> Option<Figure<Hertz>> {
    let source = "--clock on the command line";
    given.clock.map(|clock| Figure::new(clock, Provenance::Assumed, source))
}
