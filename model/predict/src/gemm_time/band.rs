use serde::{Deserialize, Serialize};

use super::GemmTiming;
use super::constants::four_digits;
use derate_units::Seconds;

/// How far modelled times were from timings that the constants had not seen; shares of the timing.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorBand {
    /// How many timings.
    pub rows: usize,
    /// The mean.
    pub mean: f64,
    /// Half of them were nearer.
    pub half: f64,
    /// Nine in ten were nearer.
    pub nine_tenths: f64,
}

impl ErrorBand {
    /// Of errors as shares; `None` where there are none.
    pub fn of(mut errors: Vec<f64>) -> Option<Self> {
        errors.sort_by(f64::total_cmp);
        let rows = errors.len();
        // The nearest rank.
        let rank = |tenths: usize| errors.get((rows * tenths).div_ceil(10).max(1) - 1).copied();
        Some(Self {
            rows,
            half: four_digits(rank(5)?),
            nine_tenths: four_digits(rank(9)?),
            mean: four_digits(errors.iter().sum::<f64>() / rows as f64),
        })
    }
}

/// The errors of one model on the timings that it has not seen: each of the two halves is given the model of the other.
pub fn left_out<M>(
    halves: &[Vec<GemmTiming>; 2],
    models: &[M; 2],
    time: impl Fn(&M, &GemmTiming) -> Seconds,
) -> Vec<f64> {
    let [first, second] = halves;
    let [of_first, of_second] = models;
    let errors = |timings: &[GemmTiming], model: &M| -> Vec<f64> {
        timings.iter().map(|timing| (time(model, timing) / timing.time - 1.0).abs()).collect()
    };
    let mut all = errors(second, of_first);
    all.extend(errors(first, of_second));
    all
}
