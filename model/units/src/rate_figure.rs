use serde::Serialize;

use crate::figures::rate_unit;
use crate::units::OpsPerSecond;
use crate::{Figure, Precision, Provenance};

/// A compute rate as JSON has it. Integer operations are not FLOP: the unit follows the arithmetic.
#[derive(Serialize)]
pub struct RateFigure<'a> {
    value: OpsPerSecond,
    unit: &'static str,
    provenance: Provenance,
    source: &'a str,
}

impl<'a> RateFigure<'a> {
    /// The rate in the unit of `arithmetic`.
    pub fn of(rate: &'a Figure<OpsPerSecond>, arithmetic: Precision) -> Self {
        let Figure { value, provenance, source } = rate;
        Self { value: *value, unit: rate_unit([arithmetic]), provenance: *provenance, source }
    }
}
