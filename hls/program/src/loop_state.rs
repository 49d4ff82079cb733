//! What decides how often a loop without a counter runs.

use crate::assigned::assigned_objects;
use crate::ir::{Expr, GLOBAL, Loop, ObjectId, Stmt};
use std::collections::BTreeSet;

/// The scalars on which the loop's end depends; `None` where that is more than scalars of the function.
#[must_use]
pub fn list_state(item: &Loop) -> Option<BTreeSet<ObjectId>> {
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
#[must_use]
pub fn touches(statement: &Stmt, state: &BTreeSet<ObjectId>) -> bool {
    let mut assigned = BTreeSet::new();
    assigned_objects(std::slice::from_ref(statement), &mut assigned);
    !assigned.is_disjoint(state) || may_leave(statement)
}

/// Whether a condition may end the iteration, or a statement the function.
#[must_use]
pub fn may_leave(statement: &Stmt) -> bool {
    match statement {
        Stmt::Return | Stmt::Break | Stmt::Continue => true,
        Stmt::If(_, then, otherwise) => then.iter().chain(otherwise).any(may_leave),
        other => other.any(&mut |inner| matches!(inner, Stmt::Return)),
    }
}
