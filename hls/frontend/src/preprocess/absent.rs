use crate::Span;

/// A conditional with declarations in it that was decided by macros which nothing defines: they
/// count as undefined, as for a compiler.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Absent {
    /// The directive.
    pub span: Span,
    /// The macros, in the order of the condition.
    pub macros: Vec<String>,
    /// Definitions (name and value) under which it may be decided otherwise, each set for itself.
    pub settings: Vec<Vec<(String, String)>>,
}
