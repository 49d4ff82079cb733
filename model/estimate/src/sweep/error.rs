//! Why a sweep cannot be run.

use crate::EstimateError;
use derate_units::axes::AxesError;

/// Why a sweep cannot be run: one sentence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// An axis is not written as a key with values that it may have.
    #[error("{0}")]
    Axis(String),
    /// The axes have too many combinations, or two of them vary the same.
    #[error(transparent)]
    Axes(#[from] AxesError),
    /// The scenario does not depend on an axis, or not in the way that a sweep varies it.
    #[error("--sweep {axis}: scenario `{scenario}` cannot be varied so: {reason}")]
    FixedAxis {
        /// The key of the axis.
        axis: &'static str,
        /// The name of the scenario.
        scenario: String,
        /// Why.
        reason: &'static str,
    },
    /// The scenario itself cannot be computed.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    /// An axis has no value.
    #[error("an axis has no value")]
    NoValue,
    /// A thread panicked.
    #[error("a worker of the sweep stopped")]
    Worker,
}
