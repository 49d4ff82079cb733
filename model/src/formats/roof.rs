//! The roof of a format on a target.

use crate::units::{BytesPerSecond, OpsPerSecond};
use crate::{Figure, Mixture, Precision, Target};

/// What the target's main memory carries at most: printed of a processor, what its ports and channels carry of a card.
pub(super) fn bandwidth(target: &Target) -> Figure<BytesPerSecond> {
    match target {
        Target::Card(card) => card.memory.physical_peak(),
        Target::Processor(processor) => processor.memory.bandwidth.clone(),
    }
}

/// The peak of the arithmetic that a mixture runs in, and the precision of its sums where that is the target's own; else
/// why it is unknown.
pub(super) fn peak(
    target: &Target,
    mixture: &Mixture,
) -> Result<(Figure<OpsPerSecond>, Precision), String> {
    let arithmetic = mixture.arithmetic();
    match target {
        Target::Card(card) => {
            let peak = card.peak(arithmetic, &card.clock).ok_or_else(|| {
                format!("{} has no operators for {arithmetic} in its file", card.title)
            })?;
            Ok((peak.rate, mixture.accumulate))
        }
        Target::Processor(processor) => {
            let peak = processor.peak_summing(arithmetic, mixture.accumulate)?;
            Ok((peak.rate.clone(), peak.accumulate))
        }
    }
}
