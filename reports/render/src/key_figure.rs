//! Key figures: the few numbers that carry the verdict.

use serde::Serialize;

use crate::Cell;

/// One figure under several readings, such as claimed beside derived.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeyFigure {
    /// What the figure is, with its unit, such as `Bandwidth (GB/s)`.
    pub label: String,
    /// The readings: the column's heading and the value below it.
    pub values: Vec<(String, Cell)>,
}
