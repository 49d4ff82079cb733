//! Why a file is not a measurement.

use derate_source::FilePlace;

/// Why a file could not be taken as a measurement: one sentence that names the file, and the line where it is known.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct MeasurementError {
    /// The file, and its line where it is known.
    pub place: FilePlace,
    /// What is wrong and what to do.
    pub reason: String,
}
