//! Loops whose condition is known to hold once: `do { ... } while (0)`, or a flag that the body sets.

use crate::any_in;
use crate::ir::{Binary, Expr, GLOBAL, Number, ObjectId, Scalar, Stmt, Unary};

/// Whether a loop without a counter runs once, after these statements.
pub(super) fn runs_once(test: &Expr, test_last: bool, before: &[Stmt], body: &[Stmt]) -> bool {
    let first = |object| find_value(object, before);
    let then = |object| match find_value(object, body) {
        Value::Unwritten => first(object),
        own => own,
    };
    let enters = test_last || evaluate(test, &first).is_some_and(|value| value != 0);
    enters && evaluate(test, &then) == Some(0)
}

/// What a scalar holds after statements.
#[derive(Clone, Copy)]
enum Value {
    Unwritten,
    Unknown,
    Number(i128),
}

fn find_value(object: ObjectId, statements: &[Stmt]) -> Value {
    // Any call may write a global.
    if object >= GLOBAL {
        return Value::Unknown;
    }
    let last = statements.iter().rev().find(|one| writes(std::slice::from_ref(*one), object));
    match last {
        None => Value::Unwritten,
        Some(Stmt::Set(target, Expr::Constant(Number::Int(value), _)))
            if target.index.is_empty() =>
        {
            Value::Number(*value)
        }
        Some(_) => Value::Unknown,
    }
}

/// The whole number of an expression over scalars that are known.
fn evaluate(expr: &Expr, value: &impl Fn(ObjectId) -> Value) -> Option<i128> {
    match expr {
        Expr::Constant(Number::Int(number), _) => Some(*number),
        Expr::Read(access, _) if access.index.is_empty() => match value(access.object) {
            Value::Number(number) => Some(number),
            Value::Unwritten | Value::Unknown => None,
        },
        Expr::Cast(inner, ty, _) => {
            let number = evaluate(inner, value)?;
            Some(if *ty == Scalar::BOOL { i128::from(number != 0) } else { number })
        }
        Expr::Unary(Unary::Not, inner, ..) => Some(i128::from(evaluate(inner, value)? == 0)),
        Expr::Binary(op, left, right, ..) => {
            let (left, right) = (evaluate(left, value)?, evaluate(right, value)?);
            let holds = match op {
                Binary::Equal => left == right,
                Binary::NotEqual => left != right,
                Binary::Less => left < right,
                Binary::LessEqual => left <= right,
                _ => return None,
            };
            Some(i128::from(holds))
        }
        _ => None,
    }
}

/// Whether statements write an object.
pub(crate) fn writes(body: &[Stmt], object: ObjectId) -> bool {
    any_in(body, &mut |statement| match statement {
        Stmt::Set(target, _) => target.object == object,
        Stmt::Loop(inner) => inner.counter == Some(object),
        Stmt::Call(call) => call.result == Some(object) || call.gets(object),
        _ => false,
    })
}
