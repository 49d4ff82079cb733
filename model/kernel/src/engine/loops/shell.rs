//! What is written around the innermost loop of a nest that becomes one pipeline: it moves into the first and the last
//! iteration of that loop.

use crate::engine::loops::nest::inner_loop;
use crate::engine::{Activation, Engine, Flow};
use crate::graph::BlockId;
use derate_program::{Loop, Stmt};
use std::collections::BTreeSet;

/// The statements around the innermost loop, in the order in which they run.
#[derive(Default)]
pub(super) struct Shell<'a> {
    before: Vec<&'a [Stmt]>,
    after: Vec<&'a [Stmt]>,
}

impl<'a> Shell<'a> {
    /// Takes a nest apart. Statements that only set the counter of the loop that follows are not part of it.
    pub(super) fn around(nest: &[&'a Loop]) -> Self {
        let mut shell = Self::default();
        for item in &nest[..nest.len().saturating_sub(1)] {
            let Some((at, inner)) = inner_loop(&item.body) else { continue };
            let sets_counter = |one: &Stmt| matches!(one, Stmt::Set(target, _) if inner.counter == Some(target.object) && target.index.is_empty());
            let end = if item.body[..at].last().is_some_and(sets_counter) { at - 1 } else { at };
            shell.before.push(&item.body[..end]);
            shell.after.insert(0, &item.body[at + 1..]);
        }
        shell
    }

    pub(super) fn is_empty(&self) -> bool {
        self.before.iter().chain(&self.after).all(|part| part.is_empty())
    }
}

impl<'a> Engine<'a> {
    /// Runs what is before the innermost loop; the counters around are there.
    pub(super) fn run_before(
        &mut self,
        shell: &Shell<'a>,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        for part in &shell.before {
            self.statements(part, run, flow);
            flow.left = false;
        }
    }

    /// Runs what is after the innermost loop, which changed `assigned`. Returns its block.
    pub(super) fn run_after(
        &mut self,
        shell: &Shell<'a>,
        assigned: &BTreeSet<usize>,
        run: &mut Activation<'a>,
    ) -> BlockId {
        let block = self.begin_block();
        let mut flow = Flow::new(block, false);
        let changed: Vec<(usize, u64)> = self.env.within(assigned).map(|one| one.0).collect();
        for key in changed {
            let ty = self.storages[key.0].ty;
            let value = self.input(ty, &flow, derate_program::Place::default());
            self.set_scalar(key, value);
        }
        for part in &shell.after {
            self.statements(part, run, &mut flow);
            flow.left = false;
        }
        block
    }

    /// Cycles that a block adds to the depth of the pipeline that it is moved into.
    pub(super) fn added_depth(&mut self, block: BlockId) -> u64 {
        if self.is_empty_block(block) {
            return 0;
        }
        self.balance(block);
        let states = self.block_states(block).worst;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let states = states as u64;
        states.saturating_sub(1)
    }
}
