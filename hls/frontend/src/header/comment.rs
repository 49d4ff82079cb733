use crate::Span;

/// What the author wrote beside a declaration, or in the lines directly above it.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Comment {
    /// The words, without the comment markers.
    pub text: String,
    /// The comment, markers included.
    pub span: Span,
}
