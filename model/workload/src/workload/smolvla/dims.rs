//! Layers of a dump: their tensors and dimensions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::HEAD_DIM;
use crate::workload::{Layer, TensorId, WorkloadError};
use derate_dump::ModelShape;

/// Outputs and inputs, by slot.
type Dims = Vec<(u64, u64)>;

/// Layers of the same dimensions.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct AlikeLayers {
    /// By slot: outputs and inputs of a matrix, length and 1 of a vector.
    pub(super) dims: Vec<(u64, u64)>,
    /// The layers.
    pub(super) layers: Arc<[Layer]>,
}

/// A tensor as a matrix `[outputs, the rest]`; a vector is a matrix of one column.
fn tensor_dims(shape: &ModelShape, at: TensorId) -> Option<(u64, u64)> {
    let tensor = shape.tensors.get(at)?;
    let (outputs, rest) = tensor.dims.split_first()?;
    let inputs = rest.iter().try_fold(1_u64, |product, &dim| product.checked_mul(dim))?;
    (tensor.shape_known && *outputs > 0 && inputs > 0).then_some((*outputs, inputs))
}

/// The tensors of one layer, by slot.
fn find_layer(
    shape: &ModelShape,
    prefix: &str,
    slots: &[&str],
    number: Option<u64>,
) -> Result<(Vec<(u64, u64)>, Layer), WorkloadError> {
    let mut found = (Vec::new(), Layer { number, tensors: Vec::new() });
    for slot in slots {
        let name = format!("{prefix}{slot}");
        let at = shape.position(&name);
        let Some((at, dims)) = at.and_then(|at| Some((at, tensor_dims(shape, at)?))) else {
            return Err(WorkloadError::Missing(name));
        };
        found.0.push(dims);
        found.1.tensors.push(at);
    }
    Ok(found)
}

/// Whether the queries of all layers divide into heads; the error names the first tensor that does not.
pub(super) fn check_heads(
    shape: &ModelShape,
    layers: &[AlikeLayers],
    queries: u16,
) -> Result<(), WorkloadError> {
    let slot = usize::from(queries);
    let uneven = layers.iter().find_map(|alike| {
        let (outputs, _) = alike.dims[slot];
        let tensor = shape.tensors.get(*alike.layers.first()?.tensors.get(slot)?)?;
        (outputs % HEAD_DIM != 0).then(|| (tensor.name.clone(), outputs))
    });
    uneven.map_or(Ok(()), |(tensor, outputs)| {
        Err(WorkloadError::Heads { tensor, outputs, head_dim: HEAD_DIM })
    })
}

/// Tensors that occur once.
pub(super) fn find_single(
    shape: &ModelShape,
    prefix: &str,
    slots: &[&str],
) -> Result<AlikeLayers, WorkloadError> {
    let (dims, layer) = find_layer(shape, prefix, slots, None)?;
    Ok(AlikeLayers { dims, layers: Arc::new([layer]) })
}

/// The numbered layers under `prefix`, by their dimensions. A layer that is missing between others is a cut dump, not a
/// smaller model.
pub(super) fn find_numbered(
    shape: &ModelShape,
    prefix: &str,
    slots: &[&str],
) -> Result<Vec<AlikeLayers>, WorkloadError> {
    let number = |name: &str| name.strip_prefix(prefix)?.split('.').next()?.parse::<u64>().ok();
    let numbers: BTreeSet<u64> =
        shape.tensors.iter().filter_map(|tensor| number(&tensor.name)).collect();
    let last = numbers.last().copied().unwrap_or(0).min(shape.tensors.len() as u64);
    let mut groups: Vec<(Dims, Vec<Layer>)> = Vec::new();
    for number in 0..=last {
        let (dims, layer) = find_layer(shape, &format!("{prefix}{number}."), slots, Some(number))?;
        match groups.iter_mut().find(|(known, _)| *known == dims) {
            Some((_, layers)) => layers.push(layer),
            None => groups.push((dims, vec![layer])),
        }
    }
    Ok(groups
        .into_iter()
        .map(|(dims, layers)| AlikeLayers { dims, layers: layers.into() })
        .collect())
}
