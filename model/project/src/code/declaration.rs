//! Arrays that hold tensors.

use derate_hls::{Array, HlsType, Outcome, Reason, Resolution, Scope, Span};

use super::{ResolvedAlias, scalar_precision};
use derate_dump::ModelShape;
use derate_units::Precision;

/// An array that may hold a tensor.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Namespace path and name with dots, numeric parts without their underscore.
    pub path: String,
    /// The tensor of the dump that it holds.
    pub tensor: Option<String>,
    /// Extents; `None` where an expression could not be evaluated.
    pub dims: Vec<Option<u64>>,
    /// How the element type is spelled.
    pub element: String,
    /// What one element is, or why that is not known.
    pub precision: Result<Precision, Reason>,
    /// What an alias on the way calls raw bits, and what they are: `bf16_t`, `UINT16`.
    pub carrier: Option<(String, Precision)>,
    /// The declarations of the aliases that the element type goes through, nearest first.
    pub hops: Vec<Span>,
    /// The whole declaration.
    pub span: Span,
    /// The element type in it.
    pub element_span: Span,
    /// Whether it is an annotation in Allo's Python; else it is an array of C++.
    pub annotated: bool,
}

impl Declaration {
    /// An array with another number of elements than its tensor packs several into one, or is another array: what one
    /// of the tensor's elements takes is not known then.
    pub(super) fn check_elements(&mut self, shape: &ModelShape) {
        let Some(tensor) = self.tensor.as_deref().and_then(|name| shape.get(name)) else { return };
        let declared =
            self.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul((*dim)?));
        if let (Some(declared), Some(elements)) = (declared, tensor.elements())
            && declared != elements
            && self.precision.is_ok()
        {
            self.precision = Err(format!(
                "`{}` is declared with {declared} elements where the dump has {elements} ({} here, {} there): what one of them takes is not known",
                self.path,
                extents_of(self.dims.iter().copied().flatten()),
                extents_of(tensor.dims.iter().copied())
            ).into());
        }
    }

    /// Raw bits that an alias on the way names for a float hold that float: the bytes are the same, and the arithmetic
    /// on them is not that of the integer that carries them.
    pub(super) fn read_raw_bits(&mut self, aliases: &[ResolvedAlias]) {
        let Ok(raw) = self.precision else { return };
        let named = aliases.iter().filter(|alias| self.goes_through(alias));
        let carried = named.filter_map(|alias| Some((alias, alias.carries()?)));
        // Memory that pads is not what the name promises.
        let same = |(_, float): &(_, Precision)| float.bits() == raw.bits();
        if let Some((alias, float)) = carried.into_iter().find(same) {
            self.carrier = Some((alias.alias.name.clone(), raw));
            self.precision = Ok(float);
        }
    }

    /// Whether its element type goes through an alias.
    pub fn goes_through(&self, alias: &ResolvedAlias) -> bool {
        self.hops.iter().any(|hop| alias.is_at(*hop))
    }
}

/// `[11, 256]`.
fn extents_of(dims: impl Iterator<Item = u64>) -> String {
    let dims: Vec<String> = dims.map(|dim| dim.to_string()).collect();
    format!("[{}]", dims.join(", "))
}

/// Generated headers put the parameter path into namespaces; `_0` is written for `0`, which is not an identifier.
fn path_parts(scope: &Scope, name: &str) -> Vec<String> {
    let part = |p: &str| match p.strip_prefix('_') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
            digits.to_owned()
        }
        _ => p.to_owned(),
    };
    scope.parts().iter().map(String::as_str).chain([name]).map(part).collect()
}

/// The element type as a precision, or why it is none.
pub(super) fn element_precision(resolution: &Resolution) -> Result<Precision, Reason> {
    match &resolution.outcome {
        Outcome::Unknown(reason) => Err(reason.clone().into()),
        Outcome::Known(kind) => kind.scalar().and_then(scalar_precision).ok_or_else(|| {
            Reason::from("the element type is not a scalar of known size in memory")
        }),
    }
}

/// The extents that a type has itself, outermost first.
pub fn extents(kind: Option<&HlsType>) -> Vec<Option<u64>> {
    let (mut innermost, mut dims) = (kind, Vec::new());
    while let Some(HlsType::Array { element, extent }) = innermost {
        dims.push(Some(*extent));
        innermost = Some(element);
    }
    dims
}

/// What an array of C++ declares.
pub(super) fn read_declaration(array: &Array, resolution: &Resolution) -> Declaration {
    let own = array.dims.iter().map(|dim| dim.value);
    Declaration {
        path: path_parts(&array.scope, &array.name).join("."),
        tensor: None,
        dims: own.chain(extents(resolution.known())).collect(),
        element: array.element.clone(),
        precision: element_precision(resolution),
        carrier: None,
        hops: resolution.hops.iter().map(|hop| hop.span).collect(),
        span: array.span,
        element_span: array.element_span,
        annotated: false,
    }
}
