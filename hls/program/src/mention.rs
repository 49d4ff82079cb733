//! Whether expressions and statements mention objects.

use crate::ir::{Access, Argument, Expr, ObjectId, Stmt};
use crate::walk::any_in;
use std::collections::BTreeSet;

/// Whether an expression reads one of these objects.
#[must_use]
pub fn mentions(expr: &Expr, objects: &BTreeSet<ObjectId>) -> bool {
    expr.any(&mut |part| match part {
        Expr::Read(access, _) | Expr::Pop(access, _) => objects.contains(&access.object),
        _ => false,
    })
}

/// Whether statements read or write one of these objects.
#[must_use]
pub fn body_mentions(body: &[Stmt], objects: &BTreeSet<ObjectId>) -> bool {
    let access = |target: &Access| {
        objects.contains(&target.object)
            || target.index.iter().any(|index| mentions(index, objects))
    };
    any_in(body, &mut |statement| match statement {
        Stmt::Set(target, value) | Stmt::Push(target, value) => {
            access(target) || mentions(value, objects)
        }
        Stmt::Evaluate(value) | Stmt::If(value, ..) => mentions(value, objects),
        Stmt::Call(call) => call.arguments.iter().any(|argument| match argument {
            Argument::Value(value) => mentions(value, objects),
            Argument::Object(target) => access(target),
        }),
        Stmt::Loop(_) | Stmt::Return | Stmt::Break | Stmt::Continue => false,
    })
}

/// The scalars whose first mention in a body is that they are set, whatever else happens.
#[must_use]
pub fn list_fresh(body: &[Stmt]) -> Vec<ObjectId> {
    let mut fresh: Vec<ObjectId> = Vec::new();
    for (at, statement) in body.iter().enumerate() {
        let Stmt::Set(Access { object, index, .. }, value) = statement else { continue };
        let is_first = index.is_empty()
            && !fresh.contains(object)
            && !value.reads(*object)
            && !body_mentions(&body[..at], &BTreeSet::from([*object]));
        if is_first {
            fresh.push(*object);
        }
    }
    fresh
}
