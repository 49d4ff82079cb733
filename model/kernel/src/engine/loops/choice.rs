//! Which loops become pipelines, and which are unrolled for it.

use crate::engine::options::LoopOptions;
use crate::engine::{Activation, Engine};
use crate::graph::{Cut, Implementation};
use derate_program::{
    Loop, ObjectId, ObjectKind, Stmt, assigned_objects, body_mentions, can_unroll_all,
    constant_trips, has_loop, known_trips,
};
use std::collections::BTreeSet;

/// The first version whose reports keep large functions with loops out of the loop around. A function that computes sines is one:
/// reports of 2021.1 and 2023.1 differ so for the same source and directives. Ciphers of whole numbers in such functions are taken
/// in by a version that keeps that of the sines out.
const KEEPS_LARGE: (u16, u16) = (2022, 1);

impl<'a> Engine<'a> {
    /// Whether the loop itself becomes a pipeline.
    pub(super) fn is_pipelined(
        &mut self,
        item: &Loop,
        options: &LoopOptions,
        run: &Activation<'a>,
    ) -> bool {
        if item.test_last && item.counter.is_none() && has_loop(&item.body) {
            return false;
        }
        self.varying.clear();
        self.varying.extend(item.counter);
        assigned_objects(&item.body, &mut self.varying);
        match options.pipeline {
            Some(asked) => asked && self.can_flatten_all(&item.body, run),
            None => {
                // A `memcpy` is a burst in every version (UG902, *Using memcpy for burst transfers*).
                (self.settings.pipeline_loops > 0 || item.is_copy)
                    && self.refused == 0
                    && !options.dataflow
                    && (self.is_innermost(&item.body, run, 0)
                        || self.takes_short_loops(&item.body, run))
            }
        }
    }

    /// Whether the loops in a body are so short that the tool unrolls them and pipelines the loop around.
    pub(super) fn takes_short_loops(&self, body: &[Stmt], run: &Activation<'a>) -> bool {
        self.short_iterations(body, run).is_some_and(|iterations| iterations > 0)
    }

    /// The most iterations that a nest in a body unrolls to; 0 without loops, `None` if one is too long to be unrolled.
    fn short_iterations(&self, body: &[Stmt], run: &Activation<'a>) -> Option<u64> {
        let mut most = 0;
        let loops = body.iter().filter(|statement| matches!(statement, Stmt::Loop(_))).count();
        for statement in body {
            let iterations = match statement {
                // Beside other loops, what runs once is none, and its directives go with it.
                Stmt::Loop(inner) if loops > 1 && constant_trips(inner) == Some(1) => {
                    self.short_iterations(&inner.body, run)?
                }
                Stmt::Loop(inner) => self.short_nest(inner, run)?,
                Stmt::If(_, then, otherwise) if has_loop(then) || has_loop(otherwise) => {
                    return None;
                }
                Stmt::Call(call) if !self.is_innermost_callee(call.function, 0) => {
                    self.short_callee(call.function)?
                }
                _ => 0,
            };
            most = most.max(iterations);
        }
        Some(most)
    }

    /// The most iterations that a loop in a function unrolls to, where the tool takes the function into the loop around.
    fn short_callee(&self, function: usize) -> Option<u64> {
        self.recall_short_callee(function, || {
            let callee = &self.program.functions[function];
            let is_large = self.settings.tool >= KEEPS_LARGE && self.has_sines(function, 0);
            if is_large || self.asks_inlining(callee) == Some(false) {
                return None;
            }
            let inner = Activation { function: callee, bound: vec![None; callee.objects.len()] };
            self.short_iterations(&callee.body, &inner)
        })
    }

    /// The iterations of a loop with those in it, if the tool unrolls them all by itself.
    fn short_nest(&self, inner: &Loop, run: &Activation<'a>) -> Option<u64> {
        let options = self.directives.of_loop(run.function, inner, self.settings.tool);
        let trips = constant_trips(inner)
            .or_else(|| known_trips(inner, &|object| self.number_of(object, run)))?;
        let unrolled = options.unroll.is_none_or(|factor| factor == 0 || factor >= trips);
        let free = options.pipeline.is_none() && unrolled;
        if !free || self.meets_cut_array(&inner.body, run) {
            return None;
        }
        let inside = if self.is_innermost(&inner.body, run, 0) {
            1
        } else {
            self.short_iterations(&inner.body, run)?.max(1)
        };
        let all = trips.saturating_mul(inside);
        (all <= self.settings.pipeline_loops).then_some(all.max(1))
    }

    /// Makes the arrays that a body uses, so that the directives that cut them are known.
    pub(super) fn bind_arrays(&mut self, body: &[Stmt], run: &mut Activation<'a>) {
        let objects = run.function.objects.iter().zip(&run.bound).enumerate();
        let unmade = objects
            .filter(|(_, (object, bound))| object.kind == ObjectKind::Array && bound.is_none());
        let unmade: Vec<ObjectId> = unmade.map(|(at, _)| at).collect();
        for object in unmade {
            if body_mentions(body, &BTreeSet::from([object])) {
                self.bind(run, object);
            }
        }
    }

    /// Whether a body uses a local array that a directive cuts into memories: the tool cannot cut it as unrolling needs.
    fn meets_cut_array(&self, body: &[Stmt], run: &Activation<'a>) -> bool {
        let cut = |bound: &crate::engine::Bound| {
            let storage = &self.storages[bound.storage];
            !storage.is_top
                && storage.implementation != Implementation::Registers
                && storage.cuts.iter().any(|cut| !matches!(cut, Cut::Whole))
        };
        let bound = run.bound.iter().enumerate();
        let cut: BTreeSet<ObjectId> = bound
            .filter(|(_, bound)| bound.as_ref().is_some_and(cut))
            .map(|(object, _)| object)
            .collect();
        !cut.is_empty() && body_mentions(body, &cut)
    }

    /// Whether a body has no loop that stays one.
    pub(super) fn is_innermost(&self, body: &[Stmt], run: &Activation<'a>, depth: usize) -> bool {
        depth < 20
            && body.iter().all(|statement| match statement {
                Stmt::Loop(inner) => {
                    let options = self.directives.of_loop(run.function, inner, self.settings.tool);
                    let fixed = constant_trips(inner);
                    let whole = unrolls_whole(&options, fixed) || fixed.is_some_and(|n| n <= 1);
                    whole && self.is_innermost(&inner.body, run, depth + 1)
                }
                Stmt::If(_, then, otherwise) => {
                    self.is_innermost(then, run, depth) && self.is_innermost(otherwise, run, depth)
                }
                Stmt::Call(call) => self.is_innermost_callee(call.function, depth + 1),
                _ => true,
            })
    }

    /// Whether all loops in a body can be unrolled.
    pub(crate) fn can_flatten_all(&self, body: &[Stmt], run: &Activation<'a>) -> bool {
        let of = |object| self.number_of(object, run);
        can_unroll_all(self.program, body, &of)
    }

    /// Whether the tool unrolls a loop for a pipeline around it that it then cannot make: it looks for what stays a loop only
    /// afterwards (`Unrolling loop` in front of `Unable to satisfy pipeline directive`). Copies of what holds a loop without a
    /// fixed number of iterations follow one another as its iterations do.
    pub(super) fn is_unrolled_for_refused(&mut self, item: &Loop, run: &Activation<'a>) -> bool {
        if self.refused == 0 {
            return false;
        }
        self.varying.clear();
        self.varying.extend(item.counter);
        assigned_objects(&item.body, &mut self.varying);
        self.can_flatten_all(&item.body, run)
    }

    /// The number that a scalar holds here, where what is looked at does not write it.
    fn number_of(&self, object: ObjectId, run: &Activation<'a>) -> Option<i128> {
        if self.varying.contains(&object) {
            return None;
        }
        let bound = run.bound.get(object)?.as_ref()?;
        self.env.get(&(bound.storage, 0))?.whole()
    }
}

/// Whether directives unroll all iterations of a loop.
pub(super) fn unrolls_whole(options: &LoopOptions, trips: Option<u64>) -> bool {
    match (options.unroll, trips) {
        (Some(0), Some(_)) => true,
        (Some(factor), Some(trips)) => factor >= trips && factor > 1,
        _ => false,
    }
}
