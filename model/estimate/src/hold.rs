//! Weights that stay on the chip from run to run.

use crate::{Analysis, EstimateError};
use derate_project::Storage;
use derate_units::Bytes;
use derate_workload::classes::classify_layers;
use derate_workload::{InferenceParameters, Part};

/// Whether `[design] hold` names a part.
pub(crate) fn is_held(analysis: &Analysis, part: &Part) -> bool {
    analysis.project.design.hold.iter().any(|name| part.is_named(&name.value))
}

/// Bytes of the weights that `[design] hold` keeps on the chip; the error says which tensor's format is not known.
pub(crate) fn weight_bytes(
    analysis: &Analysis,
    storage: &Storage,
    parameters: &InferenceParameters,
) -> Result<Bytes, EstimateError> {
    if analysis.project.design.hold.is_empty() {
        return Ok(Bytes(0.0));
    }
    let parts = analysis.workload.inference_parts(parameters);
    let formats = storage.formats(&analysis.shape);
    let mut bytes = 0.0;
    for class in
        classify_layers(&parts, &formats, &|_| false).map_err(EstimateError::UnknownFormat)?
    {
        if is_held(analysis, &parts[class.part]) {
            let weights = class.block.operands.iter().filter(|o| o.role.is_stored());
            let own: f64 = weights.map(|o| class.formats.of(o.format).bytes(o.elements).0).sum();
            bytes += own * class.layers.len() as f64;
        }
    }
    Ok(Bytes(bytes))
}

/// The same where they fit on the chip.
pub(crate) fn held_bytes(
    analysis: &Analysis,
    storage: &Storage,
    parameters: &InferenceParameters,
) -> Result<Bytes, EstimateError> {
    let (held, chip) = (weight_bytes(analysis, storage, parameters)?, analysis.on_chip().value);
    if held <= chip { Ok(held) } else { Err(EstimateError::HeldWeights { held, chip }) }
}
