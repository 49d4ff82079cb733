//! What an ONNX file states of its tensors.

use std::collections::BTreeMap;

use super::Dimensions;
use super::names::{read_annotation, read_element};
use super::proto::{DimensionProto, GraphProto, ValueInfoProto};
use derate_units::Precision;

/// A type that a file states; a size that is open is `None`.
pub(super) struct Stated {
    pub(super) dtype: Option<Precision>,
    pub(super) shape: Option<Vec<Option<u64>>>,
}

/// The types of the tensors that a file states one for, by their names.
pub(super) fn list_stated<'a>(
    graph: &'a GraphProto,
    dimensions: &Dimensions,
) -> BTreeMap<&'a str, Stated> {
    let infos = graph.input.iter().chain(&graph.value_info).chain(&graph.output);
    let stated = infos.filter_map(|info| {
        let tensor = info.r#type.as_ref()?.tensor_type.as_ref()?;
        let shape = tensor.shape.as_ref().map(|shape| {
            let size = |dim: &DimensionProto| match (&dim.dim_value, &dim.dim_param) {
                (Some(size), _) => u64::try_from(*size).ok(),
                (None, Some(name)) => dimensions.get(name).copied(),
                (None, None) => None,
            };
            shape.dim.iter().map(size).collect()
        });
        Some((info.name.as_str(), Stated { dtype: read_element(tensor.elem_type), shape }))
    });
    stated.collect()
}

/// The number formats of the tensors that a file annotates, by their names.
pub(super) fn list_annotated(graph: &GraphProto) -> BTreeMap<&str, Precision> {
    let all = graph.quantization_annotation.iter();
    all.filter_map(|one| Some((one.tensor_name.as_str(), read_annotation(one)?))).collect()
}

/// The first open dimension of an input, by its name.
pub(super) fn find_open(info: &ValueInfoProto, sizes: &[Option<u64>]) -> Option<String> {
    let at = sizes.iter().position(Option::is_none)?;
    let dims = &info.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref()?.dim;
    Some(dims.get(at)?.dim_param.clone().unwrap_or_default())
}
