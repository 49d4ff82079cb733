//! The fewest changes that make a design as good as it is.

use crate::{Design, Space};
use derate_machine::Budget;

/// A design without the changes that give nothing: each axis takes its value of `written` where neither the objective nor the
/// largest share of a limited resource gets worse, as long as `goes_on` says yes.
pub fn simplify_design<S: Space>(
    space: &S,
    limits: &Budget,
    written: &[usize],
    design: Design,
    mut goes_on: impl FnMut() -> bool,
) -> Design {
    let mut best = design;
    loop {
        let before = best.point.clone();
        for (axis, own) in written.iter().enumerate() {
            if best.point.get(axis) == Some(own) {
                continue;
            }
            if !goes_on() {
                return best;
            }
            let mut point = best.point.clone();
            point[axis] = *own;
            let cost = space.evaluate(&point);
            let share = limits.largest_share(&cost.usage).map_or(0.0, |(_, share)| share);
            let is_as_good = cost.objective <= best.cost.objective
                && share <= best.share
                && limits.refusing_resource(&cost.usage).is_none();
            if is_as_good {
                best = Design { point, cost, share };
            }
        }
        if best.point == before {
            return best;
        }
    }
}
