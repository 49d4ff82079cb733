//! What each step of a card follows.

use std::collections::{BTreeMap, BTreeSet};

use super::order::{Copy, Transfer};
use super::schedule::Users;

/// One way of the link: transfers that XRT's threads may send in any order are a batch.
#[derive(Debug, Default)]
struct Way {
    /// The last transfer of the batches before.
    last: Option<usize>,
    /// The transfers of this batch: buffer, bytes and step.
    batch: Vec<(u64, u64, usize)>,
    /// The buffers that runs have used since the batch began.
    used: BTreeSet<u64>,
}

/// What each step follows.
#[derive(Debug, Default)]
pub(super) struct Plan {
    follows: Vec<Vec<usize>>,
    users: Users,
    /// The last run of each unit.
    units: BTreeMap<usize, usize>,
    /// The last copy.
    copy: Option<usize>,
    /// To the card and from it.
    ways: [Way; 2],
}

impl Plan {
    /// Adds the next step, a transfer. Another batch begins where something that the one before may have waited for came between.
    pub(super) fn add_transfer(&mut self, transfer: &Transfer<'_>) {
        let Transfer { to_card, buffer, bytes, .. } = *transfer;
        let step = self.follows.len();
        let mut follows = Vec::new();
        self.users.add_use(step, (buffer, to_card), &mut follows);
        self.follows.push(follows);
        let [to, from] = &mut self.ways;
        let way = if to_card { to } else { from };
        let again = way.batch.iter().any(|(one, ..)| *one == buffer);
        if again || way.used.contains(&buffer) {
            way.close_batch(&mut self.follows);
        }
        way.batch.push((buffer, bytes, step));
    }

    /// Adds the next step, a run of a unit.
    pub(super) fn add_run(&mut self, unit: usize, uses: &[(u64, bool)]) {
        let step = self.follows.len();
        let mut follows: Vec<usize> = self.units.insert(unit, step).into_iter().collect();
        for one in uses {
            self.users.add_use(step, *one, &mut follows);
            self.ways.iter_mut().for_each(|way| {
                way.used.insert(one.0);
            });
        }
        self.follows.push(follows);
    }

    /// Adds the next step, a copy: they go one after the other.
    pub(super) fn add_copy(&mut self, copy: &Copy<'_>) {
        let step = self.follows.len();
        let mut follows: Vec<usize> = self.copy.replace(step).into_iter().collect();
        for (place, writes) in [(copy.from, false), (copy.to, true)] {
            let Some(place) = place else { continue };
            self.users.add_use(step, (place.buffer, writes), &mut follows);
            self.ways.iter_mut().for_each(|way| {
                way.used.insert(place.buffer);
            });
        }
        self.follows.push(follows);
    }

    /// What each step follows, in the order in which they were added.
    pub(super) fn into_follows(mut self) -> Vec<Vec<usize>> {
        for way in &mut self.ways {
            way.close_batch(&mut self.follows);
        }
        self.follows
    }
}

impl Way {
    /// Puts the transfers of the batch one after the other, in order of their places.
    fn close_batch(&mut self, follows: &mut [Vec<usize>]) {
        self.batch.sort_unstable();
        for (_, _, step) in std::mem::take(&mut self.batch) {
            if let Some(follows) = follows.get_mut(step) {
                follows.extend(self.last);
            }
            self.last = Some(step);
        }
        self.used.clear();
    }
}
