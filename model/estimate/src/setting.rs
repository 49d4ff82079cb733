//! From assumptions to the numbers that a pass runs on.

use crate::hold::{held_bytes, is_held};
use crate::latency::ArrayNumbers;
use crate::pass::{Plan, Setting};
use crate::scenario::Assumptions;
use crate::{Analysis, Array, EstimateError};
use derate_machine::Peak;
use derate_project::{Schedule, Storage, TensorFormats};
use derate_units::{Precision, Provenance};
use derate_workload::classes::{LayerClass, classify_layers};
use derate_workload::work::kernel_arithmetic;
use derate_workload::{InferenceParameters, Part};

/// The peak of each arithmetic in use, or why it is not known.
pub(crate) type Peaks = Vec<(Precision, Result<Peak, EstimateError>)>;

impl Assumptions {
    /// The parameters of an inference: the design's variants hold for the design alone.
    pub fn parameters(&self, analysis: &Analysis) -> InferenceParameters {
        let mut parameters =
            analysis.workload.default_parameters(self.token_count(), analysis.batch());
        if self.array().is_some() {
            parameters.hoist_cross_kv = analysis.project.design.hoist_cross_kv;
            parameters.drop_dead_work = analysis.project.design.drop_dead_work;
        }
        parameters
    }

    /// Whether the weights of a part stay on the chip: the design's word.
    pub fn holds_weights(&self, analysis: &Analysis, part: &Part) -> bool {
        self.array().is_some() && is_held(analysis, part)
    }

    /// On-chip memory in bytes that the held weights leave; `None` where these do not fit.
    pub fn free_memory(
        &self,
        analysis: &Analysis,
        storage: &Storage,
        parameters: &InferenceParameters,
    ) -> Option<f64> {
        let chip = analysis.on_chip().value.0;
        match self.array() {
            Some(_) => Some(chip - held_bytes(analysis, storage, parameters).ok()?.0),
            None => Some(chip),
        }
    }

    /// The peaks of all arithmetic of `classes`.
    pub(crate) fn peaks_of<'a>(
        &self,
        analysis: &Analysis,
        classes: impl IntoIterator<Item = &'a LayerClass>,
    ) -> Peaks {
        let mut peaks = Peaks::new();
        for class in classes {
            for (at, kernel) in class.block.kernels.iter().enumerate() {
                if kernel.op.product().is_some() {
                    let precision = kernel_arithmetic(&class.block, at, &class.formats);
                    if peaks.iter().all(|(p, _)| *p != precision) {
                        peaks.push((precision, self.peaks.peak(analysis, precision)));
                    }
                }
            }
        }
        peaks
    }

    /// How times are known: as the least known of the bandwidth, the peaks, the memory and the array.
    pub(crate) fn provenance(&self, analysis: &Analysis, peaks: &Peaks) -> Provenance {
        let roofs = [self.bandwidth.provenance, analysis.on_chip().provenance];
        let peaks = peaks.iter().filter_map(|(_, peak)| Some(peak.as_ref().ok()?.rate.provenance));
        let array = self.array().into_iter().flat_map(Array::provenances);
        Provenance::of_inputs(roofs.into_iter().chain(peaks).chain(array))
    }

    /// The numbers that a pass runs on.
    pub(crate) fn setting(
        &self,
        analysis: &Analysis,
        peaks: &Peaks,
        schedule: Schedule,
    ) -> Setting {
        let free = self.free_memory(analysis, &self.storage, &self.parameters(analysis));
        Setting {
            schedule,
            // A design whose weights do not fit is not a scenario.
            capacity: free.unwrap_or_else(|| analysis.on_chip().value.0),
            bandwidth: self.bandwidth.value.0,
            peaks: peaks
                .iter()
                .filter_map(|(p, peak)| Some((*p, peak.as_ref().ok()?.rate.value.0)))
                .collect(),
            array: self.array().map(ArrayNumbers::from),
        }
    }

    /// The plan of an inference with other parameters, and the numbers that it runs on; `capacity` instead of its own
    /// on-chip memory. `None` where a number format is not known.
    pub(crate) fn plan(
        &self,
        analysis: &Analysis,
        parameters: &InferenceParameters,
        held: &dyn Fn(&Part) -> bool,
        schedule: Schedule,
        capacity: Option<f64>,
    ) -> Option<(Plan, Setting)> {
        let parts = analysis.workload.inference_parts(parameters);
        let formats = self.storage.formats(&analysis.shape);
        let peaks = self.peaks_of(analysis, &classify_layers(&parts, &formats, held).ok()?);
        let setting = self.setting(analysis, &peaks, schedule);
        let capacity = capacity.unwrap_or(setting.capacity);
        let plan = Plan::new(parts, &formats, held, schedule, capacity).ok()?;
        Some((plan, setting))
    }

    /// The numbers of an inference with the peaks of all arithmetic that `storages` use, and the formats of each.
    pub(crate) fn settings_for(
        &self,
        analysis: &Analysis,
        storages: &[Storage],
    ) -> Result<(Setting, Vec<TensorFormats>), EstimateError> {
        let parts = analysis.workload.inference_parts(&self.parameters(analysis));
        let held = |part: &Part| self.holds_weights(analysis, part);
        let mut all = Peaks::new();
        let mut formats = Vec::new();
        for storage in storages {
            let own = storage.formats(&analysis.shape);
            let classes =
                classify_layers(&parts, &own, &held).map_err(EstimateError::UnknownFormat)?;
            for (precision, peak) in self.peaks_of(analysis, &classes) {
                if all.iter().all(|(known, _)| *known != precision) {
                    all.push((precision, peak));
                }
            }
            formats.push(own);
        }
        Ok((self.setting(analysis, &all, self.schedule), formats))
    }
}
