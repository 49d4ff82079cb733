use super::{Comment, Scope};
use crate::Span;

/// An array object.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub scope: Scope,
    /// The element type as it is spelt, qualifiers left out.
    pub element: String,
    /// Its extents, outermost first.
    pub dims: Vec<Dim>,
    /// The whole declaration.
    pub span: Span,
    /// The name.
    pub name_span: Span,
    /// The element type.
    pub element_span: Span,
    /// What the author wrote beside it, or above it.
    pub comment: Option<Comment>,
    /// The `#if` that guards it, where that cannot be decided from the text.
    pub condition: Option<String>,
    /// Whether it is `const` or `constexpr`.
    pub constant: bool,
    /// Whether an initialiser gives its values.
    pub initialised: bool,
}

impl Array {
    /// The name with its scope.
    pub fn qualified(&self) -> String {
        self.scope.qualify(&self.name)
    }

    /// How many elements it has, if every extent is known.
    pub fn elements(&self) -> Option<u64> {
        self.dims.iter().try_fold(1_u64, |total, dim| total.checked_mul(dim.value?))
    }
}

/// One extent of an array.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Dim {
    /// As it is spelt; empty for `[]`.
    pub expression: String,
    /// The extent, if it could be computed.
    pub value: Option<u64>,
    /// The expression, or the empty place between the brackets.
    pub span: Span,
}
