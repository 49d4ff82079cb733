//! A measured run held against the roofline.

use super::{Floor, Generation};
use derate_units::{BytesPerSecond, OpsPerSecond, Seconds};
use derate_workload::operator::OperationTotals;

/// What a run of that time achieved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AchievedRates {
    /// From the prompt to the last token, as measured.
    pub seconds: Seconds,
    /// Tokens of all sequences that were generated, by that time.
    pub tokens_per_second: f64,
    /// Bytes of all operands and results, by that time.
    pub bandwidth: BytesPerSecond,
    /// Operations of products, by that time.
    pub rate: OpsPerSecond,
    /// The roofline's time over the measured one: 1 is the roof. `None` where a peak is not known.
    pub of_roofline: Option<f64>,
    /// What no run goes below.
    pub floor: Floor,
    /// Whether the run was faster than that: then a figure is wrong.
    pub impossible: bool,
}

impl AchievedRates {
    /// `totals` of `generation`, done in `seconds`.
    pub fn new(
        generation: &Generation,
        totals: &OperationTotals,
        floor: Floor,
        seconds: Seconds,
    ) -> Self {
        Self {
            seconds,
            tokens_per_second: generation.batch as f64 * generation.generate as f64 / seconds.0,
            bandwidth: totals.bytes / seconds,
            rate: totals.flops / seconds,
            of_roofline: totals.known_seconds().map(|roofline| roofline / seconds),
            floor,
            impossible: seconds < floor.seconds(),
        }
    }
}
