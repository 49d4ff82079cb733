//! How grave a finding is.

use serde::Serialize;

/// How grave a finding is. The order is that of the report.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Ord, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The claim does not hold.
    Error,
    /// It may not hold, or something that it needs is missing.
    Warning,
    /// Worth knowing; among it, what could not be checked.
    Note,
}

impl Level {
    /// `error`, `warning` or `note`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}
