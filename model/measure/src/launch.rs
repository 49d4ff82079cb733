//! Whether there was time for the kernel calls that are counted.

use super::{Measurement, Run};
use derate_machine::Platform;
use derate_units::Seconds;
use derate_units::figures::{grouped, quantity};

/// A kernel call is several accesses over the host's bus, and none of them was seen to take less.
const LEAST: Seconds = Seconds(100e-9);

/// The shortest that calls through XRT were published to be apart, with 10,000 of an empty kernel in flight: one after
/// another each takes longer.
pub const FASTEST_CALL: Seconds = Seconds(1.0 / 359_184.0);
const WHO: &str =
    "359,184 calls a second of an empty kernel, iops_test_xrt of Vitis_Accel_Examples on a U250";

/// The time that each call has at most, where the host made some.
fn time_per_call(run: &Run) -> Option<(f64, Seconds, Seconds)> {
    let (launches, (fastest, _)) = (run.launches.filter(|&n| n > 0)?, run.extremes()?);
    Some((launches as f64, fastest, fastest * (1.0 / launches as f64)))
}

/// More kernel calls, one after another, than the time has room for.
pub(super) fn check_launches(run: &Run) -> Option<String> {
    let (launches, fastest, each) = time_per_call(run)?;
    (each < LEAST).then(|| {
        format!(
            "{} kernel calls one after another in {} are one every {}, and none takes less than {}. `launches` counts calls \
             that run side by side once; it is 0 where the card took the time.",
            grouped(launches),
            quantity(fastest),
            quantity(each),
            quantity(LEAST)
        )
    })
}

/// Calls that follow one another faster than any that were published: those of a machine without XRT are other calls.
pub(super) fn check_call_time(measurement: &Measurement, run: &Run) -> Option<String> {
    if measurement.device.kind.is_machine() {
        return None;
    }
    let (launches, fastest, each) = time_per_call(run)?;
    (each < FASTEST_CALL).then(|| {
        format!(
            "`launches` and `seconds` leave {} for each of {} kernel calls one after another (the fastest repetition is {}), and \
             calls through XRT were not seen to take less than {} ({WHO}). Move more bytes per call; `launches` counts calls \
             that run side by side once, and is 0 where the card took the time.",
            quantity(each),
            grouped(launches),
            quantity(fastest),
            quantity(FASTEST_CALL)
        )
    })
}

/// Calls that follow one another faster than a program on the card was seen to make them: possible, and worth a look.
pub(super) fn note_call_time(run: &Run, platform: &Platform) -> Option<String> {
    let (launches, _, each) = time_per_call(run)?;
    let usual = &platform.kernel.launch;
    (launches > 1.0 && each < usual.value).then(|| {
        format!(
            "`launches` is {}: one call every {}, and {} is what one was seen to take ({}). Where calls ran side by side, count \
             them once.",
            grouped(launches),
            quantity(each),
            quantity(usual.value),
            usual.source
        )
    })
}
