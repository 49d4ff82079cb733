//! Predicted against measured: what the roofline of a platform says of runs, how far off it is, and how far it would be with
//! efficiencies that are fitted on half of the shapes and tried on the other half.
//!
//! The time of an operation is `max(flops / (compute x peak), bytes / (memory x bandwidth))`, of a run the sum of its
//! operations and `launch`. Where the operands of a run fit the last-level cache, `cached` may replace `memory`. The
//! prediction has all shares at 1 and no launch; the fit never changes it, nor the platform.

mod case;
mod efficiency;
mod errors;
mod fit;
mod machine;
mod setting;
mod split;

use std::collections::BTreeMap;

use serde::Serialize;

pub use efficiency::Efficiency;
pub use errors::Errors;
pub use split::Half;

use crate::gemm_time::ErrorBand;
use crate::predict::PlatformName;
use case::ComparedRun;
use derate_machine::Target;
use derate_measure::{KernelKind, Measurement, RunTimes};
use derate_units::figures::significant;
use derate_units::{
    Bound, Bytes, BytesPerSecond, Ops, OpsPerByte, OpsPerSecond, Precision, Provenance, Seconds,
};
use setting::GroupKey;
use split::ShapeKey;

/// The JSON contract `derate.comparison/1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// `derate.comparison/1`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// What the predictions are for.
    pub platform: PlatformName,
    /// The bandwidth of the predictions.
    pub bandwidth: BytesPerSecond,
    /// Of each kind and setting.
    pub groups: Vec<ComparedGroup>,
    /// Of all of them.
    pub whole: ErrorsBySide,
    /// Every run that can be predicted.
    pub points: Vec<ComparedPoint>,
    /// Runs that cannot, and why.
    pub left_out: Vec<LeftOut>,
    /// What to know when reading it.
    pub notes: Vec<String>,
}

/// The runs of one kind in one setting: what is stored, what ran, and where.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedGroup {
    /// Which operator.
    pub kind: KernelKind,
    /// What operands are stored in.
    pub precision: String,
    /// What was multiplied; `null` where the runs do not tell: then the peak is that of what operands are stored in.
    pub arithmetic: Option<String>,
    /// What it was summed in; `null` where they do not tell.
    pub accumulate: Option<String>,
    /// What the device calls itself.
    pub device: String,
    /// Threads of a processor that shared the work at most.
    pub threads: Option<u64>,
    /// The peak of the predictions.
    pub peak: OpsPerSecond,
    /// The arithmetic whose peak that is.
    #[serde(skip)]
    pub peak_of: Precision,
    /// What the fit found; `null` where there are too few shapes.
    pub efficiency: Option<Efficiency>,
    /// The errors.
    pub errors: ErrorsBySide,
}

/// Errors of the roofline and of the fit, on the shapes that the fit saw and on the others.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ErrorsBySide {
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
pub struct ComparedPoint {
    /// The place of its group in [`Accuracy::groups`].
    pub group: usize,
    /// The file that it is from.
    pub file: String,
    /// Which operator.
    pub kind: KernelKind,
    /// Its extents.
    pub shape: String,
    /// What operands are stored in.
    pub precision: String,
    /// What was multiplied; `null` where the run does not tell.
    pub arithmetic: Option<String>,
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
    pub times: RunTimes,
    /// `predicted / measured - 1`: negative where it took longer than the roofline says.
    pub error: f64,
    /// `|predicted - measured| / predicted`, as the guide of the second seed has it.
    pub error_of_predicted: f64,
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

/// Distinct shapes of a group from which on there is a fit: two on either side.
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
            check_comparable(name, measurement)?;
            machine::check_device_kind(name, measurement, target)?;
            for (at, run) in measurement.runs.iter().enumerate() {
                match ComparedRun::of(name, measurement, run, target) {
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
        let mut notes = machine::note_devices(files, target, &cases);
        let mut of_setting: BTreeMap<GroupKey, Vec<ComparedRun>> = BTreeMap::new();
        for case in cases {
            of_setting.entry(GroupKey::of(&case)).or_default().push(case);
        }
        let (mut groups, mut points) = (Vec::new(), Vec::new());
        for (setting, cases) in of_setting {
            notes.extend(
                [false, true].map(|kept| note_wider(&setting, &cases, kept)).into_iter().flatten(),
            );
            notes.extend(note_unknown_arithmetic(&setting, &cases));
            let (group, own) = compare_group(groups.len(), setting, cases);
            if group.efficiency.is_none() {
                notes.push(format!(
                    "{} in {}: fewer than {FEWEST} shapes, so no efficiency is fitted.",
                    group.kind, group.precision
                ));
            }
            groups.push(group);
            points.extend(own);
        }
        notes.extend(note_faster(&points));
        notes.extend(note_above_roof(&groups));
        Ok(Self {
            schema: Self::SCHEMA,
            command,
            platform: PlatformName::of(target),
            bandwidth: target.bandwidth().value,
            whole: ErrorsBySide::of(&points),
            groups,
            points,
            left_out,
            notes,
        })
    }
}

/// Only times of hardware are compared; the error is a sentence.
fn check_comparable(name: &str, measurement: &Measurement) -> Result<(), String> {
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

/// Where runs moved more than operands and results take: of those that keep what a backward pass needs, or of the others.
fn note_wider(setting: &GroupKey, cases: &[ComparedRun], kept: bool) -> Option<String> {
    let own = cases.iter().filter(|case| case.backward == kept);
    let most = own.map(|case| case.wider).fold(1.0, f64::max);
    let why = if kept {
        "what GELU is taken of is kept for the backward pass"
    } else {
        "results are wider"
    };
    (most > 1.0).then(|| {
        format!(
            "{} in {}: the runs moved up to {} times the bytes of operands and result as stored, and those count: {why}.",
            setting.kind,
            setting.precision,
            significant(most, 3)
        )
    })
}

/// Where nobody says in what arithmetic runs multiplied: another has another peak.
fn note_unknown_arithmetic(setting: &GroupKey, cases: &[ComparedRun]) -> Option<String> {
    let own = cases.first().filter(|_| setting.arithmetic.is_none())?;
    Some(format!(
        "{} in {}: these runs do not tell what arithmetic they ran in (`computed`), so that their peak is not known. The \
         predictions use that of {}.",
        setting.kind, setting.precision, own.peak_of
    ))
}

/// The points of a group, split, fitted on one half and tried on the other. Neither the order of files nor that of their runs
/// makes a difference.
fn compare_group(
    place: usize,
    setting: GroupKey,
    mut cases: Vec<ComparedRun>,
) -> (ComparedGroup, Vec<ComparedPoint>) {
    cases.sort_by(|a, b| {
        let measured = |case: &ComparedRun| case.measured_time().0;
        let by_file = || a.file.cmp(&b.file).then_with(|| measured(a).total_cmp(&measured(b)));
        a.key.cmp(&b.key).then_with(by_file)
    });
    let halves = split::split_shapes(cases.iter().map(|case| &case.key));
    let side = |case: &ComparedRun| halves.get(&case.key).copied();
    let efficiency = (halves.len() >= FEWEST).then(|| {
        let seen: Vec<&ComparedRun> =
            cases.iter().filter(|c| side(c) == Some(Half::Fitted)).collect();
        fit::fit_efficiency(&seen)
    });
    let unknown = (OpsPerSecond(0.0), Precision::FP32);
    let (peak, peak_of) = cases.first().map_or(unknown, |case| (case.peak, case.peak_of));
    let half = |case: &ComparedRun| efficiency.as_ref().and_then(|_| side(case));
    let points: Vec<ComparedPoint> =
        cases.iter().map(|case| case.to_point(place, efficiency.as_ref(), half(case))).collect();
    let errors = ErrorsBySide::of(&points);
    let GroupKey { kind, precision, arithmetic, accumulate, device, threads, .. } = setting;
    let group = ComparedGroup {
        kind,
        precision,
        arithmetic,
        accumulate,
        device,
        threads,
        peak,
        peak_of,
        efficiency,
        errors,
    };
    (group, points)
}

/// Clocks differ by so much.
const FASTER: f64 = 0.02;

impl ErrorsBySide {
    fn of(points: &[ComparedPoint]) -> Self {
        let error = |half: Option<Half>, of: fn(&ComparedPoint) -> Option<f64>| {
            let own = points.iter().filter(|point| half.is_none() || point.half == half);
            Errors::of(own.filter_map(of))
        };
        let before = |point: &ComparedPoint| Some(point.error.abs());
        let after = |point: &ComparedPoint| point.fitted_error.map(f64::abs);
        Self {
            roofline: error(None, before),
            fitted_before: error(Some(Half::Fitted), before),
            fitted_after: error(Some(Half::Fitted), after),
            tested_before: error(Some(Half::Tested), before),
            tested_after: error(Some(Half::Tested), after),
        }
    }
}

/// A roof that runs are above is too low.
fn note_faster(points: &[ComparedPoint]) -> Option<String> {
    let above = || points.iter().filter(|point| point.error > FASTER);
    let most = above().map(|point| point.error).fold(0.0, f64::max);
    let count = above().count();
    (count > 0).then(|| {
        format!(
            "{count} of {} runs took less time than at the roofline, by up to {} % of it: those operands came from a cache, or the platform was measured too low, and then it is to be measured again on an idle machine.",
            points.len(),
            significant(100.0 * (1.0 - 1.0 / (1.0 + most)), 3)
        )
    })
}

/// Shares above 1 are not efficiencies.
fn note_above_roof(groups: &[ComparedGroup]) -> Vec<String> {
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
