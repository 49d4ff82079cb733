//! Why something is unknown.

/// One sentence that says why something is unknown, or why it could not be read.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Reason(String);

/// Something that is known, or the reason why it is not.
pub type Settled<T> = Result<T, Reason>;

impl From<String> for Reason {
    fn from(sentence: String) -> Self {
        Self(sentence)
    }
}

impl From<&str> for Reason {
    fn from(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }
}

impl std::ops::Deref for Reason {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}
