//! The clock that was asked for, and the one that the tool expects.

use super::figure::{Decimal, Located};
use serde::Serialize;

/// Clock periods in nanoseconds.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
pub struct ClockPeriods {
    /// What was asked for.
    pub target: Option<Located<Decimal>>,
    /// What the tool expects before placement; it is not a promise.
    pub estimated: Option<Located<Decimal>>,
    /// The margin that was kept back.
    pub uncertainty: Option<Located<Decimal>>,
}
