//! Repetitions that none went before.

use super::{BAR, BandwidthClaim, Run, VerdictReason};
use derate_units::BytesPerSecond;
use derate_units::figures::quantity;

/// The bandwidth without the first repetition, where nothing went before it.
fn warm_bandwidth(run: &Run) -> Option<BytesPerSecond> {
    let (_, rest) = run.seconds.split_first().filter(|_| run.warm_up == Some(0))?;
    Run { seconds: rest.to_vec(), ..run.clone() }.bandwidth()
}

/// A verdict that the first repetition decides: it also pays for what the later ones find done.
pub(super) fn check_warm_up(run: &Run, claim: &BandwidthClaim) -> Option<VerdictReason> {
    let (all, warm) = (run.bandwidth()?, warm_bandwidth(run)?);
    let holds = |rate: BytesPerSecond| rate.0 >= BAR * claim.value.0;
    (holds(all) != holds(warm)).then(|| {
        VerdictReason::new(
            "warm-up",
            format!(
                "`warm_up` is 0, and the first repetition decides: with it the median is {}, without it {}, on the two sides of \
                 the {} that are required. Measure again with at least one repetition before.",
                quantity(all),
                quantity(warm),
                quantity(claim.value * BAR)
            ),
        )
    })
}

/// What to know where it decides nothing.
pub(super) fn note_warm_up(run: &Run) -> Option<String> {
    let (all, warm) = (run.bandwidth()?, warm_bandwidth(run)?);
    Some(format!(
        "`warm_up` is 0: a first call is slower, as it also sets up what the later ones find there. Without it the median would \
         give {}, not {}, which changes no verdict.",
        quantity(warm),
        quantity(all)
    ))
}
