//! Nests of loops that become one pipeline.

use crate::engine::options::LoopOptions;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow};
use crate::graph::Value;
use crate::ir::{Access, Argument, Expr, Loop, ObjectId, Stmt};
use std::collections::BTreeSet;

use crate::engine::loops::counter::assigned_objects;
use crate::engine::loops::held::holds_element;
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
            let (before, inner) = match last.body.as_slice() {
                [Stmt::Loop(inner)] => (None, inner),
                [Stmt::Set(target, Expr::Constant(..)), Stmt::Loop(inner)]
                    if inner.counter == Some(target.object) =>
                {
                    (Some(&last.body[0]), inner)
                }
                _ => return None,
            };
            let inner_options = self.directives.of_loop(run.function, inner, self.settings.tool);
            if inner_options.flatten == Some(false) || inner.leaves || inner.counter.is_none() {
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
            trip.whole()?;
            // Bounds that depend on the counter around are not known before it runs.
            let fixed = [Some(start), end]
                .into_iter()
                .flatten()
                .all(|value| matches!(value, Value::Constant(_)));
            if !fixed {
                return None;
            }
            nest.push(inner);
            all.push((start, end, trip));
            // From 2023.2 on such a nest is flattened all the same.
            if is_pipeline && self.settings.tool < (2023, 2) && holds_element(inner) {
                return None;
            }
            if is_pipeline {
                return Some((nest, all, inner_options));
            }
            outer = inner_options;
        }
    }
}

/// Whether an expression reads one of these objects.
pub(super) fn mentions(expr: &Expr, objects: &BTreeSet<ObjectId>) -> bool {
    match expr {
        Expr::Constant(..) | Expr::Unknown(_) => false,
        Expr::Read(access, _) | Expr::Pop(access, _) => {
            objects.contains(&access.object)
                || access.index.iter().any(|index| mentions(index, objects))
        }
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => mentions(inner, objects),
        Expr::Binary(_, left, right, ..) => mentions(left, objects) || mentions(right, objects),
        Expr::Select(test, yes, no, ..) => {
            [test, yes, no].into_iter().any(|part| mentions(part, objects))
        }
        Expr::Math(_, inputs, ..) => inputs.iter().any(|input| mentions(input, objects)),
    }
}

/// Whether statements read or write one of these objects.
pub(super) fn body_mentions(body: &[Stmt], objects: &BTreeSet<ObjectId>) -> bool {
    let access = |target: &Access| {
        objects.contains(&target.object)
            || target.index.iter().any(|index| mentions(index, objects))
    };
    body.iter().any(|statement| match statement {
        Stmt::Set(target, value) | Stmt::Push(target, value) => {
            access(target) || mentions(value, objects)
        }
        Stmt::Evaluate(value) => mentions(value, objects),
        Stmt::If(test, then, otherwise) => {
            mentions(test, objects)
                || body_mentions(then, objects)
                || body_mentions(otherwise, objects)
        }
        Stmt::Loop(item) => body_mentions(&item.body, objects),
        Stmt::Call(call) => call.arguments.iter().any(|argument| match argument {
            Argument::Value(value) => mentions(value, objects),
            Argument::Object(target) => access(target),
        }),
        Stmt::Return | Stmt::Break | Stmt::Continue => false,
    })
}
