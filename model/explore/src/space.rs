//! What a search goes through.

use crate::{Axis, Cost, Region};

/// Designs, with what they cost.
pub trait Space {
    /// What is open. Every axis has a value.
    fn axes(&self) -> &[Axis];

    /// What a design costs; `point` has an index into the values of each axis. An objective that is not a number is unknown.
    fn evaluate(&self, point: &[usize]) -> Cost;

    /// What every design of the region costs at least, in the objective and in each resource. An objective that is not a
    /// number bounds nothing.
    fn bound(&self, region: &Region) -> Cost;

    /// The axis that a region is halved along; it has several values there. Default: the first such axis.
    fn choose_axis(&self, region: &Region) -> Option<usize> {
        region.open_axis()
    }
}
