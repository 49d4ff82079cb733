use serde::Serialize;

use derate_units::Seconds;

/// What a fit found of a kind of operator in a precision. What its shapes do not determine is `None`, and counts as 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Efficiency {
    /// Share of the peak.
    pub compute: Option<f64>,
    /// Share of the memory's bandwidth.
    pub memory: Option<f64>,
    /// The same where operands fit the last-level cache, where that pays: in that cache's favour it may be above 1.
    pub cached: Option<f64>,
    /// What every run takes besides, where that pays.
    pub launch_seconds: Option<Seconds>,
}

impl Efficiency {
    /// The roofline itself.
    pub const ROOFLINE: Self =
        Self { compute: None, memory: None, cached: None, launch_seconds: None };
}
