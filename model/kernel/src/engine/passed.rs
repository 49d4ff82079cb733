//! The parameters that an array is passed to: how a callee cuts its parameter, the tool cuts the array, for all of its uses.

use derate_hls::DirectiveKind;
use derate_program::{Argument, Function, ObjectId, Program, Stmt};

/// Calls are followed this deep.
const DEEPEST: usize = 16;

/// Whether a function has a directive that cuts one of its parameters.
pub(super) fn cuts_parameter(function: &Function) -> bool {
    function.parameters.iter().any(|parameter| find_cuts(function, *parameter).next().is_some())
}

/// How a function cuts one of its objects.
pub(super) fn find_cuts(
    function: &Function,
    object: ObjectId,
) -> impl Iterator<Item = &DirectiveKind> {
    let own = function.pragmas.iter().filter(move |one| one.objects.contains(&object));
    own.map(|one| &one.kind).filter(|kind| {
        matches!(kind, DirectiveKind::ArrayPartition(_) | DirectiveKind::ArrayReshape(_))
    })
}

/// The functions that get the whole array, each with its parameter.
pub(super) fn find_parameters<'a>(
    program: &'a Program,
    function: &Function,
    object: ObjectId,
) -> Vec<(&'a Function, ObjectId)> {
    let mut found = Vec::new();
    follow(program, &function.body, object, DEEPEST, &mut found);
    found
}

fn follow<'a>(
    program: &'a Program,
    body: &[Stmt],
    object: ObjectId,
    depth: usize,
    found: &mut Vec<(&'a Function, ObjectId)>,
) {
    for stmt in body {
        match stmt {
            Stmt::Loop(item) => follow(program, &item.body, object, depth, found),
            Stmt::If(_, then, otherwise) => {
                follow(program, then, object, depth, found);
                follow(program, otherwise, object, depth, found);
            }
            Stmt::Call(call) => {
                let Some(callee) = program.functions.get(call.function) else { continue };
                for (argument, parameter) in call.arguments.iter().zip(&callee.parameters) {
                    let Argument::Object(access) = argument else { continue };
                    let is_known = |one: &(&Function, ObjectId)| {
                        std::ptr::eq(one.0, callee) && one.1 == *parameter
                    };
                    let is_whole = access.object == object && access.index.is_empty();
                    if is_whole && depth > 0 && !found.iter().any(is_known) {
                        found.push((callee, *parameter));
                        follow(program, &callee.body, *parameter, depth - 1, found);
                    }
                }
            }
            _ => {}
        }
    }
}
