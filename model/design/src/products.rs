//! What a kernel multiplies: the operands of most of its products.

use derate_kernel::Program;
use derate_kernel::ir::{Argument, Binary, Expr, Loop, Scalar, Stmt};

/// Loops whose trips are not known count as so many.
const UNKNOWN_TRIPS: f64 = 16.0;
/// A format has most of the products with this share of them.
const MOST: f64 = 0.9;
/// No chain of calls is deeper.
const DEEPEST: usize = 32;

/// The operands of products.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Operand {
    /// The type that they are multiplied in.
    pub(crate) computed: Scalar,
    /// The type that both are kept in; `None` where they differ.
    pub(crate) stored: Option<Scalar>,
}

/// The operands of most products of data; `None` where there are none, or several formats have a share.
pub(crate) fn find_operand(program: &Program) -> Option<Operand> {
    let mut counts: Vec<(Operand, f64)> = Vec::new();
    let top = program.functions.first()?;
    count_block(program, &top.body, 1.0, 0, &mut counts);
    let all: f64 = counts.iter().map(|(_, count)| count).sum();
    let (operand, count) = counts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (count >= MOST * all).then_some(operand)
}

fn count_block(
    program: &Program,
    body: &[Stmt],
    times: f64,
    depth: usize,
    counts: &mut Vec<(Operand, f64)>,
) {
    for stmt in body {
        match stmt {
            Stmt::Set(_, value) | Stmt::Push(_, value) | Stmt::Evaluate(value) => {
                count_value(value, times, counts);
            }
            Stmt::If(test, then, otherwise) => {
                count_value(test, times, counts);
                count_block(program, then, times, depth, counts);
                count_block(program, otherwise, times, depth, counts);
            }
            Stmt::Loop(item) => {
                let times = (times * count_trips(item)).min(1e15);
                count_block(program, &item.body, times, depth, counts);
            }
            Stmt::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Value(value) = argument {
                        count_value(value, times, counts);
                    }
                }
                if let Some(callee) =
                    program.functions.get(call.function).filter(|_| depth < DEEPEST)
                {
                    count_block(program, &callee.body, times, depth + 1, counts);
                }
            }
            Stmt::Return | Stmt::Break | Stmt::Continue => {}
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "weighs products against each other")]
fn count_trips(item: &Loop) -> f64 {
    let end = item.end.as_ref().and_then(Expr::constant);
    let (Some(first), Some(end)) = (item.first, end) else { return UNKNOWN_TRIPS };
    if item.step == 0 {
        return UNKNOWN_TRIPS;
    }
    ((end as f64 - first as f64) / item.step as f64).max(0.0)
}

/// Products in a value. What computes a subscript is not a product of data.
fn count_value(value: &Expr, times: f64, counts: &mut Vec<(Operand, f64)>) {
    match value {
        Expr::Binary(operator, left, right, ..) => {
            if let (Binary::Mul, Some(operand)) = (operator, read_operand(left, right)) {
                match counts.iter_mut().find(|(known, _)| *known == operand) {
                    Some((_, count)) => *count += times,
                    None => counts.push((operand, times)),
                }
            }
            count_value(left, times, counts);
            count_value(right, times, counts);
        }
        Expr::Unary(_, one, ..) | Expr::Cast(one, ..) => count_value(one, times, counts),
        Expr::Select(test, then, otherwise, ..) => {
            for one in [test, then, otherwise] {
                count_value(one, times, counts);
            }
        }
        Expr::Math(_, values, ..) => values.iter().for_each(|one| count_value(one, times, counts)),
        Expr::Constant(..) | Expr::Read(..) | Expr::Pop(..) | Expr::Unknown(_) => {}
    }
}

/// The operands of one product of two values that are not constants.
fn read_operand(left: &Expr, right: &Expr) -> Option<Operand> {
    let (inner_left, inner_right) = (strip_casts(left), strip_casts(right));
    if [inner_left, inner_right]
        .iter()
        .any(|one| matches!(one, Expr::Constant(..) | Expr::Unknown(_)))
    {
        return None;
    }
    let (a, b) = (inner_left.ty(), inner_right.ty());
    let wider = |a: Scalar, b: Scalar| if b.bits() > a.bits() { b } else { a };
    // Integers are widened before a product of C, and the tool narrows them again; a float stays one.
    let computed = match (left.ty().is_float(), right.ty().is_float()) {
        (true, true) => wider(left.ty(), right.ty()),
        (true, false) => left.ty(),
        (false, true) => right.ty(),
        (false, false) => wider(a, b),
    };
    Some(Operand { computed, stored: (a == b).then_some(a) })
}

fn strip_casts(mut value: &Expr) -> &Expr {
    while let Expr::Cast(inner, ..) = value {
        value = inner;
    }
    value
}
