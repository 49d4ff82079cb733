//! Variables that nothing writes: with first values the tool takes them for constants, whether they are called so or not; without,
//! they have no value.

use crate::ir::{Argument, Function, GLOBAL, Object, ObjectId, ObjectKind, Stmt, Written};
use crate::walk::any_in;
use std::collections::BTreeSet;

/// Makes tables of the first values of variables that no function writes, and finds arrays that have none.
pub(crate) fn keep_unwritten(functions: &mut [Function], globals: &mut [Object]) {
    let is_known = !functions.iter().any(|function| function.lends_globals);
    let written = find_written(functions);
    for (at, global) in globals.iter_mut().enumerate() {
        let initial = global.initial.take();
        let is_written = written.iter().any(|own| own.contains(&(GLOBAL + at)));
        if is_known && !is_written && has_no_value(global) && initial.is_none() {
            global.written = Written::Nowhere;
        }
        global.table = global.table.take().or(initial.filter(|_| is_known && !is_written));
    }
    for (function, written) in functions.iter_mut().zip(&written) {
        for (id, object) in function.objects.iter_mut().enumerate() {
            let initial = object.initial.take();
            if initial.is_none()
                && has_no_value(object)
                && !written.contains(&id)
                && !function.parameters.contains(&id)
            {
                object.written = Written::Nowhere;
            }
            let initial = initial.filter(|_| !written.contains(&id));
            object.table = object.table.take().or(initial);
        }
    }
}

/// Whether nothing is known to give an array its values, but for what is written later.
fn has_no_value(object: &Object) -> bool {
    object.kind == ObjectKind::Array
        && !object.is_pointer
        && object.table.is_none()
        && object.first_values.is_none()
        && object.filled_from.is_none()
}

/// What each function writes: itself, or by what it calls.
fn find_written(functions: &[Function]) -> Vec<BTreeSet<ObjectId>> {
    let mut written = Vec::new();
    let mut passed = Vec::new();
    for function in functions {
        // A function of which there is only the name may write all that it gets.
        let mut own: BTreeSet<ObjectId> = function.lent.iter().copied().collect();
        let mut calls = Vec::new();
        any_in(&function.body, &mut |statement| {
            match statement {
                Stmt::Set(target, _) | Stmt::Push(target, _) => _ = own.insert(target.object),
                Stmt::Loop(item) => own.extend(item.counter),
                Stmt::Call(call) => {
                    own.extend(call.result);
                    let parameters = &functions[call.function].parameters;
                    for (argument, parameter) in call.arguments.iter().zip(parameters) {
                        if let Argument::Object(access) = argument {
                            calls.push((access.object, call.function, *parameter));
                        }
                    }
                }
                _ => {}
            }
            false
        });
        written.push(own);
        passed.push(calls);
    }
    let mut is_new = true;
    while is_new {
        is_new = false;
        for (caller, calls) in passed.iter().enumerate() {
            for (object, callee, parameter) in calls {
                is_new |= written[*callee].contains(parameter) && written[caller].insert(*object);
            }
        }
    }
    written
}
