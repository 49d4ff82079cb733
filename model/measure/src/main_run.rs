//! The run that a measurement is judged by.

use derate_units::Bytes;

use super::{Measurement, Run};

/// The run that moves most bytes.
pub(super) fn main_run(measurement: &Measurement) -> Option<&Run> {
    let bytes = |run: &Run| run.bytes().unwrap_or(Bytes(0.0)).0;
    measurement.runs.iter().max_by(|a, b| bytes(a).total_cmp(&bytes(b)))
}

/// The share of its bytes that a run reads.
pub(super) fn read_share(run: &Run) -> Option<f64> {
    let share = run.bytes_read? / run.bytes()?;
    share.is_finite().then_some(share)
}
