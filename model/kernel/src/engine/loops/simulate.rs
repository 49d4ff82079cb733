//! The trips of a loop that ends by a condition on known values: `while (k) k >>= 1`.

use crate::engine::{Activation, Engine, Flow};
use crate::graph::Value;
use derate_program::{Expr, Loop, Number, ObjectId, Stmt, list_state, touches};
use std::collections::BTreeSet;

/// Iterations that are tried. The tool's compiler, LLVM, tries as many (`scalar-evolution-max-iterations`).
const TRIED: u32 = 100;

/// Where statements lead to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    /// To the statement after them.
    On,
    /// To the next iteration.
    Next,
    /// Out of the loop.
    Out,
}

impl<'a> Engine<'a> {
    /// How often the loop runs, if its condition and its ways out depend on known values alone.
    pub(super) fn simulate_condition(
        &mut self,
        item: &Loop,
        run: &mut Activation<'a>,
    ) -> Option<u32> {
        let state = list_state(item)?;
        let mut before = Vec::new();
        for object in &state {
            let key = (self.bind(run, *object).storage, 0);
            before.push((key, self.env.get(&key).copied()));
        }
        let block = self.graph.new_block();
        let mut flow = Flow::new(block, true);
        let count = self.count_iterations(item, &state, run, &mut flow);
        for (key, value) in before {
            match value {
                Some(value) => self.env.insert(key, value),
                None => self.env.remove(&key),
            };
        }
        count
    }

    fn count_iterations(
        &mut self,
        item: &Loop,
        state: &BTreeSet<ObjectId>,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Option<u32> {
        for count in 0..TRIED {
            if !item.test_last && !self.holds(item.condition.as_ref()?, run, flow)? {
                return Some(count);
            }
            if self.step(&item.body, state, run, flow)? == Way::Out {
                return Some(count + 1);
            }
            if item.test_last && !self.holds(item.condition.as_ref()?, run, flow)? {
                return Some(count + 1);
            }
        }
        None
    }

    /// Whether a condition holds, where that is known.
    fn holds(&mut self, test: &Expr, run: &mut Activation<'a>, flow: &mut Flow) -> Option<bool> {
        match self.value(test, run, flow) {
            Value::Constant(number) => Some(!number.is_zero()),
            Value::Node(_) => None,
        }
    }

    /// What statements do to the state.
    fn step(
        &mut self,
        body: &[Stmt],
        state: &BTreeSet<ObjectId>,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Option<Way> {
        for statement in body {
            match statement {
                Stmt::Set(target, value) if state.contains(&target.object) => {
                    let value = self.value(value, run, flow);
                    let Value::Constant(Number::Int(_)) = value else { return None };
                    let storage = self.bind(run, target.object).storage;
                    self.env.insert((storage, 0), value);
                }
                Stmt::If(test, then, otherwise) if touches(statement, state) => {
                    let way = if self.holds(test, run, flow)? { then } else { otherwise };
                    match self.step(way, state, run, flow)? {
                        Way::On => {}
                        end => return Some(end),
                    }
                }
                Stmt::Loop(_) | Stmt::Call(_) if touches(statement, state) => return None,
                Stmt::Break => return Some(Way::Out),
                Stmt::Return => return None,
                Stmt::Continue => return Some(Way::Next),
                _ => {}
            }
        }
        Some(Way::On)
    }
}
