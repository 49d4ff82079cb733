//! What statements set.

use crate::ir::{Argument, ObjectId, Stmt};
use std::collections::BTreeSet;

/// The objects that statements set, or hand to a function that may.
pub fn assigned_objects(body: &[Stmt], objects: &mut BTreeSet<ObjectId>) {
    for statement in body {
        match statement {
            Stmt::Set(target, _) => {
                objects.insert(target.object);
            }
            Stmt::If(_, then, otherwise) => {
                assigned_objects(then, objects);
                assigned_objects(otherwise, objects);
            }
            Stmt::Loop(item) => {
                objects.extend(item.counter);
                assigned_objects(&item.body, objects);
            }
            Stmt::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Object(access) = argument {
                        objects.insert(access.object);
                    }
                }
                objects.extend(call.result);
            }
            _ => {}
        }
    }
}
