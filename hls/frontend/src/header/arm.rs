//! An arm of a branch.

use crate::Span;

/// An arm of an `if` or of a `switch`; a chain of `else if` is one branch, and cases that run into each other are one arm.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Arm {
    /// The `switch`, or the first `if` of the branch.
    pub branch: Span,
    /// The arm's own text.
    pub text: Span,
    /// Branch and text of the arm around it.
    pub around: Option<(Span, Span)>,
}

impl Arm {
    /// Whether the other arm does not run where this one does.
    #[must_use]
    pub fn excludes(&self, other: &Self) -> bool {
        self.levels().any(|own| other.levels().any(|one| own.0 == one.0 && own.1 != one.1))
    }

    fn levels(&self) -> impl Iterator<Item = (Span, Span)> {
        [(self.branch, self.text)].into_iter().chain(self.around)
    }
}
