//! Super logic regions of a chip, each with its own resources.

use derate_machine::{Budget, ResourceKind, Usage};

/// Regions of a chip that have the same resources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChipRegions {
    /// How many there are.
    pub count: usize,
    /// What each has.
    pub budget: Budget,
}

/// Steps that a search for places may take; then units count as not placed.
const MOST_STEPS: usize = 20_000;

impl ChipRegions {
    /// An equal share of a budget for each of so many regions.
    #[must_use]
    pub fn share(count: usize, all: &Budget) -> Self {
        let part = |amount: Option<f64>| Some(amount? / count.max(1) as f64);
        let budget = Budget {
            dsp: part(all.dsp),
            bram18: part(all.bram18),
            uram: part(all.uram),
            lut: part(all.lut),
            ff: part(all.ff),
        };
        Self { count: count.max(1), budget }
    }

    /// The region of each unit, so that no region has more than it can take; `None` where no such places are found.
    #[must_use]
    pub fn place(&self, units: &[Usage]) -> Option<Vec<usize>> {
        let share = |unit: &Usage| self.budget.largest_share(unit).map_or(0.0, |(_, share)| share);
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by(|a, b| share(&units[*b]).total_cmp(&share(&units[*a])).then(a.cmp(b)));
        let mut places = vec![0; units.len()];
        let mut used = vec![Usage::default(); self.count];
        let mut steps = 0;
        self.place_rest(&order, units, &mut used, &mut places, &mut steps).then_some(places)
    }

    fn place_rest(
        &self,
        order: &[usize],
        units: &[Usage],
        used: &mut [Usage],
        places: &mut [usize],
        steps: &mut usize,
    ) -> bool {
        let Some((first, rest)) = order.split_first() else { return true };
        for region in 0..self.count {
            *steps += 1;
            if *steps > MOST_STEPS {
                return false;
            }
            let before = used[region];
            // An empty region is like every other empty one.
            let is_repeated = used[..region].contains(&before);
            let sum = before + units[*first];
            if is_repeated || self.budget.refusing_resource(&sum).is_some() {
                continue;
            }
            (used[region], places[*first]) = (sum, region);
            if self.place_rest(rest, units, used, places, steps) {
                return true;
            }
            used[region] = before;
        }
        false
    }

    /// A usage that the resource of which most is taken refuses.
    #[must_use]
    pub fn refuse(&self, usage: &Usage) -> Usage {
        let mut refused = *usage;
        let most = self.budget.largest_share(usage).map(|(resource, _)| resource);
        *match most.unwrap_or(ResourceKind::Dsp) {
            ResourceKind::Dsp => &mut refused.dsp,
            ResourceKind::Bram18 => &mut refused.bram18,
            ResourceKind::Uram => &mut refused.uram,
            ResourceKind::Lut => &mut refused.lut,
            ResourceKind::Ff => &mut refused.ff,
        } = f64::INFINITY;
        refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dsp(amount: f64) -> Usage {
        Usage { dsp: amount, ..Usage::default() }
    }

    #[test]
    fn units_are_placed_where_a_region_has_room() {
        let all = Budget { dsp: Some(30.0), ..Budget::default() };
        let regions = ChipRegions::share(3, &all);
        assert_eq!(regions.budget.dsp, Some(10.0));
        let places = regions.place(&[dsp(4.0), dsp(10.0), dsp(6.0), dsp(9.0)]).unwrap();
        assert!(places[0] == places[2] && places[1] != places[3]);
        // 27 of 30 in all, but 9 units of 3 and one of 9 leave no region for the last.
        assert_eq!(regions.place(&[dsp(6.0); 4]), None);
        assert_eq!(regions.place(&[dsp(11.0)]), None);
    }
}
