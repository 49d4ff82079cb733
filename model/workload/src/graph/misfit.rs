//! Why the shapes of an operation do not fit one another.

/// The reason, as the end of a sentence about the operation.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Misfit(String);

impl Misfit {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}
