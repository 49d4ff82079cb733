//! Where nodes are if one of them starts at 0 and all else is ready.

use super::Slot;
use super::place::{self, Start};
use super::work::Work;
use crate::engine::Engine;

/// The nodes behind one of them, by their positions. It is made once for a block: each question then costs what is behind its node.
pub(super) struct Reach {
    /// The positions that wait for each one.
    followers: Vec<Vec<usize>>,
    slots: Vec<Option<Slot>>,
    /// Those that have a slot.
    reached: Vec<usize>,
    /// One bit for each position that is still to be placed.
    open: Vec<u64>,
}

impl Reach {
    pub(super) fn of(work: &Work) -> Self {
        let count = work.live.len();
        let mut followers = vec![Vec::new(); count];
        for (at, all) in work.before.iter().enumerate() {
            for (before, _) in all.iter().filter(|(before, _)| *before < at) {
                followers[*before].push(at);
            }
        }
        let open = vec![0; count.div_ceil(64)];
        Self { followers, slots: vec![None; count], reached: Vec::new(), open }
    }

    /// Where a node is, if it is behind the one that was asked for.
    pub(super) fn slot(&self, at: usize) -> Option<&Slot> {
        self.slots.get(at)?.as_ref()
    }

    fn put(&mut self, at: usize, last: usize, slot: Slot) {
        self.slots[at] = Some(slot);
        self.reached.push(at);
        for follower in self.followers[at].iter().filter(|follower| **follower <= last) {
            self.open[follower / 64] |= 1 << (follower % 64);
        }
    }

    /// The first open position of a word of 64 and of those behind it.
    fn take_open(&mut self, word: &mut usize) -> Option<usize> {
        while *word < self.open.len() {
            let bits = &mut self.open[*word];
            if *bits != 0 {
                let at = *word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(at);
            }
            *word += 1;
        }
        None
    }
}

impl Engine<'_> {
    /// Places what is behind a node that starts at 0, up to the position `last`.
    pub(super) fn follow(&self, work: &Work, target: usize, last: usize, reach: &mut Reach) {
        for at in reach.reached.drain(..) {
            reach.slots[at] = None;
        }
        let start = Start { cycle: 0, time: 0.0 };
        reach.put(target, last, place::finish(start, work.timing[target]));
        let mut word = target / 64;
        while let Some(at) = reach.take_open(&mut word) {
            let mut earliest: Option<Start> = None;
            for (before, gap) in &work.before[at] {
                let Some(slot) = reach.slot(*before) else { continue };
                let ready = match gap {
                    None => Start { cycle: slot.end, time: slot.time },
                    Some(gap) => Start { cycle: slot.start + gap, time: 0.0 },
                };
                earliest = Some(earliest.map_or(ready, |earliest| earliest.later(ready)));
            }
            if let Some(earliest) = earliest {
                let start = self.fit_into_cycle(work, at, earliest);
                reach.put(at, last, place::finish(start, work.timing[at]));
            }
        }
    }
}
