//! Nests of loops that become one pipeline.

use crate::engine::options::LoopOptions;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow};
use crate::graph::Value;
use derate_program::{
    Expr, Loop, ObjectId, Stmt, any_in, assigned_objects, constant_trips, holds_element, mentions,
    takes_last_store,
};
use std::collections::BTreeSet;

use crate::engine::loops::choice::unrolls_whole;

/// From this version on the tool moves what is written before and after a loop into it, to flatten the nest around it.
const MOVES_STATEMENTS: (u16, u16) = (2023, 1);

impl<'a> Engine<'a> {
    /// The nest that becomes one pipeline, with its bounds and the options of its innermost loop.
    #[allow(clippy::type_complexity)]
    pub(super) fn flattened(
        &mut self,
        item: &'a Loop,
        bounds: (Value, Option<Value>, Trip),
        options: &LoopOptions,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Option<(Vec<&'a Loop>, Vec<(Value, Option<Value>, Trip)>, LoopOptions)> {
        let mut nest = vec![item];
        let mut all = vec![bounds];
        let mut outer = options.clone();
        let mut moves_statements = false;
        loop {
            let last = *nest.last()?;
            if outer.unroll.is_some_and(|factor| factor != 1)
                || outer.pipeline == Some(true)
                || outer.flatten == Some(false)
                || last.counter.is_none()
                || last.leaves
                || all.last()?.2.is_open
                || last.condition.is_some()
            {
                return None;
            }
            let (at, inner) = inner_loop(&last.body)?;
            let sets_counter = |one: &&Stmt| matches!(one, Stmt::Set(target, _) if inner.counter == Some(target.object));
            let before = last.body[..at].last().filter(sets_counter);
            if let Some(Stmt::Set(_, value)) = before
                && !matches!(value, Expr::Constant(..))
            {
                return None;
            }
            let is_perfect = last.body.len() == 1 + usize::from(before.is_some());
            moves_statements |= !is_perfect;
            if !is_perfect
                && (!self.moves(&last.body[..at], all.last()?.2)
                    || !self.is_straight(&last.body[..at], 0)
                    || !self.is_straight(&last.body[at + 1..], 0))
            {
                return None;
            }
            let inner_options = self.directives.of_loop(run.function, inner, self.settings.tool);
            if inner_options.flatten == Some(false)
                || inner.leaves
                || inner.counter.is_none()
                || (outer.pipeline == Some(false)
                    && unrolls_whole(&inner_options, constant_trips(inner)))
            {
                return None;
            }
            // Bounds that depend on the loops around are not known before these run.
            let mut changing = BTreeSet::new();
            for around in &nest {
                changing.extend(around.counter);
                assigned_objects(&around.body, &mut changing);
            }
            changing.remove(&inner.counter.unwrap_or(ObjectId::MAX));
            if std::iter::once(&inner.start)
                .chain(&inner.end)
                .any(|bound| mentions(bound, &changing))
            {
                return None;
            }
            let is_pipeline = self.is_pipelined(inner, &inner_options, run);
            if inner_options.unroll.is_some_and(|factor| factor != 1) && !is_pipeline {
                return None;
            }
            let start = match before {
                Some(Stmt::Set(_, value)) => self.value(value, run, flow),
                _ => self.value(&inner.start, run, flow),
            };
            let end = inner.end.as_ref().map(|end| self.value(end, run, flow));
            let trip = self.trip_of(inner, start, end, &inner_options, run);
            // Bounds that vary with loops outside the nest are known when it begins.
            if trip.is_open || trip.most < 1.0 || end.is_none() {
                return None;
            }
            nest.push(inner);
            all.push((start, end, trip));
            // From 2023.2 on such a nest is flattened all the same.
            let holds = !moves_statements
                && self.settings.tool < (2023, 2)
                && (holds_element(inner) || takes_last_store(inner));
            if is_pipeline && holds {
                return None;
            }
            if is_pipeline {
                let is_single = inner_options.pipeline == Some(true)
                    && all.last()?.2.whole() == Some(1)
                    && nest.len() > 2
                    && any_in(&inner.body, &mut |one| matches!(one, Stmt::If(..)))
                    && all[all.len() - 2]
                        .2
                        .whole()
                        .is_some_and(|trips| trips <= self.settings.pipeline_loops);
                if is_single && self.can_flatten_all(&nest[nest.len() - 3].body, run) {
                    // The tool takes the loop of one iteration out, with its directive. The loop around it is short enough to be
                    // unrolled, and the one around that becomes a pipeline: reports of 2023.2 have `loop48` at 32 iterations and `II=32` where the
                    // source pipelines `loop50`, once in each of the 32 iterations of `loop49` in it. Without a condition in its
                    // body the nest is flattened as others are: `loop66_loop67`.
                    nest.truncate(nest.len() - 2);
                    all.truncate(nest.len());
                }
                return Some((nest, all, inner_options));
            }
            outer = inner_options;
        }
    }
}

impl Engine<'_> {
    /// Whether the tool moves what is before an inner loop into it, for a loop of these trips around both. In 2023.1 it
    /// leaves loops alone whose trips vary, and what waits for a memory.
    fn moves(&self, before: &[Stmt], trip: Trip) -> bool {
        let simple = trip.whole().is_some() && !before.iter().any(reads_element);
        self.settings.tool >= MOVES_STATEMENTS && (simple || self.settings.tool >= (2023, 2))
    }
}

/// Whether a statement reads an array.
fn reads_element(statement: &Stmt) -> bool {
    match statement {
        Stmt::Set(_, value) | Stmt::Push(_, value) | Stmt::Evaluate(value) => reads_memory(value),
        Stmt::If(condition, then, otherwise) => {
            reads_memory(condition) || then.iter().chain(otherwise).any(reads_element)
        }
        Stmt::Return | Stmt::Break | Stmt::Continue => false,
        Stmt::Loop(_) | Stmt::Call(_) => true,
    }
}

fn reads_memory(expr: &Expr) -> bool {
    expr.any(&mut |part| match part {
        Expr::Pop(..) => true,
        Expr::Read(access, _) => !access.index.is_empty(),
        _ => false,
    })
}

/// The only loop of a body, and which statement it is.
pub(super) fn inner_loop(body: &[Stmt]) -> Option<(usize, &Loop)> {
    let mut loops = body.iter().enumerate().filter_map(|(at, statement)| match statement {
        Stmt::Loop(inner) => Some((at, &**inner)),
        _ => None,
    });
    let found = loops.next()?;
    loops.next().is_none().then_some(found)
}
