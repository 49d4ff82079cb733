//! Flags that say that something is done: `if (!done) { fill(table); done = true; }`.

use crate::constants::{fold_binary, fold_unary, wrap};
use crate::ir::{Expr, Function, Number, ObjectId, ObjectKind, Stmt};
use crate::walk::any_in;
use std::collections::BTreeSet;

/// Whether a condition is a flag that says whether its statements were run: a scalar of the function that is set to constants
/// alone, in them so that the condition ends, and so that it holds everywhere else.
pub(super) fn runs_once(
    function: &Function,
    test: &Expr,
    (then, otherwise): (&[Stmt], &[Stmt]),
) -> bool {
    let mut flags = BTreeSet::new();
    test.any(&mut |part| {
        if let Expr::Read(access, _) | Expr::Pop(access, _) = part {
            flags.insert(access.object);
        }
        false
    });
    let [flag] = flags.into_iter().collect::<Vec<_>>()[..] else { return false };
    let Some(object) = function.objects.get(flag) else { return false };
    if object.kind != ObjectKind::Scalar
        || !otherwise.is_empty()
        || function.parameters.contains(&flag)
        || function.lent.contains(&flag)
    {
        return false;
    }
    let holds_after = |one: &Stmt| match one {
        Stmt::Set(target, Expr::Constant(Number::Int(value), _)) if target.object == flag => {
            find_truth(test, flag, *value)
        }
        _ => None,
    };
    let is_other = |one: &Stmt| match one {
        Stmt::Set(target, _) => target.object == flag && holds_after(one).is_none(),
        Stmt::Loop(item) => item.counter == Some(flag),
        Stmt::Call(call) => call.result == Some(flag) || call.gets(flag),
        _ => false,
    };
    let ends = |body: &[Stmt]| {
        let mut count = 0;
        any_in(body, &mut |one| {
            count += usize::from(holds_after(one) == Some(false));
            false
        });
        count
    };
    let begins = |one: &Stmt| holds_after(one) == Some(true);
    let body = &function.body;
    !any_in(body, &mut |one| is_other(one))
        && then.iter().any(|one| holds_after(one) == Some(false))
        && ends(then) == ends(body)
        && (object.is_static || any_in(body, &mut |one| begins(one)))
}

/// Whether a condition holds where its flag has a value.
fn find_truth(test: &Expr, flag: ObjectId, value: i128) -> Option<bool> {
    fn find(expr: &Expr, flag: ObjectId, value: i128) -> Option<Number> {
        match expr {
            Expr::Constant(number, _) => Some(*number),
            Expr::Read(access, _) if access.object == flag => Some(Number::Int(value)),
            Expr::Cast(inner, ty, _) => Some(wrap(find(inner, flag, value)?, *ty)),
            Expr::Unary(op, inner, ty, _) => fold_unary(*op, find(inner, flag, value)?, *ty),
            Expr::Binary(op, left, right, ty, _) => {
                fold_binary(*op, find(left, flag, value)?, find(right, flag, value)?, *ty)
            }
            _ => None,
        }
    }
    find(test, flag, value).map(|number| !number.is_zero())
}
