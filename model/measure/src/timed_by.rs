use serde::{Deserialize, Serialize};

use super::{Measurement, Run, VerdictReason};

/// What took the times of a file.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TimedBy {
    /// A clock of the host.
    HostClock,
    /// A counter on the device.
    DeviceCounter,
    /// A simulation of the device.
    Simulation,
    /// A formula, a data sheet or an estimate: no clock.
    Model,
}

/// A file that does not say where its times are from, or that says in `timed_by` that no clock took them.
pub(super) fn check_source(measurement: &Measurement) -> Option<VerdictReason> {
    let no_clock = match measurement.timed_by {
        Some(TimedBy::Simulation) => Some("a simulation"),
        Some(TimedBy::Model) => Some("a model"),
        Some(TimedBy::HostClock | TimedBy::DeviceCounter) | None => None,
    };
    let sentence = match no_clock {
        Some(what) => format!(
            "`timed_by` says that {what} gave the times, and `device.kind` and `provenance` say that {} was measured. Change \
             `device.kind` and `provenance`, or give the clock that took the times.",
            measurement.device.kind.as_str()
        ),
        None if measurement.source.trim().is_empty() => {
            "`source` is empty: say which clock took the times, where and when.".to_owned()
        }
        None => return None,
    };
    Some(VerdictReason::new("source", sentence))
}

/// A check that passed and does not say what was compared.
pub(super) fn check_method(run: &Run) -> Option<VerdictReason> {
    let check = run.check.as_ref().filter(|check| check.passed && check.method.trim().is_empty());
    check.map(|_| {
        VerdictReason::new(
            "check",
            "`check` passed, and its `method` is empty. Say in `method` what was compared with what, or leave `check` out.",
        )
    })
}
