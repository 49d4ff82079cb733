/// Why a file could not be taken as a measurement: one sentence that names the file, and the line where it is known.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct MeasurementError {
    /// `file` or `file:line`.
    pub place: String,
    /// What is wrong and what to do.
    pub reason: String,
}
