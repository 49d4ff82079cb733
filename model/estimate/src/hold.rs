//! Weights that stay on the chip from run to run.

use crate::Analysis;
use derate_project::Storage;
use derate_units::Bytes;
use derate_units::figures::quantity;
use derate_workload::classes::classify_layers;
use derate_workload::{InferenceParameters, Part};

/// Whether `[design] hold` names a part.
pub fn is_held(analysis: &Analysis, part: &Part) -> bool {
    analysis.project.design.hold.iter().any(|name| part.is_named(&name.value))
}

/// Bytes of the weights that `[design] hold` keeps on the chip; the error says which tensor's format is not known.
pub fn weights(
    analysis: &Analysis,
    storage: &Storage,
    parameters: &InferenceParameters,
) -> Result<Bytes, String> {
    let hold = &analysis.project.design.hold;
    if hold.is_empty() {
        return Ok(Bytes(0.0));
    }
    let parts = analysis.workload.inference_parts(parameters);
    let formats = storage.formats(&analysis.shape);
    let mut bytes = 0.0;
    for class in classify_layers(&parts, &formats, &|_| false)? {
        if is_held(analysis, &parts[class.part]) {
            let weights = class.block.operands.iter().filter(|o| o.role.is_stored());
            let own: f64 = weights.map(|o| class.formats.of(o.format).bytes(o.elements).0).sum();
            bytes += own * class.layers.len() as f64;
        }
    }
    Ok(Bytes(bytes))
}

/// The same, where they fit; the error says by how much they do not.
pub fn held_bytes(
    analysis: &Analysis,
    storage: &Storage,
    parameters: &InferenceParameters,
) -> Result<Bytes, String> {
    let (held, chip) = (weights(analysis, storage, parameters)?, analysis.on_chip().value);
    if held <= chip {
        return Ok(held);
    }
    Err(format!(
        "the weights that [design] hold keeps take {}, {} more than the {} on the chip: hold fewer parts",
        quantity(held),
        quantity(Bytes(held.0 - chip.0)),
        quantity(chip)
    ))
}
