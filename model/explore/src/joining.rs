//! How the times of units make that of the whole.

/// How the times of units make that of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Joining {
    /// They run one after another: times add up.
    #[default]
    Sequential,
    /// They run at the same time, each on another inference: the slowest decides.
    Pipelined,
}

impl Joining {
    /// The time of two.
    #[must_use]
    pub fn join(self, one: f64, other: f64) -> f64 {
        match self {
            Self::Sequential => one + other,
            Self::Pipelined => one.max(other),
        }
    }
}
