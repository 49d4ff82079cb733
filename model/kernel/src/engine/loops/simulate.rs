//! The trips of a loop that ends by a condition on known values: `while (k) k >>= 1`.

use crate::engine::{Activation, Engine, Flow};
use crate::graph::Value;
use derate_program::{Expr, GLOBAL, Loop, Number, ObjectId, Stmt, assigned_objects};
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

/// The scalars on which the loop's end depends; `None` where that is more than scalars of the function.
fn list_state(item: &Loop) -> Option<BTreeSet<ObjectId>> {
    let mut state = BTreeSet::new();
    read_scalars(item.condition.as_ref()?, &mut state)?;
    loop {
        let known = state.len();
        add_sources(&item.body, &mut state)?;
        if state.len() == known {
            let is_own = |object: &ObjectId| *object < GLOBAL;
            return state.iter().all(is_own).then_some(state);
        }
    }
}

/// Adds what the values of the state, and the conditions under which they change, are computed from.
fn add_sources(body: &[Stmt], state: &mut BTreeSet<ObjectId>) -> Option<()> {
    for statement in body {
        match statement {
            Stmt::Set(target, value) if state.contains(&target.object) => {
                if !target.index.is_empty() {
                    return None;
                }
                read_scalars(value, state)?;
            }
            Stmt::If(test, then, otherwise) if touches(statement, state) => {
                read_scalars(test, state)?;
                add_sources(then, state)?;
                add_sources(otherwise, state)?;
            }
            _ => {}
        }
    }
    Some(())
}

/// Adds the scalars that an expression reads; `None` where it reads something else.
fn read_scalars(expr: &Expr, state: &mut BTreeSet<ObjectId>) -> Option<()> {
    match expr {
        Expr::Constant(..) => Some(()),
        Expr::Read(access, _) if access.index.is_empty() => {
            state.insert(access.object);
            Some(())
        }
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => read_scalars(inner, state),
        Expr::Binary(_, left, right, ..) => {
            read_scalars(left, state)?;
            read_scalars(right, state)
        }
        Expr::Select(test, yes, no, ..) => {
            read_scalars(test, state)?;
            read_scalars(yes, state)?;
            read_scalars(no, state)
        }
        Expr::Read(..) | Expr::Pop(..) | Expr::Math(..) | Expr::Unknown(_) => None,
    }
}

/// Whether a statement may change the state or leave the iteration.
fn touches(statement: &Stmt, state: &BTreeSet<ObjectId>) -> bool {
    let mut assigned = BTreeSet::new();
    assigned_objects(std::slice::from_ref(statement), &mut assigned);
    !assigned.is_disjoint(state)
        || match statement {
            Stmt::If(_, then, otherwise) => has_end(then) || has_end(otherwise),
            other => returns(other),
        }
}

/// Whether statements may end the iteration.
fn has_end(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Return | Stmt::Break | Stmt::Continue => true,
        Stmt::If(_, then, otherwise) => has_end(then) || has_end(otherwise),
        other => returns(other),
    })
}

fn returns(statement: &Stmt) -> bool {
    statement.any(&mut |inner| matches!(inner, Stmt::Return))
}
