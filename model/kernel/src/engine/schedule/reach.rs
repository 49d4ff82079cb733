//! Where nodes are if one of them starts at 0 and all else is ready.

use super::Slot;

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
    /// For each position a bit for each question whose answer it may change.
    asked: Vec<Questions>,
}

/// One bit for each question.
type Questions = [u64; QUESTIONS / 64];

/// Questions that are answered at most.
pub(super) const QUESTIONS: usize = 256;

impl Reach {
    pub(super) fn of(before: &[Vec<(usize, Option<i64>)>]) -> Self {
        let count = before.len();
        let mut followers = vec![Vec::new(); count];
        for (at, all) in before.iter().enumerate() {
            for (before, _) in all.iter().filter(|(before, _)| *before < at) {
                followers[*before].push(at);
            }
        }
        let open = vec![0; count.div_ceil(64)];
        let asked = vec![[0; QUESTIONS / 64]; count];
        Self { followers, slots: vec![None; count], reached: Vec::new(), open, asked }
    }

    /// Asks for the slots of some positions, each with the number of its question: what none of them waits for is passed over.
    pub(super) fn ask(&mut self, positions: impl Iterator<Item = (usize, usize)>) {
        self.asked.fill([0; QUESTIONS / 64]);
        for (question, at) in positions {
            self.asked[at][question / 64] |= 1 << (question % 64);
        }
        for at in (0..self.followers.len()).rev() {
            let mut all = self.asked[at];
            for follower in &self.followers[at] {
                for (own, bits) in all.iter_mut().zip(&self.asked[*follower]) {
                    *own |= bits;
                }
            }
            self.asked[at] = all;
        }
    }

    /// Whether the slot of a position may change the answer to a question.
    pub(super) fn is_asked(&self, at: usize, question: usize) -> bool {
        is_set(&self.asked[at], question)
    }

    /// Where a node is, if it is behind the one that was asked for.
    pub(super) fn slot(&self, at: usize) -> Option<&Slot> {
        self.slots.get(at)?.as_ref()
    }

    /// Puts a node, and opens those that wait for it and that the question asks for.
    pub(super) fn put(&mut self, at: usize, question: usize, slot: Slot) {
        self.slots[at] = Some(slot);
        self.reached.push(at);
        for follower in &self.followers[at] {
            if is_set(&self.asked[*follower], question) {
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

fn is_set(questions: &Questions, question: usize) -> bool {
    questions[question / 64] & (1 << (question % 64)) != 0
}
