use serde::{Deserialize, Serialize};

use derate_machine::bandwidth::Direction;

/// Equal ports: as many as `count`, each `bits` wide, which reach `banks` together.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PortGroup {
    /// Which way they move data; `copy` is both ways at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// How many, in all compute units.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Bits that one of them moves in a cycle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<u64>,
    /// The banks that they reach together, as `sp=` of a v++ configuration names them: `HBM[0:31]`, `DDR[0]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banks: Option<String>,
}
