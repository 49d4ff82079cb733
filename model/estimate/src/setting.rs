//! From a scenario to the numbers that a pass runs on.

use crate::Analysis;
use crate::hold::{held_bytes, is_held};
use crate::latency::Machine;
use crate::pass::Setting;
use crate::scenario::{PeakBasis, Scenario};
use derate_machine::Peak;
use derate_project::{Schedule, Storage, TensorFormats};
use derate_units::{Bytes, Precision, Provenance};
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::work::kernel_arithmetic;
use derate_workload::{InferenceParameters, Op, Part};

/// The parameters of a scenario: the design's variants hold for the design alone.
pub fn parameters(analysis: &Analysis, scenario: &Scenario) -> InferenceParameters {
    let mut parameters =
        analysis.workload.default_parameters(scenario.token_count(), analysis.batch());
    if matches!(scenario.peaks, PeakBasis::Array(_)) {
        parameters.hoist_cross_kv = analysis.project.design.hoist_cross_kv;
        parameters.drop_dead_work = analysis.project.design.drop_dead_work;
    }
    parameters
}

/// Whether a part's weights stay on the chip: the design's word.
pub fn held<'a>(analysis: &'a Analysis, scenario: &Scenario) -> impl Fn(&Part) -> bool + 'a {
    let design = matches!(scenario.peaks, PeakBasis::Array(_));
    move |part| design && is_held(analysis, part)
}

/// The peaks of all arithmetic in use.
pub fn peaks<'a>(
    analysis: &Analysis,
    scenario: &Scenario,
    classes: impl IntoIterator<Item = &'a LayerClass>,
) -> Vec<(Precision, Result<Peak, String>)> {
    let mut peaks: Vec<(Precision, Result<Peak, String>)> = Vec::new();
    for class in classes {
        for (at, kernel) in class.block.kernels.iter().enumerate() {
            if matches!(kernel.op, Op::Matmul(_)) {
                let precision = kernel_arithmetic(&class.block, at, &class.formats);
                if peaks.iter().all(|(p, _)| *p != precision) {
                    peaks.push((precision, scenario.peaks.peak(analysis, precision)));
                }
            }
        }
    }
    peaks
}

/// How times under a scenario are known: as the least known of its bandwidth, its peaks, its memory and its array.
pub fn provenance(
    analysis: &Analysis,
    scenario: &Scenario,
    peaks: &[(Precision, Result<Peak, String>)],
) -> Provenance {
    let roofs = [scenario.bandwidth.provenance, analysis.on_chip().provenance];
    let peaks = peaks.iter().filter_map(|(_, peak)| Some(peak.as_ref().ok()?.rate.provenance));
    let array: Vec<Provenance> = match &scenario.peaks {
        PeakBasis::Array(array) => array.provenances().collect(),
        _ => Vec::new(),
    };
    Provenance::of_inputs(roofs.into_iter().chain(peaks).chain(array))
}

/// On-chip memory that the weights held there leave.
fn capacity(analysis: &Analysis, scenario: &Scenario) -> f64 {
    let chip = analysis.on_chip().value.0;
    let held = match scenario.peaks {
        PeakBasis::Array(_) => {
            held_bytes(analysis, &scenario.storage, &parameters(analysis, scenario))
        }
        _ => Ok(Bytes(0.0)),
    };
    // What does not fit is no scenario.
    chip - held.map_or(0.0, |held| held.0)
}

/// The numbers that a pass under a scenario runs on.
pub fn setting(
    analysis: &Analysis,
    scenario: &Scenario,
    peaks: &[(Precision, Result<Peak, String>)],
    schedule: Schedule,
) -> Setting {
    let machine = match &scenario.peaks {
        PeakBasis::Array(array) => {
            Some((Machine::from(array.as_ref()), array.launch.value.0, array.launches))
        }
        _ => None,
    };
    Setting {
        schedule,
        capacity: capacity(analysis, scenario),
        bandwidth: scenario.bandwidth.value.0,
        peaks: peaks
            .iter()
            .filter_map(|(p, peak)| Some((*p, peak.as_ref().ok()?.rate.value.0)))
            .collect(),
        machine,
    }
}

/// The numbers of a scenario, its parameters, and the formats of each of `storages`, with the peaks of all arithmetic
/// that these use.
pub fn base(
    analysis: &Analysis,
    scenario: &Scenario,
    storages: &[Storage],
) -> Result<(Setting, InferenceParameters, Vec<TensorFormats>), String> {
    let parameters = parameters(analysis, scenario);
    let parts = analysis.workload.inference_parts(&parameters);
    let held = held(analysis, scenario);
    let mut all: Vec<(Precision, Result<Peak, String>)> = Vec::new();
    let mut formats = Vec::new();
    for storage in storages {
        let own = storage.formats(&analysis.shape);
        for (precision, peak) in peaks(analysis, scenario, &classify_layers(&parts, &own, &held)?) {
            if all.iter().all(|(known, _)| *known != precision) {
                all.push((precision, peak));
            }
        }
        formats.push(own);
    }
    Ok((setting(analysis, scenario, &all, scenario.schedule), parameters, formats))
}
