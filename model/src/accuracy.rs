//! Predicted against measured: what the roofline of a platform says of runs, how far off it is, and how far it would be with
//! efficiencies that are fitted on half of the shapes and tried on the other half.
//!
//! The time of an operation is `max(flops / (compute x peak), bytes / (memory x bandwidth))`, of a run the sum of its
//! operations and `launch`. Where the operands of a run fit the last-level cache, `cached` may stand for `memory`. The
//! prediction has all shares at 1 and no launch; the fit never changes it, nor the platform.

mod case;
mod efficiency;
mod errors;
mod fit;
mod split;

use std::collections::BTreeMap;

use serde::Serialize;

pub use efficiency::Efficiency;
pub use errors::Errors;
pub use split::Half;

use crate::gemm_time::Band;
use crate::measurement::{Kind, Measurement, Times};
use crate::predict::PlatformName;
use crate::units::{Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Seconds};
use crate::{Bound, Provenance, Target};
use case::Case;
use split::Key;

/// The JSON contract `derate.comparison/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// `derate.comparison/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// What the predictions are for.
    pub platform: PlatformName,
    /// The bandwidth that they stand on.
    pub bandwidth: BytesPerSecond,
    /// Of each kind and precision.
    pub groups: Vec<Group>,
    /// Of all of them.
    pub whole: Halves,
    /// Every run that can be predicted.
    pub points: Vec<Point>,
    /// Runs that cannot, and why.
    pub left_out: Vec<LeftOut>,
    /// What to know when reading it.
    pub notes: Vec<String>,
}

/// The runs of one kind in one precision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Which operator.
    pub kind: Kind,
    /// What operands are stored in.
    pub precision: String,
    /// What was multiplied.
    pub arithmetic: String,
    /// The peak that the predictions stand on.
    pub peak: OpsPerSecond,
    /// What the fit found; `null` where there are too few shapes.
    pub efficiency: Option<Efficiency>,
    /// The errors.
    pub errors: Halves,
}

/// Errors of the roofline and of the fit, on the shapes that the fit saw and on the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Halves {
    /// Of the roofline, on all shapes.
    pub roofline: Option<Errors>,
    /// Of the roofline, on the shapes that the fit saw.
    pub fitted_before: Option<Errors>,
    /// Of the fit, on those.
    pub fitted_after: Option<Errors>,
    /// Of the roofline, on the other shapes.
    pub tested_before: Option<Errors>,
    /// Of the fit, on those.
    pub tested_after: Option<Errors>,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The file that it is from.
    pub file: String,
    /// Which operator.
    pub kind: Kind,
    /// Its extents.
    pub shape: String,
    /// What operands are stored in.
    pub precision: String,
    /// What was multiplied.
    pub arithmetic: String,
    /// Operations.
    pub flops: Ops,
    /// Bytes of its operands, each once.
    pub bytes: Bytes,
    /// Operational intensity.
    pub oi: OpsPerByte,
    /// The roof that holds it.
    pub bound: Bound,
    /// At the roofline.
    pub predicted_seconds: Seconds,
    /// The median of its repetitions.
    pub measured_seconds: Seconds,
    /// Its repetitions.
    pub times: Times,
    /// `predicted / measured - 1`: negative where it took longer than the roofline says.
    pub error: f64,
    /// Whether the fit saw it; `null` where there is no fit.
    pub half: Option<Half>,
    /// With the fitted efficiencies.
    pub fitted_seconds: Option<Seconds>,
    /// `fitted / measured - 1`.
    pub fitted_error: Option<f64>,
}

/// A run that was not predicted.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LeftOut {
    /// The file.
    pub file: String,
    /// Which of its runs, from 0.
    pub run: usize,
    /// Why, in a sentence.
    pub reason: String,
}

/// Distinct shapes of a kind and precision from which on there is a fit: two on either side.
const FEWEST: usize = 4;

impl Accuracy {
    /// What [`Accuracy::schema`] says.
    pub const SCHEMA: &'static str = "derate.comparison/1";

    /// Holds the runs of files, each with its name, against the roofline of `target`. The error is one sentence.
    pub fn of(
        files: &[(String, Measurement)],
        target: &Target,
        command: String,
    ) -> Result<Self, String> {
        let (mut cases, mut left_out) = (Vec::new(), Vec::new());
        for (name, measurement) in files {
            can_be_compared(name, measurement)?;
            for (at, run) in measurement.runs.iter().enumerate() {
                match Case::of(name, measurement, run, target) {
                    Ok(case) => cases.push(case),
                    Err(reason) => {
                        left_out.push(LeftOut { file: name.clone(), run: at, reason });
                    }
                }
            }
        }
        if cases.is_empty() {
            let why = left_out.first().map_or_else(String::new, |one| {
                format!(": {}, runs[{}]: {}", one.file, one.run, one.reason)
            });
            return Err(format!("no run can be compared with {}{why}", target.name()));
        }
        let mut of_group: BTreeMap<(Kind, String), Vec<Case>> = BTreeMap::new();
        for case in cases {
            of_group.entry((case.kind, case.precision.clone())).or_default().push(case);
        }
        let mut notes = notes(files, target);
        let (mut groups, mut points) = (Vec::new(), Vec::new());
        for ((kind, precision), cases) in of_group {
            let (group, own) = group(kind, precision, cases);
            if group.efficiency.is_none() {
                notes.push(format!(
                    "{kind} in {}: fewer than {FEWEST} shapes, so no efficiency is fitted.",
                    group.precision
                ));
            }
            groups.push(group);
            points.extend(own);
        }
        notes.extend(above_the_roof(&groups));
        let bandwidth = match target {
            Target::Processor(processor) => processor.memory.bandwidth.value,
            Target::Card(card) => card.memory.physical_peak().value,
        };
        Ok(Self {
            schema: Self::SCHEMA,
            command,
            platform: PlatformName::of(target),
            bandwidth,
            whole: Halves::of(&points),
            groups,
            points,
            left_out,
            notes,
        })
    }
}

/// Only times of hardware are compared; the error is a sentence.
fn can_be_compared(name: &str, measurement: &Measurement) -> Result<(), String> {
    if !matches!(measurement.provenance, Provenance::Measured | Provenance::Published) {
        return Err(format!(
            "{name}: its times are {}, so that one model would be held against another: give times that were measured",
            measurement.provenance.to_string().to_lowercase()
        ));
    }
    if measurement.kernel.operator().is_none() {
        return Err(format!(
            "{name}: its kernel is {}, which names no operator: compare takes gemv, gemm, attention and mlp, and `derate \
             validate` holds a bandwidth against a claim",
            measurement.kernel
        ));
    }
    Ok(())
}

/// The points of a group, split, fitted on one half and tried on the other.
fn group(kind: Kind, precision: String, cases: Vec<Case>) -> (Group, Vec<Point>) {
    let halves = split::halves(cases.iter().map(|case| &case.key));
    let side = |case: &Case| halves.get(&case.key).copied();
    let efficiency = (halves.len() >= FEWEST).then(|| {
        let seen: Vec<&Case> = cases.iter().filter(|c| side(c) == Some(Half::Fitted)).collect();
        fit::fit(&seen)
    });
    let (arithmetic, peak) = cases
        .first()
        .map_or_else(|| (String::new(), OpsPerSecond(0.0)), |c| (c.arithmetic.clone(), c.peak));
    let mut cases = cases;
    cases.sort_by(|a, b| a.key.cmp(&b.key).then_with(|| a.file.cmp(&b.file)));
    let half = |case: &Case| efficiency.as_ref().and_then(|_| side(case));
    let points: Vec<Point> =
        cases.iter().map(|case| case.point(efficiency.as_ref(), half(case))).collect();
    let errors = Halves::of(&points);
    (Group { kind, precision, arithmetic, peak, efficiency, errors }, points)
}

impl Halves {
    fn of(points: &[Point]) -> Self {
        let error = |half: Option<Half>, of: fn(&Point) -> Option<f64>| {
            let own = points.iter().filter(|point| half.is_none() || point.half == half);
            Errors::of(own.filter_map(of))
        };
        let before = |point: &Point| Some(point.error.abs());
        let after = |point: &Point| point.fitted_error.map(f64::abs);
        Self {
            roofline: error(None, before),
            fitted_before: error(Some(Half::Fitted), before),
            fitted_after: error(Some(Half::Fitted), after),
            tested_before: error(Some(Half::Tested), before),
            tested_after: error(Some(Half::Tested), after),
        }
    }
}

/// Where what was measured and what is predicted are not the same machine.
fn notes(files: &[(String, Measurement)], target: &Target) -> Vec<String> {
    let mut notes = Vec::new();
    let threads = target.processor().and_then(|own| own.units.as_ref()).map(|units| units.value);
    for (name, measurement) in files {
        if let (Some(own), Some(theirs)) = (measurement.threads, threads)
            && (own as f64 - theirs).abs() >= 1.0
        {
            notes.push(format!(
                "{name} ran on {own} threads, and the figures of {} are of {theirs}: measure both with the same --ports.",
                target.name()
            ));
        }
        if let Some(card) = &measurement.device.platform
            && !card.eq_ignore_ascii_case(target.name())
        {
            notes.push(format!(
                "{name} was measured on {card}, and the predictions are for {}.",
                target.name()
            ));
        }
    }
    notes
}

/// Shares above 1 are no efficiencies.
fn above_the_roof(groups: &[Group]) -> Vec<String> {
    let mut notes = Vec::new();
    for group in groups {
        let Some(own) = &group.efficiency else { continue };
        if own.memory.is_some_and(|share| share > 1.0) {
            notes.push(format!(
                "{} in {}: `memory` is above 1, so these runs are faster than the platform's memory: operands stay in a cache.",
                group.kind, group.precision
            ));
        }
        if own.compute.is_some_and(|share| share > 1.0) {
            notes.push(format!(
                "{} in {}: `compute` is above 1, so these runs are faster than the platform's peak, which is too low then.",
                group.kind, group.precision
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests;
