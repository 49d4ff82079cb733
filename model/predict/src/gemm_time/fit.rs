use super::nelder_mead::find_minimum;
use super::parts::PreparedGemm;
use super::{GemmConstants, GpuFigures, TimingConditions};
use derate_units::Seconds;
use derate_workload::Matmul;

/// How long a product took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GemmTiming {
    /// What was computed.
    pub product: Matmul,
    /// The whole call.
    pub time: Seconds,
}

/// How much a constant that leaves what is expected of it weighs against timings that are missed.
const RIDGE: f64 = 0.002;

/// The smallest tile: whole numbers, of which each is tried.
#[derive(Clone, Copy, Debug)]
struct LeastTile {
    rows: u32,
    columns: u32,
}

impl LeastTile {
    fn of(self, point: &[f64]) -> GemmConstants {
        let Self { rows: least_rows, columns: least_columns } = self;
        GemmConstants { least_rows, least_columns, ..GemmConstants::from_point(point) }
    }
}

/// What a fit makes least: the mean of `|ln(model / timing)|`, and a small weight that keeps constants which the timings do not
/// tell near what is expected of them.
#[derive(Debug)]
struct FitObjective {
    prepared: Vec<(PreparedGemm, f64)>,
    quantised: bool,
    expected: Vec<f64>,
}

impl FitObjective {
    fn new(timings: &[GemmTiming], machine: &GpuFigures, conditions: &TimingConditions) -> Self {
        let prepare = |timing: &GemmTiming| {
            (PreparedGemm::new(timing.product, conditions, machine), timing.time.0)
        };
        let quantised = conditions.quantised;
        let expected = GemmConstants::expected(quantised).to_point(quantised);
        Self { prepared: timings.iter().map(prepare).collect(), quantised, expected }
    }

    fn at(&self, point: &[f64], least: LeastTile) -> f64 {
        let constants = least.of(point);
        let off = |(prepared, time): &(PreparedGemm, f64)| {
            (prepared.best_time(&constants).total.0 / time).ln().abs()
        };
        let sum: f64 = self.prepared.iter().map(off).sum();
        let away: f64 = point.iter().zip(&self.expected).map(|(x, e)| (x - e) * (x - e)).sum();
        sum / self.prepared.len().max(1) as f64 + RIDGE * away / point.len().max(1) as f64
    }
}

/// What [`fit_constants`] makes least, at some constants.
pub fn fit_error(
    timings: &[GemmTiming],
    machine: &GpuFigures,
    conditions: &TimingConditions,
    constants: &GemmConstants,
) -> f64 {
    let objective = FitObjective::new(timings, machine, conditions);
    let least = LeastTile { rows: constants.least_rows, columns: constants.least_columns };
    objective.at(&constants.to_point(objective.quantised), least)
}

/// The constants with which the model comes nearest to the timings, to four digits. `calls` bounds the work: three searches ask so
/// often for all times, and 27 before them a third as often.
pub fn fit_constants(
    timings: &[GemmTiming],
    machine: &GpuFigures,
    conditions: &TimingConditions,
    calls: usize,
) -> GemmConstants {
    let objective = FitObjective::new(timings, machine, conditions);
    let expected = GemmConstants::expected(conditions.quantised);
    let mut best = (objective.expected.clone(), f64::INFINITY, LeastTile { rows: 16, columns: 32 });
    // Libraries share contractions out or do not, results stay in the cache or do not, and tiles are small or are not.
    for rows in [16, 64, 128] {
        for columns in [32, 64, 128] {
            let tile = LeastTile { rows, columns };
            for (split, result_share) in [(1.5, 0.05), (60.0, 0.05), (1.5, 0.6)] {
                let start = GemmConstants { result_share, split, ..expected };
                let point = start.to_point(objective.quantised);
                let found = find_minimum(&mut |x| objective.at(x, tile), &point, 0.5, calls / 3);
                if found.1 < best.1 {
                    best = (found.0, found.1, tile);
                }
            }
        }
    }
    let (mut point, _, tile) = best;
    // A simplex that has collapsed is opened again.
    for spread in [0.5, 0.3, -0.2] {
        point = find_minimum(&mut |x| objective.at(x, tile), &point, spread, calls).0;
    }
    tile.of(&point).rounded()
}
