//! Functions that are only called in pipelines: they are pipelined with their callers.

use derate_hls::{Call, DirectiveKind, Function, Loop, Pragma, Span, bare_name};

use crate::Code;
use crate::pipelined_whole::has_own_pipeline;

/// The function that has a `pipeline` at a place for itself, not for a loop, where each call of it in the code is in a pipelined loop
/// or function; `None` where one is not, or where nothing calls it.
#[must_use]
pub fn find_called_in_pipelines(code: &Code, place: Span) -> Option<&str> {
    let is_around = |span: &Span| span.contains(place);
    let bodies = || code.functions().filter(|one| one.body.is_some());
    let own = bodies().find(|one| one.body.as_ref().is_some_and(is_around))?;
    if own.loops.iter().any(|one| is_around(&one.body)) {
        return None;
    }
    let is_it = |call: &&Call| bare_name(&call.callee) == own.name;
    let mut calls =
        bodies().flat_map(|one| one.calls.iter().filter(is_it).map(move |call| (one, call)));
    let is_one = bodies().filter(|one| one.name == own.name).count() == 1;
    let mut number = 0;
    let is_all = calls.all(|(caller, call)| {
        number += 1;
        is_pipelined(caller, call.span)
    });
    (is_one && is_all && number > 0).then_some(own.name.as_str())
}

/// The innermost loop that has a place in its body.
#[must_use]
pub fn find_loop_around(code: &Code, place: Span) -> Option<(&Function, &Loop)> {
    let all = code.functions().flat_map(|one| one.loops.iter().map(move |own| (one, own)));
    let around = all.filter(|(_, one)| one.body.contains(place));
    around.min_by_key(|(_, one)| one.body.end - one.body.start)
}

/// Whether no loop is in another one.
#[must_use]
pub fn is_innermost(function: &Function, one: &Loop) -> bool {
    function.loops.iter().all(|other| other.span == one.span || !one.body.contains(other.span))
}

/// Whether a place is in a loop with a `pipeline`, or in a function that has one for itself.
fn is_pipelined(function: &Function, place: Span) -> bool {
    let starts = |one: &Pragma| {
        let kind = one.directive().map(|directive| directive.kind);
        matches!(kind, Some(DirectiveKind::Pipeline(it)) if !it.off)
    };
    let has = |one: &Loop| {
        let mut own = one.pragmas.iter().filter_map(|&at| function.pragmas.get(at));
        own.any(starts)
    };
    function.loops.iter().any(|one| one.body.contains(place) && has(one))
        || has_own_pipeline(function)
}
