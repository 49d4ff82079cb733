//! What profilers and monitors of a device say: counted bytes, times, power.

mod ncu;
mod power;

pub use ncu::{CountedKernel, read_counters};
pub use power::{PowerLog, read_power};

use derate_source::FilePlace;

use crate::MeasurementError;

/// A refusal at a line.
fn refuse(origin: &str, line: usize, reason: impl Into<String>) -> MeasurementError {
    MeasurementError { place: FilePlace::at_line(origin, line), reason: reason.into() }
}

/// A number as these tools write it: `1,234.5`, `33.7`; `None` for `N/A`, `[N/A]` and the like.
fn parse_number(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().filter(|c| *c != ',').collect();
    plain.parse::<f64>().ok().filter(|value| value.is_finite() && *value >= 0.0)
}
