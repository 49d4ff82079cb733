//! The ladder from what is claimed to what holds, and to the design.

use super::{PeakBasis, Scenario, claimed, claimed_storage, derated_bandwidth, lower};
use crate::hold::held_bytes;
use crate::{Analysis, Array};
use derate_project::Storage;
use derate_workload::classes::classify_layers;

/// From the claim to what holds, one correction at a time: precision as built, bandwidth derated, peak derived; then the
/// design that `[design]` has in mind. A step that cannot be taken is left out, with the reason.
pub fn ladder(analysis: &Analysis) -> (Vec<Scenario>, Vec<(String, String)>) {
    let mut skipped = Vec::new();
    let mut current = claimed(analysis);
    let mut steps = vec![current.clone()];
    let mut step = |name: &str, change: String, current: &Scenario| {
        steps.push(Scenario { name: name.to_owned(), change, ..current.clone() });
    };
    match as_built(analysis, &current) {
        Ok(storage) => {
            current.storage = storage;
            step("as-built", "bytes".to_owned(), &current);
        }
        Err(reason) => skipped.push(("as-built".to_owned(), reason)),
    }
    current.bandwidth = lower(current.bandwidth, derated_bandwidth(analysis));
    step("derated", "bandwidth".to_owned(), &current);
    current.peaks = PeakBasis::Lower;
    step("derived-peak", "peak".to_owned(), &current);
    match design(analysis, &current) {
        Some(Ok(design)) => steps.push(design),
        Some(Err(reason)) => skipped.push(("design".to_owned(), reason)),
        None => {}
    }
    for scenario in &mut steps {
        scenario.arguments = format!("--scenario {}", scenario.name);
    }
    (steps, skipped)
}

/// The bytes that the code stores; the error says which tensor's are not known.
fn as_built(analysis: &Analysis, scenario: &Scenario) -> Result<Storage, String> {
    if !analysis.code.declares_tensors() {
        return Err("no array of the code stands for a tensor of the dump".to_owned());
    }
    let storage = Storage::as_built(&analysis.code);
    let parameters = analysis.workload.default_parameters(scenario.token_count(), analysis.batch());
    let mut parts = analysis.workload.as_claimed(&parameters);
    parts.extend(analysis.workload.inference_parts(&parameters));
    classify_layers(&parts, &storage.formats(&analysis.shape), &|_| false)?;
    Ok(storage)
}

/// The design of `[design]` on the corrected roofs, with its own precision, schedule and ports; `None` where it gives no
/// array, an error where that cannot be built or its ports reach no memory.
fn design(analysis: &Analysis, corrected: &Scenario) -> Option<Result<Scenario, String>> {
    let design = &analysis.project.design;
    let storage = match &design.precision {
        Some(claim) => Storage::claimed(claim.value, &analysis.shape),
        None => claimed_storage(analysis),
    };
    let precision = storage.array_precision();
    let array = Array::of(analysis, precision)?;
    let bandwidth = match crate::project_bandwidth::of_project(analysis) {
        Some(Ok(explained)) => explained.figure,
        // No other memory's figure stands in for that of the design's own ports.
        Some(Err(reason)) => return Some(Err(reason)),
        None => corrected.bandwidth.clone(),
    };
    let scenario = |array: Array| Scenario {
        name: "design".to_owned(),
        change: format!(
            "array of {} x {}, {}",
            array.rows.value,
            array.columns.value,
            storage.name()
        ),
        storage: storage.clone(),
        bandwidth,
        peaks: PeakBasis::Array(Box::new(array)),
        schedule: design.schedule(),
        ..corrected.clone()
    };
    let parameters =
        analysis.workload.default_parameters(corrected.token_count(), analysis.batch());
    let held = held_bytes(analysis, &storage, &parameters);
    Some(held.and(array).map(scenario))
}
