//! Measured times beside the predicted ones.

use derate_estimate::Analysis;
use derate_measure::times::MeasuredTime;
use derate_project::{MeasuredSection, ProjectError, Timer};
use derate_units::{Figure, Hertz, Provenance, Seconds};
use serde::Serialize;

use crate::explain::{ExplainingTerm, Prediction, explain_gap};
use crate::kernel::DesignKernel;
use crate::totals::DesignTotals;
use crate::transfers::Transfers;

/// A described kernel has no range, and no clock is known better: what differs by less is the same.
const SAME: f64 = 0.05;

/// How a measured time compares with the predicted range.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeVerdict {
    /// It is within the range.
    Agrees,
    /// It is above the range.
    Slower,
    /// It is below the least that the model gives.
    Faster,
    /// It is not a time of hardware.
    NotEvidence,
}

/// A measured time beside the predicted one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedTime {
    /// Index of its `[[measured]]`.
    pub section: usize,
    /// The kernel; `None` for the whole inference.
    pub kernel: Option<String>,
    /// Of one call or one inference.
    pub measured: Figure<Seconds>,
    /// The least and the most, where more than one was timed.
    pub extremes: Option<[Seconds; 2]>,
    /// Calls or inferences that were timed, where that is known.
    pub count: Option<u64>,
    /// What took the time.
    pub timer: Timer,
    /// What the model says of the same.
    pub predicted: Figure<Seconds>,
    /// Its range.
    pub range: [Seconds; 2],
    /// What the model says at the clock that the card ran at, where the measurement shows it.
    pub at_clock: Option<Seconds>,
    /// The prediction's error: `(predicted - measured) / measured`.
    pub error: f64,
    /// How they compare.
    pub verdict: TimeVerdict,
    /// The least that the card needs for this work, where that is known.
    pub roof: Option<Seconds>,
    /// What would explain the difference, the most likely first; empty where they agree.
    pub terms: Vec<ExplainingTerm>,
}

/// Every measured time that a kernel of the design or the inference has. The error is a `[[measured]]` that has nothing to
/// compare with.
pub(crate) fn compare_times(
    analysis: &Analysis,
    kernels: &[DesignKernel],
    totals: &DesignTotals,
    transfers: &Transfers,
) -> Result<Vec<ComparedTime>, ProjectError> {
    let mut all = Vec::new();
    let seen = find_clock(analysis);
    for (at, (section, times)) in analysis.project.measured.iter().zip(&analysis.times).enumerate()
    {
        let before = all.len();
        for time in times {
            let prediction = match &time.name {
                Some(name) => predict_kernel(analysis, kernels, section, name, time.timer),
                None if section.kernel.is_some() => None,
                None => Prediction::of_inference(kernels, totals, transfers, time.timer),
            };
            let Some(prediction) = prediction else { continue };
            let time = MeasuredTime { clock: time.clock.or(seen), ..time.clone() };
            all.push(compare(at, &time, &prediction));
        }
        let is_timed = totals.latency.is_some();
        if all.len() == before && is_timed {
            let names: Vec<String> = times
                .iter()
                .map(|time| time.name.clone().unwrap_or_else(|| "the inference".to_owned()))
                .collect();
            let reason = format!(
                "it has times of {}, and the model has no time of these: name a [[kernel]], or its top \
                 function, as the file does",
                names.join(", ")
            );
            return Err(ProjectError::at(&analysis.sources, section.span(), reason));
        }
    }
    Ok(all)
}

/// The one clock that the measurements show.
fn find_clock(analysis: &Analysis) -> Option<Hertz> {
    let mut clocks = analysis.times.iter().flatten().filter_map(|time| time.clock);
    let first = clocks.next()?;
    clocks.all(|other| other == first).then_some(first)
}

/// What the model says of one call of the kernel that a file calls so.
fn predict_kernel(
    analysis: &Analysis,
    kernels: &[DesignKernel],
    section: &MeasuredSection,
    name: &str,
    timer: Timer,
) -> Option<Prediction> {
    let is_named =
        |kernel: &&DesignKernel| kernel.name == name || kernel.top.as_deref() == Some(name);
    let kernel = kernels.iter().find(is_named)?;
    if section.kernel.as_ref().is_some_and(|wanted| wanted.value != kernel.name) {
        return None;
    }
    Prediction::of_kernel(kernel, &analysis.launch(), timer)
}

fn compare(section: usize, time: &MeasuredTime, prediction: &Prediction) -> ComparedTime {
    let (measured, predicted) = (time.time.value.0, prediction.total());
    let [low, high] = prediction.range;
    let [least, most] = time.extremes.unwrap_or([time.time.value; 2]);
    // The timed calls differ among themselves as well.
    let is_above = measured > high.0 * (1.0 + SAME) && least.0 > high.0;
    let is_below = measured < low.0 * (1.0 - SAME) && most.0 < low.0;
    let verdict = match () {
        () if time.time.provenance == Provenance::Emulated => TimeVerdict::NotEvidence,
        () if is_above => TimeVerdict::Slower,
        () if is_below => TimeVerdict::Faster,
        () => TimeVerdict::Agrees,
    };
    let differs = matches!(verdict, TimeVerdict::Slower | TimeVerdict::Faster);
    ComparedTime {
        section,
        kernel: prediction.kernel.clone(),
        measured: time.time.clone(),
        extremes: time.extremes,
        count: time.count,
        timer: time.timer,
        predicted: Figure::new(
            Seconds(predicted),
            prediction.provenance,
            prediction.source.clone(),
        ),
        range: prediction.range,
        at_clock: time.clock.and_then(|clock| prediction.at_clock(clock)),
        error: (predicted - measured) / measured,
        verdict,
        roof: prediction.roof,
        terms: if differs { explain_gap(time, prediction) } else { Vec::new() },
    }
}
