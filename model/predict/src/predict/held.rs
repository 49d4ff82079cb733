//! What was measured, counted or drawn, beside a prediction.

use serde::Serialize;

use super::Prediction;
use derate_measure::points::MeasuredPoint;
use derate_measure::profile::{CountedKernel, PowerLog};
use derate_units::{Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};

/// What is held against a prediction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeldFigures {
    /// The time of one run.
    pub seconds: Option<Seconds>,
    /// What a profiler counted.
    pub counted: Vec<CountedKernel>,
    /// What a monitor saw.
    pub power: Option<PowerLog>,
    /// Measured points for the picture.
    pub points: Vec<MeasuredPoint>,
}

/// A measured time of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredOperator {
    /// Of one run.
    pub seconds: Seconds,
    /// Operations of products, by that time.
    pub rate: OpsPerSecond,
    /// Bytes as they are modelled, by that time.
    pub bandwidth: BytesPerSecond,
    /// The roofline's time over the measured one; `null` where a peak is not known.
    pub of_roofline: Option<f64>,
    /// Predicted over measured, less one; `null` where a peak is not known.
    pub error: Option<f64>,
}

/// Bytes that a profiler counted beside those that are modelled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CountedOperator {
    /// The kernels, each with the means of its launches.
    pub kernels: Vec<CountedKernel>,
    /// One launch of each together; `null` where one has no bytes.
    pub bytes: Option<Bytes>,
    /// The same of times.
    pub seconds: Option<Seconds>,
    /// Counted over modelled bytes.
    pub of_modelled: Option<f64>,
    /// Operations over the counted bytes.
    pub oi: Option<OpsPerByte>,
}

/// Power beside a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnergyUse {
    /// What was seen.
    pub power: PowerLog,
    /// The time that it counts for: the measured one, else the counted one.
    pub seconds: Seconds,
    /// Mean power times that time.
    pub joules: f64,
    /// By operations of products.
    pub joules_per_operation: f64,
}

impl Prediction {
    /// Operations and bytes of all of it.
    pub fn work(&self) -> (Ops, Bytes) {
        if let Some(language) = &self.language {
            return (language.run.totals.flops, language.run.totals.bytes);
        }
        let phases = self.phases.iter().map(|phase| &phase.totals);
        let sum = phases.fold((0.0, 0.0), |(f, b), sums| (f + sums.flops.0, b + sums.bytes.0));
        (Ops(sum.0), Bytes(sum.1))
    }

    /// The time of all of it at the roofline; `None` where a peak is not known.
    pub fn roofline_seconds(&self) -> Option<Seconds> {
        if let Some(language) = &self.language {
            return language.run.totals.seconds;
        }
        self.phases
            .iter()
            .map(|phase| phase.totals.seconds.map(|time| time.0))
            .sum::<Option<f64>>()
            .map(Seconds)
    }

    /// Holds figures against it.
    pub fn hold_figures(&mut self, held: HeldFigures) {
        let (flops, bytes) = self.work();
        let roofline = self.roofline_seconds();
        if !held.counted.is_empty() {
            let sum = |of: &dyn Fn(&CountedKernel) -> Option<f64>| {
                held.counted.iter().map(of).sum::<Option<f64>>()
            };
            let counted = sum(&|kernel| kernel.bytes.map(|bytes| bytes.0));
            self.counted = Some(CountedOperator {
                bytes: counted.map(Bytes),
                seconds: sum(&|kernel| kernel.seconds.map(|time| time.0)).map(Seconds),
                of_modelled: counted.map(|counted| counted / bytes.0),
                oi: counted.map(|counted| flops / Bytes(counted)),
                kernels: held.counted,
            });
        }
        let counted = self.counted.as_ref().and_then(|counted| counted.seconds);
        let own = self.language.as_ref().and_then(|of| of.measured.as_ref()).map(|of| of.seconds);
        // A profiler's time is one, too.
        let seconds = held.seconds.or(own).or(counted);
        if self.language.is_none() {
            self.measured = seconds.map(|seconds| MeasuredOperator {
                seconds,
                rate: flops / seconds,
                bandwidth: bytes / seconds,
                of_roofline: roofline.map(|roofline| roofline / seconds),
                error: roofline.map(|roofline| roofline / seconds - 1.0),
            });
        }
        if let (Some(power), Some(seconds)) = (held.power, seconds) {
            let joules = power.mean.0 * seconds.0;
            self.energy =
                Some(EnergyUse { power, seconds, joules, joules_per_operation: joules / flops.0 });
        }
        self.points = held.points;
    }
}
