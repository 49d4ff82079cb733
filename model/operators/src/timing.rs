//! When an operation's result is there.

/// When an operation's result is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Cycles from its start to its result; 0 for logic within a cycle.
    pub latency: u32,
    /// Delay at its start, in ns: what must be left of the cycle.
    pub before: f64,
    /// Delay at its end, in ns: what is used up of the cycle of the result.
    pub after: f64,
}

impl Timing {
    /// Takes no time.
    pub const NOTHING: Self = Self { latency: 0, before: 0.0, after: 0.0 };

    /// Logic within a cycle, with this delay in ns.
    #[must_use]
    pub fn logic(delay: f64) -> Self {
        Self { latency: 0, before: delay, after: delay }
    }
}
