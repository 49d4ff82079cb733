use serde::Serialize;

use super::ErrorBand;

/// How far predictions are from measurements, as shares of what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Errors {
    /// How many runs.
    pub runs: usize,
    /// Half of them are nearer (the nearest rank).
    pub median: f64,
    /// Nine in ten are.
    pub p90: f64,
    /// The mean.
    pub mean: f64,
}

impl Errors {
    /// Of sizes of errors; `None` where there are none.
    pub(super) fn of(errors: impl Iterator<Item = f64>) -> Option<Self> {
        let ErrorBand { rows, mean, half, nine_tenths } = ErrorBand::of(errors.collect())?;
        Some(Self { runs: rows, median: half, p90: nine_tenths, mean })
    }
}
