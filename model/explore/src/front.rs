//! Designs that no other design beats in both objective and share of the card.

use crate::Design;
use serde::{Deserialize, Serialize};

/// A Pareto front over the objective and the largest share of a resource, by rising objective and falling share.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Front {
    designs: Vec<Design>,
}

impl Front {
    /// The designs, the one with the smallest objective first.
    #[must_use]
    pub fn designs(&self) -> &[Design] {
        &self.designs
    }

    /// Whether a design of it is at least as good in both.
    #[must_use]
    pub fn dominates(&self, objective: f64, share: f64) -> bool {
        let faster = self.designs.partition_point(|one| one.cost.objective <= objective);
        // Shares fall along the front, so the last of the faster ones has the smallest.
        faster > 0 && self.designs[faster - 1].share <= share
    }

    /// Takes a design in, unless one that is there is at least as good in both.
    pub fn insert(&mut self, design: Design) {
        let (objective, share) = (design.cost.objective, design.share);
        if objective.is_nan() || self.dominates(objective, share) {
            return;
        }
        let from = self.designs.partition_point(|one| one.cost.objective < objective);
        let worse = self.designs[from..].iter().take_while(|one| one.share >= share).count();
        self.designs.splice(from..from + worse, [design]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cost;

    fn design(objective: f64, share: f64) -> Design {
        let cost = Cost { objective, ..Cost::default() };
        Design { point: vec![], cost, share }
    }

    #[test]
    fn only_designs_that_nothing_beats_are_kept() {
        let mut front = Front::default();
        for (objective, share) in [(5.0, 0.5), (4.0, 0.6), (6.0, 0.5), (4.0, 0.4), (9.0, 0.1)] {
            front.insert(design(objective, share));
        }
        let left: Vec<f64> = front.designs().iter().map(|one| one.cost.objective).collect();
        assert_eq!(left, [4.0, 9.0]);
        assert!(front.dominates(4.5, 0.45) && !front.dominates(3.9, 0.9));
    }
}
