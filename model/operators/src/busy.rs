//! The operators of one unit in the cycles of an interval.

use rustc_hash::FxHashMap;

/// How many operators of a unit start an operation in each cycle, modulo an interval.
#[derive(Debug)]
pub struct Operators {
    most: i64,
    used: FxHashMap<i64, i64>,
    /// For a cycle in which all are taken: so many from there on are full, too.
    full: FxHashMap<i64, i64>,
    /// The waits that the current search has passed.
    passed: Vec<i64>,
}

impl Operators {
    /// So many operators, all free.
    #[must_use]
    pub fn new(most: i64) -> Self {
        Self { most, used: FxHashMap::default(), full: FxHashMap::default(), passed: Vec::new() }
    }

    /// Takes one from a cycle on, and gives the cycles that it waits; `None` where all cycles are full.
    pub fn take(&mut self, cycle: i64, interval: i64) -> Option<i64> {
        let first = cycle.rem_euclid(interval);
        let mut wait = 0;
        self.passed.clear();
        while let Some(full) = self.full.get(&((first + wait) % interval)) {
            self.passed.push(wait);
            wait += full;
            if wait >= interval {
                return None;
            }
        }
        // The next search from any of them goes straight to the end.
        for passed in &self.passed {
            self.full.insert((first + passed) % interval, wait - passed);
        }
        let at = (first + wait) % interval;
        let used = self.used.entry(at).or_default();
        *used += 1;
        if *used >= self.most {
            self.full.insert(at, 1);
        }
        Some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against looking at one cycle after another.
    #[test]
    fn the_first_free_cycle_is_found() {
        for (most, interval) in [(1, 7), (2, 5), (3, 1)] {
            let mut operators = Operators::new(most);
            let mut used = vec![0; usize::try_from(interval).unwrap()];
            for draw in 0..most * interval + 3 {
                let cycle = draw * draw * 5 - 11;
                let free = |wait: &i64| {
                    let at = usize::try_from((cycle + wait).rem_euclid(interval)).unwrap();
                    used[at] < most
                };
                let wait = (0..interval).find(free);
                assert_eq!(operators.take(cycle, interval), wait);
                if let Some(wait) = wait {
                    used[usize::try_from((cycle + wait).rem_euclid(interval)).unwrap()] += 1;
                }
            }
        }
    }
}
