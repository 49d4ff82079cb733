//! How much of an array a function fills.

use crate::assigned::assigned_objects;
use crate::ir::{Argument, Call, Expr, Function, ObjectId, Stmt};
use crate::trips::{find_passed, known_trips};
use crate::walk::any_in;
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// Whether a call writes each element of an array: in loops over all of each dimension.
pub(super) fn fills_all(callee: &Function, call: &Call, table: ObjectId, dims: &[u64]) -> bool {
    let passed = find_passed(callee, call, &|_| None);
    let leaves = any_in(&callee.body, &mut |one| {
        matches!(one, Stmt::Return) || matches!(one, Stmt::Loop(item) if item.leaves)
    });
    let mut pairs = callee.parameters.iter().zip(&call.arguments);
    let parameter = pairs.find_map(|(parameter, argument)| match argument {
        Argument::Object(access) if access.object == table => Some(*parameter),
        _ => None,
    });
    !leaves
        && parameter.is_some_and(|parameter| {
            Coverage { parameter, dims, passed: &passed }.is_whole(&callee.body, &mut Vec::new())
        })
}

/// How much of a parameter loops write.
struct Coverage<'a> {
    parameter: ObjectId,
    dims: &'a [u64],
    passed: &'a HashMap<ObjectId, i128>,
}

impl Coverage<'_> {
    /// Whether statements write each element, within loops whose counters go from 0 to as many trips.
    fn is_whole(&self, body: &[Stmt], counters: &mut Vec<(ObjectId, u64)>) -> bool {
        body.iter().any(|statement| match statement {
            Stmt::Set(target, _) => {
                let is_counted = |(index, length): (&Expr, &u64)| {
                    let counter = counter_of(index);
                    counters.iter().any(|(own, trips)| Some(*own) == counter && trips == length)
                };
                target.object == self.parameter
                    && target.index.len() == self.dims.len()
                    && target.index.iter().zip(self.dims).all(is_counted)
                    && has_no_twice(&target.index)
            }
            Stmt::If(_, then, otherwise) => {
                self.is_whole(then, counters) && self.is_whole(otherwise, counters)
            }
            Stmt::Loop(item) => {
                let mut written = BTreeSet::new();
                assigned_objects(&item.body, &mut written);
                let trips = known_trips(item, &|object| self.passed.get(&object).copied());
                let (Some(counter), Some(trips), Some(0), 1) =
                    (item.counter, trips, item.first, item.step)
                else {
                    return false;
                };
                if trips == 0 || item.condition.is_some() || written.contains(&counter) {
                    return false;
                }
                counters.push((counter, trips));
                let is_whole = self.is_whole(&item.body, counters);
                counters.pop();
                is_whole
            }
            _ => false,
        })
    }
}

/// The scalar that a subscript is.
fn counter_of(index: &Expr) -> Option<ObjectId> {
    match index {
        Expr::Read(access, _) if access.index.is_empty() => Some(access.object),
        Expr::Cast(inner, ty, _) if ty.bits() >= inner.ty().bits() => counter_of(inner),
        _ => None,
    }
}

/// Whether each subscript is a counter of its own: a diagonal is not all of a matrix.
fn has_no_twice(index: &[Expr]) -> bool {
    let counters: BTreeSet<_> = index.iter().map(counter_of).collect();
    counters.len() == index.len()
}
