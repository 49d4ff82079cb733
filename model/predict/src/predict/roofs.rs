//! The figures behind every time.

use serde::{Serialize, Serializer};

use derate_machine::PeakRange;
use derate_source::Reason;
use derate_units::RateFigure;
use derate_units::{
    Bytes, BytesPerSecond, Figure, OpsPerByte, OpsPerSecond, Precision, Provenance,
};
use derate_workload::operator::{ArithmeticRoof, TargetRoofs};

/// Bandwidth, peaks and what is known to be reached of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoofFigures {
    /// The external memory.
    pub memory: String,
    /// What its pins carry.
    pub bandwidth: Figure<BytesPerSecond>,
    /// What sequential streams reach; `null` where that is not known.
    pub reached_bandwidth: Option<Figure<BytesPerSecond>>,
    /// The share of the peaks that runs reach; `null` where that is not known.
    pub compute_efficiency: Option<Figure<f64>>,
    /// What it holds.
    pub capacity: Option<Figure<Bytes>>,
    /// What the driver keeps of that; `null` where that is not known.
    pub driver_keeps: Option<Figure<Bytes>>,
    /// The arithmetics that the workload needs.
    pub peaks: Vec<RoofPeak>,
}

/// The peak of one arithmetic, or why there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct RoofPeak {
    /// Which.
    pub arithmetic: Precision,
    /// What its elements are widened to, whose peak this is; `null` where it runs as it is.
    pub computed_as: Option<Precision>,
    /// The rate, or why it is not known.
    pub rate: Result<Figure<OpsPerSecond>, Reason>,
    /// Peak over bandwidth.
    pub ridge: Option<OpsPerByte>,
    /// What it may be where it is not known.
    pub range: Option<PeakRange>,
}

impl RoofFigures {
    /// What is predicted under these roofs.
    pub fn of(ground: &TargetRoofs) -> Self {
        let peaks =
            ground.peaks.iter().map(|ArithmeticRoof { arithmetic, computed_as, peak, range }| {
                RoofPeak {
                    arithmetic: *arithmetic,
                    computed_as: *computed_as,
                    rate: peak.clone(),
                    ridge: peak.as_ref().ok().map(|peak| peak.value / ground.bandwidth.value),
                    range: range.clone(),
                }
            });
        Self {
            memory: ground.memory.clone(),
            bandwidth: ground.bandwidth.clone(),
            reached_bandwidth: ground.reached_bandwidth.clone(),
            compute_efficiency: ground.compute_efficiency.clone(),
            capacity: ground.capacity.clone(),
            driver_keeps: ground.driver_keeps.clone(),
            peaks: peaks.collect(),
        }
    }

    /// How well the times are known: as the least known of these.
    pub fn provenance(&self) -> Provenance {
        let rates = self.peaks.iter().filter_map(|peak| peak.rate.as_ref().ok());
        Provenance::of_inputs(rates.map(|rate| rate.provenance).chain([self.bandwidth.provenance]))
    }
}

/// A range as the JSON has it.
#[derive(Serialize)]
struct RangeJson {
    from: OpsPerSecond,
    to: Option<OpsPerSecond>,
    condition: String,
}

impl Serialize for RoofPeak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Fields<'a> {
            arithmetic: Precision,
            computed_as: Option<Precision>,
            rate: Option<RateFigure<'a>>,
            ridge: Option<OpsPerByte>,
            unknown: Option<&'a str>,
            range: Option<RangeJson>,
        }
        Fields {
            arithmetic: self.arithmetic,
            computed_as: self.computed_as,
            rate: self.rate.as_ref().ok().map(|rate| RateFigure::of(rate, self.arithmetic)),
            ridge: self.ridge,
            unknown: self.rate.as_ref().err().map(|why| &**why),
            range: self.range.as_ref().map(|range| RangeJson {
                from: range.low.0,
                to: range.high.map(|(high, _)| high),
                condition: range.condition(),
            }),
        }
        .serialize(serializer)
    }
}
