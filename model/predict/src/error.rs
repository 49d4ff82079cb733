//! Why nothing can be predicted.

use derate_units::axes::AxesError;
use derate_workload::operator::{AttentionError, RoofError};

/// Why nothing can be predicted: one sentence without its stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PredictionError {
    /// Attention does not have such heads or such a mask.
    #[error(transparent)]
    Attention(#[from] AttentionError),
    /// The target has no such roofs.
    #[error(transparent)]
    Roofs(#[from] RoofError),
    /// The sweep has too many points, or the same axis twice.
    #[error(transparent)]
    Axes(#[from] AxesError),
    /// A thread panicked.
    #[error("a worker of the sweep stopped")]
    Worker,
}
