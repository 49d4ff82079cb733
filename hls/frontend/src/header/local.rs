use super::Dim;
use crate::Span;

/// A variable that a function's body declares. The variables of loops are with
/// their loops instead.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// The type as it is spelt, pointer and reference marks included, extents and qualifiers not.
    pub spelling: String,
    /// Its extents, outermost first.
    pub dims: Vec<Dim>,
    /// Its initialiser as it is spelt.
    pub initial: Option<String>,
    /// Whether it is `const` or `constexpr`.
    pub constant: bool,
    /// The innermost loop around it, by its index in [`crate::Function::loops`].
    pub loop_index: Option<usize>,
    /// The block that it is known in.
    pub block: Span,
    /// The whole declaration.
    pub span: Span,
}
