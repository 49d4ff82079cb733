//! An arm of a branch.

use crate::Span;

/// An arm of an `if`; a chain of `else if` is one branch.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Arm {
    /// The first `if` of the branch.
    pub branch: Span,
    /// The arm's own text.
    pub text: Span,
}

impl Arm {
    /// Whether the other arm does not run where this one does.
    #[must_use]
    pub fn excludes(&self, other: &Self) -> bool {
        self.branch == other.branch && self.text != other.text
    }
}
