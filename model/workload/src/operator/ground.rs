//! Where a workload runs: the roofs of a card or a processor, each with its source.

use super::{Factors, OperatorFormats, OperatorRoofs};
use derate_machine::Target;
use derate_source::Reason;
use derate_units::figures::quantity;
use derate_units::{Bytes, BytesPerSecond, Figure, Hertz, OpsPerSecond, Precision, Provenance};

/// Figures that replace a target's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoofOverrides {
    /// Of external memory.
    pub bandwidth: Option<BytesPerSecond>,
    /// Of every arithmetic.
    pub peak: Option<OpsPerSecond>,
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
        let mut ground = Self {
            roofs: OperatorRoofs {
                weights: None,
                table: None,
                activations: None,
                cache: None,
                bandwidth: bandwidth.value,
            },
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
            let peak = match given.peak {
                Some(own) => Ok(Figure::new(own, Provenance::Assumed, line("peak"))),
                None => find_peak(target, formats, arithmetic, given),
            };
            *ground.roofs.of(factors) = peak.as_ref().ok().map(|peak| peak.value);
            if !ground.peaks.iter().any(|known| known.arithmetic == arithmetic) {
                let wider = Some(target.computed_as(arithmetic));
                let computed_as =
                    wider.filter(|wider| *wider != arithmetic && given.peak.is_none());
                ground.peaks.push(ArithmeticRoof { arithmetic, computed_as, peak });
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
    let clock = given
        .clock
        .map(|clock| Figure::new(clock, Provenance::Assumed, "--clock on the command line"));
    target.peak(arithmetic, sums, clock.as_ref())
}
