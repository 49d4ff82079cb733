use super::{BandwidthClaim, VerdictReason};
use derate_units::BytesPerSecond;
use derate_units::figures::quantity;

/// Below this share of a claim nobody would claim it: then something else is wrong.
const FAR: f64 = 0.01;

/// From this share of what the model gives a setup on, a rate is what the setup could give.
const NEAR: f64 = 0.3;

/// Times that are a thousand or a million times too long, by what the setup gives: they may be in another unit.
pub(super) fn check_time_unit(
    bandwidth: BytesPerSecond,
    claim: &BandwidthClaim,
    model: BytesPerSecond,
    peak: BytesPerSecond,
) -> Option<VerdictReason> {
    let near = |factor: f64| {
        let faster = bandwidth * factor;
        faster <= peak && faster.0 >= NEAR * model.0
    };
    let units = [(1e3, "milliseconds"), (1e6, "microseconds")];
    let (factor, unit) = units.into_iter().find(|(factor, _)| near(*factor))?;
    (bandwidth.0 < FAR * claim.value.0).then(|| {
        VerdictReason::new(
            "seconds",
            format!(
                "Were `seconds` {unit} it would be {}, as the setup could give, and as seconds it is {}. The field is in seconds: \
                 look whether these are.",
                quantity(bandwidth * factor),
                quantity(bandwidth)
            ),
        )
    })
}
