//! What holds of a time whose peak is not known, if the peak is in the range that the platform's other arithmetic gives.

use serde::Serialize;

use derate_units::{Bound, OpsPerSecond, Seconds};
use derate_workload::operator::OperationTotals;

/// Time and bound under a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConditionalTime {
    /// What has to hold, as the end of a sentence that begins with `if`.
    pub condition: String,
    /// The roof that holds most of the time over all of the range; `null` where that differs.
    pub bound: Option<Bound>,
    /// The time at the highest peak of the range; where it has no end, that of the bytes.
    pub seconds_from: Seconds,
    /// The time at its lowest peak.
    pub seconds_to: Seconds,
    /// The memory's roof is the lower one above this peak. Of a part with one arithmetic.
    pub memory_bound_above: Option<OpsPerSecond>,
}

impl ConditionalTime {
    /// From the sums at the lowest and at the highest peaks; `None` where a peak has no range.
    pub(super) fn of(
        condition: Option<String>,
        slowest: &OperationTotals,
        fastest: &OperationTotals,
        memory_bound_above: Option<OpsPerSecond>,
    ) -> Option<Self> {
        let bound = match (slowest.bound()?, fastest.bound()) {
            (Bound::Memory, _) => Some(Bound::Memory),
            (Bound::Compute, Some(Bound::Compute)) => Some(Bound::Compute),
            _ => None,
        };
        Some(Self {
            condition: condition?,
            bound,
            seconds_from: fastest.seconds,
            seconds_to: slowest.seconds,
            memory_bound_above,
        })
    }
}
