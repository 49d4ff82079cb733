//! Why a graph cannot be read: one sentence.

/// Why a file is not a workload.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{}{reason}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct GraphError {
    /// The line, where the file has lines.
    pub line: Option<usize>,
    /// What is wrong and what to do.
    pub reason: String,
}

impl GraphError {
    pub(super) fn new(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }
}
