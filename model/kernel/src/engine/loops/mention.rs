//! Whether expressions and statements mention objects.

use derate_program::{Access, Argument, Expr, ObjectId, Stmt};
use std::collections::BTreeSet;

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
