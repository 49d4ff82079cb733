//! The arms of `if` and `switch` in which a loop accesses the array that holds its interval.

use std::collections::BTreeSet;

use derate_kernel::ir::{Argument, Function, GLOBAL, Loop, ObjectId, Program, Stmt, body_mentions};
use derate_kernel::{HeldBy, LoopAnswer};

/// From so many arms on the model may add up accesses that exclude each other.
const MANY: usize = 3;
/// Calls are followed this deep.
const DEPTH: usize = 12;

/// Whether a loop accesses what holds its interval in so many arms that their sum is not certain.
#[must_use]
pub fn has_many_arms(program: &Program, one: &LoopAnswer) -> bool {
    let Some(HeldBy::Memory { array, .. }) = &one.held_by else { return false };
    program.functions.iter().any(|function| {
        let globals = program.globals.iter().enumerate().map(|(at, object)| (at + GLOBAL, object));
        let all = function.objects.iter().enumerate().chain(globals);
        let named = all.filter(|(_, object)| object.name == *array).map(|(at, _)| at).collect();
        let mut loops = Vec::new();
        list_loops(&function.body, &mut loops);
        let mut own = loops.into_iter().filter(|item| item.place == one.place);
        own.any(|item| count_arms(program, &item.body, &named, 0) >= MANY)
    })
}

fn list_loops<'a>(body: &'a [Stmt], found: &mut Vec<&'a Loop>) {
    for stmt in body {
        match stmt {
            Stmt::Loop(item) => {
                found.push(item);
                list_loops(&item.body, found);
            }
            Stmt::If(_, then, otherwise) => {
                list_loops(then, found);
                list_loops(otherwise, found);
            }
            _ => {}
        }
    }
}

/// The innermost arms that mention one of these objects, in what is called, too.
fn count_arms(
    program: &Program,
    body: &[Stmt],
    objects: &BTreeSet<ObjectId>,
    depth: usize,
) -> usize {
    let of_arm = |arm: &[Stmt]| match count_arms(program, arm, objects, depth) {
        0 => usize::from(body_mentions(arm, objects)),
        number => number,
    };
    let of_stmt = |stmt: &Stmt| match stmt {
        Stmt::If(_, then, otherwise) => of_arm(then) + of_arm(otherwise),
        Stmt::Loop(item) => count_arms(program, &item.body, objects, depth),
        Stmt::Call(call) if depth < DEPTH => {
            let Some(callee) = program.functions.get(call.function) else { return 0 };
            let passed = list_passed(callee, &call.arguments, objects);
            count_arms(program, &callee.body, &passed, depth + 1)
        }
        _ => 0,
    };
    body.iter().map(of_stmt).sum()
}

/// The parameters that are one of these objects.
fn list_passed(
    callee: &Function,
    arguments: &[Argument],
    objects: &BTreeSet<ObjectId>,
) -> BTreeSet<ObjectId> {
    let pairs = callee.parameters.iter().zip(arguments);
    let passed = pairs.filter(|(_, argument)| match argument {
        Argument::Object(access) => objects.contains(&access.object),
        Argument::Value(_) => false,
    });
    passed.map(|(parameter, _)| *parameter).collect()
}
