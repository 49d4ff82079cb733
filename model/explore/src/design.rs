//! A design that was evaluated.

use crate::Cost;
use serde::{Deserialize, Serialize};

/// A design that was evaluated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// An index into the values of each axis.
    pub point: Vec<usize>,
    /// What it costs.
    pub cost: Cost,
    /// The largest share of a limited resource that it takes; 1 is all of it.
    pub share: f64,
}
