//! Ways out of an iteration before its last loops and calls: `if (i < 3) continue;`.

use super::{Activation, Engine, Flow};
use derate_program::{Stmt, may_leave};

impl<'a> Engine<'a> {
    /// Whether a condition may end the iteration before loops or modules that follow.
    pub(super) fn ends_before(&self, statement: &Stmt, rest: &[Stmt], flow: &Flow) -> bool {
        !flow.pipelined && may_leave(statement) && !self.is_straight(rest, 0)
    }

    /// A condition that may end the iteration, and what follows. What a `continue` passes over is the other way of its
    /// condition; how often the rest is reached after another way out is not known.
    pub(super) fn end_before(
        &mut self,
        statement: &'a Stmt,
        rest: &'a [Stmt],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        if let Stmt::If(condition, then, otherwise) = statement
            && (goes_on(then) || goes_on(otherwise))
        {
            let value = self.value(condition, run, flow);
            if value.node().is_some() {
                // After the way that ends, what follows is not run.
                let ways: [&[&'a [Stmt]]; 2] = [&[then, rest], &[otherwise, rest]];
                return self.branch(value, ways, run, flow);
            }
        }
        self.statement(statement, run, flow);
        self.within_way((None, true), |engine| engine.statements(rest, run, flow));
    }

    /// Runs statements after others, until one of them ends the iteration.
    pub(super) fn run_parts(
        &mut self,
        parts: &[&'a [Stmt]],
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let Some((first, rest)) = parts.split_first() else { return };
        self.statements(first, run, flow);
        if flow.left || rest.is_empty() {
            return;
        }
        if first.iter().any(may_leave) {
            self.within_way((None, true), |engine| engine.run_parts(rest, run, flow));
        } else {
            self.run_parts(rest, run, flow);
        }
    }
}

/// Whether statements end in `continue`.
fn goes_on(body: &[Stmt]) -> bool {
    matches!(body.last(), Some(Stmt::Continue))
}
