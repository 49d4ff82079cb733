//! What a design costs: time, or whatever is to be small, and resources.

use derate_machine::Usage;
use serde::{Deserialize, Serialize};

/// What a design costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// What is to be small: seconds, cycles, or an amount of a resource. Not a number where it is unknown.
    pub objective: f64,
    /// What it takes of the card.
    pub usage: Usage,
}
