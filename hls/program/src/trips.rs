//! Trips of loops whose bounds are numbers that are known before anything runs.

use crate::assigned::assigned_objects;
use crate::constants::{fold_binary, wrap};
use crate::ir::{Argument, Call, Expr, Function, Loop, Number, ObjectId};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// What a scalar is known to hold.
pub type Numbers<'n> = &'n dyn Fn(ObjectId) -> Option<i128>;

/// The number of an expression over scalars that are known.
fn find_number(expr: &Expr, of: Numbers<'_>) -> Option<Number> {
    match expr {
        Expr::Constant(number @ Number::Int(_), _) => Some(*number),
        Expr::Read(access, _) if access.index.is_empty() => of(access.object).map(Number::Int),
        Expr::Cast(inner, ty, _) => Some(wrap(find_number(inner, of)?, *ty)),
        Expr::Binary(op, left, right, ty, _) => {
            fold_binary(*op, find_number(left, of)?, find_number(right, of)?, *ty)
        }
        _ => None,
    }
}

/// The whole number of an expression over scalars that are known.
#[must_use]
pub(crate) fn find_whole(expr: &Expr, of: Numbers<'_>) -> Option<i128> {
    match find_number(expr, of)? {
        Number::Int(value) => Some(value),
        Number::Real(_) => None,
    }
}

/// The trips of a loop with constant bounds.
#[must_use]
pub fn constant_trips(item: &Loop) -> Option<u64> {
    let end = item.end.as_ref()?.constant()?;
    let start = match &item.start {
        Expr::Constant(Number::Int(value), _) => *value,
        _ => item.first?,
    };
    let length = if item.step > 0 { end - start } else { start - end };
    (item.step != 0).then_some(())?;
    let step = item.step.unsigned_abs();
    Some(u64::try_from(length.max(0)).ok()?.div_ceil(u64::try_from(step).ok()?))
}

/// The trips of a loop whose bounds are known.
#[must_use]
pub fn known_trips(item: &Loop, of: Numbers<'_>) -> Option<u64> {
    let end = find_whole(item.end.as_ref()?, of)?;
    // The counter's first value is set just before the loop.
    let start = match item.first {
        Some(first) => first,
        None => find_whole(&item.start, of)?,
    };
    (item.step != 0).then_some(())?;
    let length = if item.step > 0 { end.checked_sub(start)? } else { start.checked_sub(end)? };
    let step = u64::try_from(item.step.unsigned_abs()).unwrap_or(1);
    u64::try_from(length.max(0)).ok().map(|length| length.div_ceil(step))
}

/// The counter's value in the last of so many iterations.
#[must_use]
pub(crate) fn last_count(item: &Loop, trips: u64, of: Numbers<'_>) -> Option<i128> {
    let first = item.first.or_else(|| find_whole(&item.start, of))?;
    let steps = i128::from(trips.checked_sub(1)?);
    first.checked_add(item.step.checked_mul(steps)?)
}

/// Whether data decide the trips: the end depends on what is read when the kernel runs. `None` where something was not read.
#[must_use]
pub fn rests_on_data(item: &Loop) -> Option<bool> {
    let parts = [Some(&item.start), item.end.as_ref(), item.condition.as_ref()];
    let has = |test: fn(&Expr) -> bool| {
        parts.into_iter().flatten().any(|part| part.any(&mut |one| test(one)))
    };
    if has(|part| matches!(part, Expr::Unknown(_))) {
        return None;
    }
    let reads = has(|part| matches!(part, Expr::Read(..) | Expr::Pop(..)));
    // `while (true)`: a condition in its body ends it.
    Some(reads || item.end.is_none() && item.leaves)
}

/// What the parameters of a function hold that is called with numbers, where it does not write them.
#[must_use]
pub(crate) fn find_passed(
    function: &Function,
    call: &Call,
    of: Numbers<'_>,
) -> HashMap<ObjectId, i128> {
    let mut written = BTreeSet::new();
    assigned_objects(&function.body, &mut written);
    let pairs = function.parameters.iter().zip(&call.arguments);
    let known = pairs.filter_map(|(parameter, argument)| match argument {
        Argument::Value(expr) => Some((*parameter, find_whole(expr, of)?)),
        Argument::Object(_) => None,
    });
    known.filter(|(parameter, _)| !written.contains(parameter)).collect()
}
