//! The ladder from what is claimed to what holds, and to the design.

use serde::Serialize;

use super::claims::take_lower;
use super::{Assumptions, PeakBasis, ScenarioKind, derated_bandwidth};
use crate::hold::held_bytes;
use crate::{Analysis, Array, EstimateError, port_bandwidth};
use derate_project::Storage;
use derate_units::Figure;
use derate_workload::classes::classify_layers;

/// A step of the ladder that cannot be estimated.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Skipped {
    /// Which.
    pub scenario: ScenarioKind,
    /// Why: one sentence without its stop.
    pub reason: String,
}

impl Skipped {
    pub(crate) fn new(scenario: ScenarioKind, error: &EstimateError) -> Self {
        Self { scenario, reason: error.to_string() }
    }
}

/// From the claim to what holds, one correction at a time: precision as built, tokens as run, bandwidth derated, peak
/// derived; then the design of `[design]`. A step that cannot be estimated is left out, with the reason; that of the tokens
/// also where the claim has the tokens of an inference.
pub fn ladder_steps(analysis: &Analysis) -> (Vec<Assumptions>, Vec<Skipped>) {
    let mut skipped = Vec::new();
    let mut current = Assumptions::claimed(analysis);
    let mut steps = vec![current.clone()];
    match built_storage(analysis, &current) {
        Ok(storage) => {
            current = Assumptions { kind: ScenarioKind::AsBuilt, storage, ..current };
            steps.push(current.clone());
        }
        Err(error) => skipped.push(Skipped::new(ScenarioKind::AsBuilt, &error)),
    }
    if let Some(tokens) = true_tokens(analysis, &current) {
        current = Assumptions { kind: ScenarioKind::TrueTokens, tokens, ..current };
        steps.push(current.clone());
    }
    current.kind = ScenarioKind::Derated;
    current.bandwidth = take_lower(current.bandwidth, derated_bandwidth(analysis));
    steps.push(current.clone());
    current.kind = ScenarioKind::DerivedPeak;
    current.peaks = PeakBasis::Lower;
    steps.push(current.clone());
    match assume_design(analysis, current) {
        Some(Ok(design)) => steps.push(design),
        Some(Err(error)) => skipped.push(Skipped::new(ScenarioKind::Design, &error)),
        None => {}
    }
    (steps, skipped)
}

/// The tokens that an inference runs on; `None` where the claim has as many, or nothing says how many they are.
fn true_tokens(analysis: &Analysis, claimed: &Assumptions) -> Option<Figure<f64>> {
    let own = analysis.true_tokens()?;
    (own.count != claimed.token_count()).then_some(own.figure)
}

/// The bytes that the code stores; the error says which tensor's are not known.
fn built_storage(analysis: &Analysis, claimed: &Assumptions) -> Result<Storage, EstimateError> {
    if !analysis.is_storage_known() {
        return Err(EstimateError::NoDeclaredTensor);
    }
    let storage = analysis.built_storage();
    let parameters = claimed.parameters(analysis);
    let mut parts = analysis.workload.as_claimed(&parameters);
    parts.extend(analysis.workload.inference_parts(&parameters));
    classify_layers(&parts, &storage.formats(&analysis.shape), &|_| false)
        .map_err(EstimateError::UnknownFormat)?;
    Ok(storage)
}

/// The number format of the design: that of `[design]`, else the claimed one.
fn design_storage(analysis: &Analysis) -> Storage {
    match &analysis.project.design.precision {
        Some(claim) => Storage::claimed(claim.value, &analysis.shape),
        None => analysis.claimed_storage(),
    }
}

/// The array of `[design]` in its number format: `None` where it gives none, an error where the card cannot hold it.
pub fn design_array(analysis: &Analysis) -> Option<Result<Array, EstimateError>> {
    Array::from_design(analysis, design_storage(analysis).array_precision())
}

/// The design of `[design]` on the corrected roofs, with its own precision, schedule and ports; `None` where it gives no
/// array, an error where that cannot be built or its ports reach no memory.
fn assume_design(
    analysis: &Analysis,
    corrected: Assumptions,
) -> Option<Result<Assumptions, EstimateError>> {
    let storage = design_storage(analysis);
    let array = Array::from_design(analysis, storage.array_precision())?;
    let bandwidth = match port_bandwidth(analysis) {
        Some(Ok(explained)) => explained.figure,
        // The figure of another memory does not replace that of the design's own ports.
        Some(Err(error)) => return Some(Err(error)),
        None => corrected.bandwidth.clone(),
    };
    let held = held_bytes(analysis, &storage, &corrected.parameters(analysis));
    Some(held.and(array).map(|array| Assumptions {
        kind: ScenarioKind::Design,
        storage,
        bandwidth,
        peaks: PeakBasis::Array(Box::new(array)),
        schedule: analysis.project.design.schedule(),
        ..corrected
    }))
}
