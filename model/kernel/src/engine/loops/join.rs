//! Plain loops that become one: a perfect nest around a loop that holds pipelines.

use crate::answer::Span;
use crate::engine::options::LoopOptions;
use crate::engine::{Activation, Engine, Piece};
use derate_program::{Expr, Loop, Stmt, constant_trips, has_loop};

/// Nests deeper than this are not looked at.
const DEEPEST: usize = 16;

impl<'a> Engine<'a> {
    /// Whether a plain loop and the plain loop in it are flattened.
    ///
    /// A pipeline is a module of its own, so a loop around it is innermost for the tool, and nests of such loops are
    /// flattened like nests around a pipeline.
    pub(super) fn joins_inner(
        &mut self,
        item: &Loop,
        options: &LoopOptions,
        run: &Activation<'a>,
        depth: usize,
    ) -> bool {
        if depth > DEEPEST
            || options.flatten == Some(false)
            || options.unroll.is_some_and(|factor| factor != 1)
            || !is_counted(item)
        {
            return false;
        }
        let inner = match item.body.as_slice() {
            [Stmt::Loop(inner)] => inner,
            [Stmt::Set(target, Expr::Constant(..)), Stmt::Loop(inner)]
                if inner.counter == Some(target.object) =>
            {
                inner
            }
            _ => return false,
        };
        let own = self.directives.of_loop(run.function, inner, self.settings.tool);
        own.flatten != Some(false)
            && is_counted(inner)
            && constant_trips(inner).is_some()
            && (self.holds_pipelines(inner, run) || self.joins_inner(inner, &own, run, depth + 1))
    }

    /// Whether a loop is a plain one, and all loops in it are pipelines.
    fn holds_pipelines(&mut self, item: &Loop, run: &Activation<'a>) -> bool {
        let mut found = false;
        for statement in &item.body {
            match statement {
                Stmt::Loop(inner) => {
                    let own = self.directives.of_loop(run.function, inner, self.settings.tool);
                    if !self.is_pipelined(inner, &own, run) {
                        return false;
                    }
                    found = true;
                }
                Stmt::If(_, then, otherwise) if has_loop(then) || has_loop(otherwise) => {
                    return false;
                }
                _ => {}
            }
        }
        found
    }

    /// The states of an iteration of a joined nest: those of the inner loop's iteration, for as many as it has.
    pub(super) fn joined(&self, pieces: &[Piece]) -> Option<Span> {
        match pieces {
            [Piece::Block(before), Piece::Loop(states, _), Piece::Block(after)]
                if self.is_empty_block(*before) && self.is_empty_block(*after) =>
            {
                Some(*states)
            }
            _ => None,
        }
    }

    /// Makes one loop of a loop and the one in it, as a report shows them.
    pub(super) fn join_answers(&mut self, outer: usize) {
        if outer + 1 >= self.loops.len() {
            return;
        }
        let inner = self.loops.remove(outer + 1);
        for one in &mut self.loops[outer + 1..] {
            one.nest = one.nest.saturating_sub(1);
        }
        let own = &mut self.loops[outer];
        own.label = format!("{}_{}", own.label, inner.label);
        let product = |a: (f64, f64, f64), b: (f64, f64, f64)| (a.0 * b.0, a.1 * b.1, a.2 * b.2);
        own.trip = own.trip.zip(inner.trip).map(|(own, inner)| product(own, inner));
        own.trip_rests_on_type |= inner.trip_rests_on_type;
        own.trip_is_given |= inner.trip_is_given;
        (own.depth, own.is_depth_known) = (inner.depth, inner.is_depth_known);
    }
}

fn is_counted(item: &Loop) -> bool {
    item.counter.is_some() && !item.leaves && item.condition.is_none()
}
