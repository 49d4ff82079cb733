//! The parameters that an array is passed to: how a callee cuts its parameter, the tool cuts the array, for all of its uses.

use crate::ir::{Argument, Call, Function, ObjectId, Program, Stmt};
use derate_frontend::DirectiveKind;
use std::slice;

/// Calls are followed this deep.
const DEEPEST: usize = 16;

/// Whether a function has a directive that cuts one of its parameters.
#[must_use]
pub fn cuts_parameter(function: &Function) -> bool {
    function.parameters.iter().any(|parameter| find_cuts(function, *parameter).next().is_some())
}

/// How a function cuts one of its objects.
pub fn find_cuts(function: &Function, object: ObjectId) -> impl Iterator<Item = &DirectiveKind> {
    let own = function.pragmas.iter().filter(move |one| one.objects.contains(&object));
    own.map(|one| &one.kind).filter(|kind| {
        matches!(kind, DirectiveKind::ArrayPartition(_) | DirectiveKind::ArrayReshape(_))
    })
}

/// The functions that get an array or a part of it, each with its parameter and with how many subscripts come before those of the
/// parameter.
#[must_use]
pub fn find_parameters<'a>(
    program: &'a Program,
    function: &Function,
    object: ObjectId,
) -> Vec<Passed<'a>> {
    let mut found = Vec::new();
    follow(program, function, (object, 0), DEEPEST, &mut found);
    found
}

/// A function, its parameter, and the subscripts that are fixed where it is called.
pub type Passed<'a> = (&'a Function, ObjectId, usize);

fn follow<'a>(
    program: &'a Program,
    function: &Function,
    (object, fixed): (ObjectId, usize),
    depth: usize,
    found: &mut Vec<Passed<'a>>,
) {
    for call in list_calls(&function.body) {
        let Some(callee) = program.functions.get(call.function) else { continue };
        for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
            let Argument::Object(access) = argument else { continue };
            if access.object != object {
                continue;
            }
            // Of an array, a pointer to an element of a row is no part of fewer dimensions.
            let dims = |function, id| program.object(function, id).map(|one| one.dims.len());
            let left = dims(function, object).and_then(|all| all.checked_sub(access.index.len()));
            let is_part = left.is_some() && left == dims(callee, *parameter);
            let fixed = fixed + access.index.len();
            let is_known = |one: &Passed<'_>| {
                std::ptr::eq(one.0, callee) && (one.1, one.2) == (*parameter, fixed)
            };
            if is_part && depth > 0 && !found.iter().any(is_known) {
                found.push((callee, *parameter, fixed));
                follow(program, callee, (*parameter, fixed), depth - 1, found);
            }
        }
    }
}

fn list_calls(body: &[Stmt]) -> Vec<&Call> {
    let mut calls = Vec::new();
    for stmt in body {
        match stmt {
            Stmt::Call(call) => calls.push(&**call),
            other => {
                other.inner().for_each(|inner| calls.extend(list_calls(slice::from_ref(inner))));
            }
        }
    }
    calls
}
