use super::ComparedRun;
use derate_measure::KernelKind;

/// What runs have to share to be of one efficiency. Its order is that of the groups.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub(super) struct GroupKey {
    pub(super) kind: KernelKind,
    pub(super) precision: String,
    pub(super) arithmetic: Option<String>,
    pub(super) accumulate: Option<String>,
    pub(super) device: String,
    pub(super) threads: Option<u64>,
    /// Of the peak, which a card's clock decides; above zero, so that bits are in the order of the numbers.
    peak: u64,
}

impl GroupKey {
    pub(super) fn of(case: &ComparedRun) -> Self {
        Self {
            kind: case.kind,
            precision: case.precision.clone(),
            arithmetic: case.arithmetic.clone(),
            accumulate: case.accumulate.clone(),
            device: case.device.clone(),
            threads: case.threads,
            peak: case.peak.0.to_bits(),
        }
    }
}
