//! Where nodes are if one of them starts at 0 and all else is ready.

use super::Slot;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes behind one of them, by their positions. It is made once for a block, where it is first asked: each question then costs
/// what is behind its node.
pub(super) struct Reach {
    /// The positions that wait for each one.
    followers: Vec<Vec<usize>>,
    slots: Vec<Option<Slot>>,
    /// Those that have a slot.
    reached: Vec<usize>,
    /// One bit for each position that is still to be placed.
    open: Vec<u64>,
    /// The number of each node that questions start at, of the first of them.
    starts: BTreeMap<usize, usize>,
    /// For each position a bit for each start from which questions may lead through it.
    asked: Vec<Starts>,
}

/// One bit for each start.
type Starts = [u64; STARTS / 64];

/// Starts that have a bit of their own.
const STARTS: usize = 256;

impl Reach {
    /// For questions from some nodes to others, by their positions.
    pub(super) fn of(before: &[Vec<(usize, Option<i64>)>], questions: &[(usize, usize)]) -> Self {
        let count = before.len();
        let mut followers = vec![Vec::new(); count];
        for (at, all) in before.iter().enumerate() {
            for (before, _) in all.iter().filter(|(before, _)| *before < at) {
                followers[*before].push(at);
            }
        }
        let distinct: BTreeSet<usize> = questions.iter().map(|(start, _)| *start).collect();
        let starts: BTreeMap<usize, usize> = distinct.into_iter().take(STARTS).zip(0..).collect();
        let mut asked: Vec<Starts> = vec![[0; STARTS / 64]; count];
        for (start, end) in questions {
            if let Some(number) = starts.get(start) {
                asked[*end][number / 64] |= 1 << (number % 64);
            }
        }
        for at in (0..count).rev() {
            let own = asked[at];
            if own.iter().any(|bits| *bits != 0) {
                for (before, _) in before[at].iter().filter(|(before, _)| *before < at) {
                    for (bits, own) in asked[*before].iter_mut().zip(own) {
                        *bits |= own;
                    }
                }
            }
        }
        let open = vec![0; count.div_ceil(64)];
        Self { followers, slots: vec![None; count], reached: Vec::new(), open, starts, asked }
    }

    /// Where a node is, if it is behind the one that was asked for.
    pub(super) fn slot(&self, at: usize) -> Option<&Slot> {
        self.slots.get(at)?.as_ref()
    }

    /// The number of a node that questions start at.
    pub(super) fn start(&self, at: usize) -> Option<usize> {
        self.starts.get(&at).copied()
    }

    /// Puts a node, and opens those up to `last` that wait for it and that questions from the start lead through.
    pub(super) fn put(&mut self, at: usize, (start, last): (Option<usize>, usize), slot: Slot) {
        self.slots[at] = Some(slot);
        self.reached.push(at);
        for follower in self.followers[at].iter().filter(|follower| **follower <= last) {
            let asked = &self.asked[*follower];
            if start.is_none_or(|start| asked[start / 64] & (1 << (start % 64)) != 0) {
                self.open[follower / 64] |= 1 << (follower % 64);
            }
        }
    }

    /// The first open position of a word of 64 and of those behind it.
    pub(super) fn take_open(&mut self, word: &mut usize) -> Option<usize> {
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

    /// Forgets the nodes of the question before.
    pub(super) fn clear(&mut self) {
        for at in self.reached.drain(..) {
            self.slots[at] = None;
        }
    }
}
