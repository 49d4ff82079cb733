use super::BAR;
use super::expected::ModelledBandwidth;
use derate_units::BytesPerSecond;
use derate_units::figures::{quantity, significant};

/// A rate that the pins could carry, and that nobody was seen to reach: possible, and worth a look.
pub(super) fn note_high_rate(
    bandwidth: BytesPerSecond,
    expected: &ModelledBandwidth,
) -> Option<String> {
    let most = expected.most.value;
    // The model is as close to what is published as a claim has to be reached.
    (bandwidth.0 * BAR > most.0).then(|| {
        format!(
            "It is {} % of the {} that the bandwidth model gives this setup by what is published: nothing that was published of it \
             is so fast. Look at the bytes that were counted and at the clock that took the time.",
            significant(100.0 * (bandwidth / most), 4),
            quantity(most)
        )
    })
}
