//! Elements that a loop holds in a register: no iteration changes their index.

use crate::{Access, Binary, Expr, Loop, ObjectId, Stmt, assigned_objects, mentions};
use std::collections::BTreeSet;

/// Whether a loop reads and writes one element of an array and no other of it.
///
/// The tool reads it before the loop and writes it after: what is around the loop is then no perfect nest.
#[must_use]
pub fn holds_element(item: &Loop) -> bool {
    let mut changing = BTreeSet::new();
    changing.extend(item.counter);
    assigned_objects(&item.body, &mut changing);
    item.body.iter().any(|statement| {
        let Stmt::Set(target, _) = statement else { return false };
        if target.index.is_empty() {
            return false;
        }
        let mut others = changing.clone();
        others.remove(&target.object);
        if target.index.iter().any(|index| mentions(index, &others)) {
            return false;
        }
        let mut found = Vec::new();
        collect(&item.body, target.object, &mut found);
        // The store itself is one of them.
        found.len() > 1 && found.iter().all(|access| is_same(access, target))
    })
}

/// Whether a loop reads what the iteration before stored: `a[i][j - 1]` where it stores `a[i][j]`.
///
/// The tool keeps it in a register, and reads the first one before the loop: what is around the loop is no perfect nest either.
#[must_use]
pub fn takes_last_store(item: &Loop) -> bool {
    let Some(counter) = item.counter else { return false };
    let counter = BTreeSet::from([counter]);
    item.body.iter().any(|statement| {
        let Stmt::Set(target, _) = statement else { return false };
        let mut found = Vec::new();
        collect(&item.body, target.object, &mut found);
        found.iter().any(|access| {
            let mut is_behind = false;
            let pairs = target.index.iter().zip(&access.index);
            let fits = pairs.clone().all(|(stored, read)| {
                let moved = mentions(stored, &counter);
                let (stored, read) = (offset_of(stored), offset_of(read));
                is_behind |= moved;
                is_equal(stored.0, read.0) && stored.1 - read.1 == if moved { item.step } else { 0 }
            });
            fits && is_behind && target.index.len() == access.index.len()
        })
    })
}

/// A subscript as an expression and a constant that is added to it.
fn offset_of(expr: &Expr) -> (&Expr, i128) {
    match expr {
        Expr::Binary(Binary::Add, inner, by, ..) if by.constant().is_some() => {
            (inner, by.constant().unwrap_or(0))
        }
        Expr::Binary(Binary::Sub, inner, by, ..) if by.constant().is_some() => {
            (inner, by.constant().map_or(0, i128::wrapping_neg))
        }
        other => (other, 0),
    }
}

/// The accesses of an object.
fn collect<'b>(body: &'b [Stmt], object: ObjectId, found: &mut Vec<&'b Access>) {
    for statement in body {
        match statement {
            Stmt::Set(target, value) | Stmt::Push(target, value) => {
                collect_access(target, object, found);
                collect_in(value, object, found);
            }
            Stmt::Evaluate(value) => collect_in(value, object, found),
            Stmt::If(condition, then, otherwise) => {
                collect_in(condition, object, found);
                collect(then, object, found);
                collect(otherwise, object, found);
            }
            Stmt::Loop(inner) => collect(&inner.body, object, found),
            _ => {}
        }
    }
}

fn collect_access<'b>(access: &'b Access, object: ObjectId, found: &mut Vec<&'b Access>) {
    if access.object == object {
        found.push(access);
    }
    for index in &access.index {
        collect_in(index, object, found);
    }
}

fn collect_in<'b>(expr: &'b Expr, object: ObjectId, found: &mut Vec<&'b Access>) {
    match expr {
        Expr::Constant(..) | Expr::Unknown(_) => {}
        Expr::Read(access, _) | Expr::Pop(access, _) => collect_access(access, object, found),
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => collect_in(inner, object, found),
        Expr::Binary(_, left, right, ..) => {
            collect_in(left, object, found);
            collect_in(right, object, found);
        }
        Expr::Select(test, yes, no, ..) => {
            for part in [test, yes, no] {
                collect_in(part, object, found);
            }
        }
        Expr::Math(_, inputs, ..) => {
            for input in inputs {
                collect_in(input, object, found);
            }
        }
    }
}

fn is_same(one: &Access, other: &Access) -> bool {
    one.object == other.object
        && one.index.len() == other.index.len()
        && one.index.iter().zip(&other.index).all(|(one, other)| is_equal(one, other))
}

/// Whether two subscripts are written alike.
fn is_equal(one: &Expr, other: &Expr) -> bool {
    match (one, other) {
        (Expr::Constant(..), Expr::Constant(..)) => {
            one.constant().is_some() && one.constant() == other.constant()
        }
        (Expr::Read(one, _), Expr::Read(other, _)) => is_same(one, other),
        (Expr::Unary(op, one, ..), Expr::Unary(same, other, ..)) => {
            op == same && is_equal(one, other)
        }
        (Expr::Cast(one, ty, _), Expr::Cast(other, same, _)) => ty == same && is_equal(one, other),
        (Expr::Binary(op, a, b, ..), Expr::Binary(same, c, d, ..)) => {
            op == same && is_equal(a, c) && is_equal(b, d)
        }
        _ => false,
    }
}
