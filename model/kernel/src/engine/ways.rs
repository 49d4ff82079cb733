//! How often each of two ways is taken, where the counters of the loops around decide it.

use super::Engine;
use crate::graph::{Linear, NodeId, Op, Symbol, Value};
use derate_program::{Number, fold_binary, fold_unary, wrap};

/// Operations that a condition may have.
const OPERATIONS: usize = 64;
/// Operations in all that are tried for one condition.
const TRIED: f64 = 1_000_000.0;

/// A condition on the way to the statements in hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Way {
    /// `None` if data decide it.
    condition: Option<Value>,
    holds: bool,
    /// The loops around it.
    loops: usize,
}

impl Way {
    /// The loops around a condition that data decide.
    pub(crate) fn loops_of_open(&self) -> Option<usize> {
        self.condition.is_none().then_some(self.loops)
    }
}

/// Conditions over counters, with the operations that they are computed from, in order.
#[derive(Default)]
pub(crate) struct Test {
    operations: Vec<NodeId>,
    ways: Vec<Way>,
    /// Outermost first.
    pub(crate) counters: Vec<u32>,
}

impl Engine<'_> {
    /// The share of its runs in which a condition holds; `None` where more than counters with known bounds decides it, and where
    /// they have too many values to try.
    pub(crate) fn share_of(&self, condition: Value) -> Option<f64> {
        let mut test = Test::default();
        self.add_condition(condition, 0, &mut test)?;
        self.add_ways(&mut test)?;
        let is_exact = |counter: &u32| {
            let own = &self.counters[*counter as usize];
            let is_known = |sum: &Linear| {
                sum.terms.iter().all(|(symbol, _)| matches!(symbol, Symbol::Counter(_)))
            };
            let bounds = own.bounds.as_ref();
            !(own.trip.is_open || own.trip.is_given || own.trip.rests_on_type)
                && bounds.is_some_and(|(start, end)| is_known(start) && is_known(end))
                && self.around.contains(counter)
        };
        #[allow(clippy::cast_precision_loss)]
        let points = test.counters.iter().try_fold(1.0, |all, counter| {
            Some(all * (self.counters[*counter as usize].range?.1 + 1) as f64)
        })?;
        #[allow(clippy::cast_precision_loss)]
        let tried = points * test.operations.len() as f64;
        if tried > TRIED || !test.counters.iter().all(is_exact) {
            return None;
        }
        let (mut held, mut all, mut is_known) = (0.0, 0.0, true);
        self.sample((&test.counters, i64::MAX), 1.0, &mut Vec::new(), &mut |values, weight| {
            let known = self.compute(&test.operations, values);
            if Self::is_on_way(&test, &known) {
                let holds = known_value(&test.operations, &known, condition);
                is_known &= holds.is_some();
                all += weight;
                held += if holds.is_some_and(|one| !one.is_zero()) { weight } else { 0.0 };
            }
        });
        (is_known && all > 0.0).then(|| held / all)
    }

    /// Runs statements that are reached where a condition holds, or does not; `None` where that is not known.
    pub(crate) fn within_way<R>(
        &mut self,
        (condition, holds): (Option<Value>, bool),
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let loops = self.around.len();
        if loops == 0 {
            return body(self);
        }
        let condition =
            condition.filter(|one| self.add_condition(*one, 0, &mut Test::default()).is_some());
        self.ways.push(Way { condition, holds, loops });
        let result = body(self);
        self.ways.pop();
        result
    }

    /// Adds the conditions on the way that depend on these counters, and all counters that weigh them.
    pub(crate) fn add_ways(&self, test: &mut Test) -> Option<()> {
        loop {
            let known = test.counters.len();
            for counter in test.counters.clone() {
                if let Some((start, end)) = &self.counters[counter as usize].bounds {
                    self.counters_of(start, &mut test.counters);
                    self.counters_of(end, &mut test.counters);
                }
            }
            self.add_weights(&mut test.counters);
            for way in &self.ways {
                let around = &self.around[..way.loops.min(self.around.len())];
                if around.iter().any(|one| test.counters.contains(one)) && !test.ways.contains(way)
                {
                    self.add_condition(way.condition?, 0, test)?;
                    test.ways.push(*way);
                }
            }
            if test.counters.len() == known {
                test.counters.sort_unstable();
                return Some(());
            }
        }
    }

    /// Adds the operations of a condition and its counters; `None` where something else decides it.
    fn add_condition(&self, value: Value, depth: usize, test: &mut Test) -> Option<()> {
        let Value::Node(id) = value else { return Some(()) };
        if test.operations.contains(&id) {
            return Some(());
        }
        (depth < OPERATIONS).then_some(())?;
        let node = self.graph.node(id);
        match node.op {
            Op::Counter => {
                for (symbol, _) in &node.linear.as_ref()?.terms {
                    let Symbol::Counter(counter) = symbol else { return None };
                    if !test.counters.contains(counter) {
                        test.counters.push(*counter);
                    }
                }
            }
            Op::Binary(_) | Op::Unary(_) | Op::Select | Op::Convert => {
                for input in &node.inputs {
                    self.add_condition(*input, depth + 1, test)?;
                }
            }
            _ => return None,
        }
        test.operations.push(id);
        (test.operations.len() <= OPERATIONS).then_some(())
    }

    /// Whether the conditions on the way let these values of the counters through.
    fn is_on_way(test: &Test, known: &[Option<Number>]) -> bool {
        test.ways.iter().all(|way| {
            let value = way.condition.and_then(|one| known_value(&test.operations, known, one));
            value.is_none_or(|value| value.is_zero() != way.holds)
        })
    }

    /// Whether statements are reached with these values of the counters.
    pub(crate) fn lets_through(&self, test: &Test, values: &[(u32, i64)]) -> bool {
        test.ways.is_empty() || Self::is_on_way(test, &self.compute(&test.operations, values))
    }

    /// The results of operations for these values of the counters.
    fn compute(&self, operations: &[NodeId], values: &[(u32, i64)]) -> Vec<Option<Number>> {
        let mut known = Vec::with_capacity(operations.len());
        for id in operations {
            let node = self.graph.node(*id);
            let of = |at: usize| known_value(operations, &known, *node.inputs.get(at)?);
            let result = match node.op {
                Op::Counter => {
                    node.linear.as_ref().map(|sum| Number::Int(sum.value_at(values).into()))
                }
                Op::Binary(op) => {
                    of(0).zip(of(1)).and_then(|(left, right)| fold_binary(op, left, right, node.ty))
                }
                Op::Unary(op) => of(0).and_then(|inner| fold_unary(op, inner, node.ty)),
                Op::Select => of(0).and_then(|test| of(if test.is_zero() { 2 } else { 1 })),
                _ => of(0).map(|inner| wrap(inner, node.ty)),
            };
            known.push(result);
        }
        known
    }
}

/// What a value is, of operations with these results.
fn known_value(operations: &[NodeId], known: &[Option<Number>], value: Value) -> Option<Number> {
    match value {
        Value::Constant(number) => Some(number),
        Value::Node(id) => *known.get(operations.iter().position(|one| *one == id)?)?,
    }
}
