//! What LUT and FF a thing of a module costs, as the tool's report counts and after place and route.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The weights of LUT and FF.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    pub(crate) lut: Weights,
    pub(crate) ff: Weights,
    pub(crate) lut_routed: Weights,
    pub(crate) ff_routed: Weights,
    pub(crate) band: Band,
}

/// The truth is between the value divided and the value multiplied by these in about nine of ten designs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Band {
    pub(crate) lut: (f64, f64),
    pub(crate) ff: (f64, f64),
}

/// What one of each costs, by its name; `None` where the table has no such name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Weights(BTreeMap<String, f64>);

impl Weights {
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.0.get(name).copied().unwrap_or(0.0)
    }
}
