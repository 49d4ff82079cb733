//! The kernels that the claim models, which may differ from those that run.

use crate::Analysis;
use derate_workload::{InferenceParameters, Part};

/// The claim's own kernels, then what an inference runs.
pub(super) fn with_claimed(
    analysis: &Analysis,
    parameters: &InferenceParameters,
    inference: Vec<Part>,
) -> Vec<Part> {
    let mut parts = analysis.workload.as_claimed(parameters);
    parts.extend(inference);
    parts
}

/// The parts that the claim models; where it models none of its own, those that run, the main one first.
pub(super) fn claimed_parts(analysis: &Analysis, parameters: &InferenceParameters) -> Vec<Part> {
    let parts = analysis.workload.as_claimed(parameters);
    if !parts.is_empty() {
        return parts;
    }
    let mut parts = analysis.workload.inference_parts(parameters);
    parts.sort_by_key(|part| !part.is_main);
    parts
}
