//! Allo's annotations among the declarations.

use derate_hls::{AlloSource, HlsType, Outcome, Role, find_lie};

use super::declaration::element_precision;
use super::{Declaration, ResolvedAlias};
use derate_dump::ModelShape;

/// Names for types.
pub(super) fn read_aliases(source: &AlloSource) -> impl Iterator<Item = ResolvedAlias> {
    source.aliases.iter().map(|(alias, resolution)| ResolvedAlias {
        lie: find_lie(alias, resolution),
        alias: alias.clone(),
        resolution: resolution.clone(),
        alternatives: Vec::new(),
    })
}

/// Arguments and variables that are arrays: any of them may be called like a tensor.
pub(super) fn read_declarations(source: &AlloSource) -> impl Iterator<Item = Declaration> {
    let arrays = source.annotations.iter().filter(|one| {
        let fifo = matches!(one.resolution.outcome, Outcome::Known(HlsType::Stream { .. }));
        one.role != Role::Return && !one.dims.is_empty() && !fifo
    });
    arrays.map(|one| Declaration {
        path: one.name.clone(),
        tensor: None,
        dims: one.dims.iter().map(|dim| dim.value).collect(),
        element: one.element.clone(),
        precision: element_precision(&one.resolution),
        carrier: None,
        hops: one.resolution.hops.iter().map(|hop| hop.span).collect(),
        span: one.span,
        element_span: one.element_span,
        annotated: true,
    })
}

/// A kernel's argument with another number of elements than the tensor that it is called like is a tile or something
/// else, not that tensor.
pub(super) fn drop_tiles(declarations: &mut [Declaration], shape: &ModelShape) {
    for declaration in declarations {
        let declared =
            declaration.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul((*dim)?));
        let tensor = declaration.tensor.as_deref().and_then(|name| shape.get(name));
        if let (Some(declared), Some(elements)) =
            (declared, tensor.and_then(derate_dump::Tensor::elements))
            && declared != elements
        {
            declaration.tensor = None;
        }
    }
}
