//! What LUT and FF the things of a kernel cost, as the tool's report counts and after place and route.

use crate::weights::Weights;
use crate::whole::WholeNumberArea;
use serde::Deserialize;

/// What LUT and FF cost.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// LUT of a report.
    pub lut: Weights,
    /// FF of a report.
    pub ff: Weights,
    /// LUT after place and route.
    pub lut_routed: Weights,
    /// FF after place and route.
    pub ff_routed: Weights,
    /// How far the truth may be.
    pub band: Band,
    /// Operators of whole numbers.
    pub whole: WholeNumberArea,
}

/// The truth is between the value divided and the value multiplied by these in about nine of ten designs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// Of LUT.
    pub lut: (f64, f64),
    /// Of FF.
    pub ff: (f64, f64),
}
