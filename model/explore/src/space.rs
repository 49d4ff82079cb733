//! What a search goes through.

use crate::{Axis, Cost, Region};
use derate_machine::ResourceKind;

/// Designs, with what they cost.
pub trait Space {
    /// What is open. Every axis has a value.
    fn axes(&self) -> &[Axis];

    /// What a design costs; `point` has an index into the values of each axis. An objective that is not a number is unknown.
    fn evaluate(&self, point: &[usize]) -> Cost;

    /// How many designs are worth evaluating at once; 1 where one takes next to no time. Default: 1.
    fn batch(&self) -> usize {
        1
    }

    /// Evaluates designs that will be asked for, on all cores. Default: does nothing.
    fn prepare(&self, points: Vec<Vec<usize>>) {
        let _ = points;
    }

    /// What every design of the region costs at least, in the objective and in each resource. An objective that is not a
    /// number bounds nothing.
    fn bound(&self, region: &Region) -> Cost;

    /// What every design of the region takes at least of a resource if it takes at most `most_time`. Default: what [`Space::bound`]
    /// says, whatever the time.
    fn bound_resource(&self, region: &Region, resource: ResourceKind, most_time: f64) -> f64 {
        let _ = most_time;
        self.bound(region).usage.amount(resource)
    }

    /// The axis that a region is halved along; it has several values there. Default: the first such axis.
    fn choose_axis(&self, region: &Region) -> Option<usize> {
        region.open_axis()
    }
}
