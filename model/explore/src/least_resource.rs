//! The smallest amount of a resource within a time.

use crate::{Axis, Cost, Region, Space};
use derate_machine::ResourceKind;

/// The designs of another space, whose objective is time, with an amount of a resource as objective. Designs that take longer
/// than the limit take forever.
#[derive(Clone, Copy, Debug)]
pub struct LeastResource<'a, S> {
    timed: &'a S,
    resource: ResourceKind,
    most_time: f64,
}

impl<'a, S: Space> LeastResource<'a, S> {
    /// The designs of `timed` that take at most `most_time`, in the unit of its objective.
    #[must_use]
    pub fn new(timed: &'a S, resource: ResourceKind, most_time: f64) -> Self {
        Self { timed, resource, most_time }
    }
}

impl<S: Space> Space for LeastResource<'_, S> {
    fn axes(&self) -> &[Axis] {
        self.timed.axes()
    }

    fn evaluate(&self, point: &[usize]) -> Cost {
        let cost = self.timed.evaluate(point);
        let objective = if cost.objective.is_nan() {
            f64::NAN
        } else if cost.objective > self.most_time {
            f64::INFINITY
        } else {
            cost.usage.amount(self.resource)
        };
        Cost { objective, ..cost }
    }

    fn batch(&self) -> usize {
        self.timed.batch()
    }

    fn prepare(&self, points: Vec<Vec<usize>>) {
        self.timed.prepare(points);
    }

    fn bound(&self, region: &Region) -> Cost {
        let cost = self.timed.bound(region);
        let objective = if cost.objective > self.most_time {
            f64::INFINITY
        } else {
            let least = self.timed.bound_resource(region, self.resource, self.most_time);
            least.max(cost.usage.amount(self.resource))
        };
        Cost { objective, ..cost }
    }

    fn choose_axis(&self, region: &Region) -> Option<usize> {
        self.timed.choose_axis(region)
    }
}
