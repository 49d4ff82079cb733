use crate::Span;

/// An accumulation: a value that is computed from itself, `sum += x` or `sum = sum + x`.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Update {
    /// What is updated, as it is spelt: `sum`, `c[i * n + j]`.
    pub target: String,
    /// The variable, without subscripts: `sum`, `c`.
    pub name: String,
    /// The operation: `+`, `-`, `*`...
    pub operator: String,
    /// Whether it is spelt in full, `x = x + y`, else `x += y`.
    pub spelt_out: bool,
    /// The innermost loop around it, by its index in [`crate::Function::loops`].
    pub loop_index: Option<usize>,
    /// Whether it may be skipped while the loops around it run.
    pub conditional: bool,
    /// The whole assignment.
    pub span: Span,
}
