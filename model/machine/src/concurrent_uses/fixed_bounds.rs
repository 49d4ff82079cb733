//! Whether all loops of a function have bounds that are known when it is compiled.

use std::collections::BTreeSet;

use super::find_callee;
use derate_hls::{Function, LoopKind, split_words};

/// Calls are followed this deep.
const DEPTH: usize = 6;

/// Whether no loop of a function, or of what it calls, depends on the function's arguments or variables.
pub(super) fn has_fixed_bounds(function: &Function, functions: &[&Function]) -> bool {
    let data = function.parameters.iter().map(|one| one.name.as_str()).collect();
    are_fixed(function, functions, &data, DEPTH)
}

fn are_fixed(
    function: &Function,
    functions: &[&Function],
    data: &BTreeSet<&str>,
    depth: usize,
) -> bool {
    let counters: BTreeSet<&str> =
        function.loops.iter().filter_map(|one| one.variable.as_deref()).collect();
    let variable = |word: &str| {
        let is_local = || function.locals.iter().any(|one| one.name == word && !one.constant);
        !counters.contains(word) && (data.contains(word) || is_local())
    };
    let depends = |text: &str| split_words(text).any(variable);
    let loops_are_fixed = function.loops.iter().all(|one| match one.kind {
        _ if one.trip_count.is_some() => true,
        LoopKind::While | LoopKind::Do => false,
        LoopKind::Range => true,
        LoopKind::For => {
            let has_head = one.bound.is_some() && one.step.is_some();
            let parts = [&one.start, &one.bound, &one.step];
            has_head && !parts.into_iter().flatten().any(|text| depends(text))
        }
    });
    loops_are_fixed
        && function.calls.iter().all(|call| {
            let Some(callee) = find_callee(functions, call).filter(|_| depth > 0) else {
                return true;
            };
            let pairs = callee.parameters.iter().zip(&call.arguments);
            let handed = pairs.filter(|(_, text)| depends(text));
            let data = handed.map(|(parameter, _)| parameter.name.as_str()).collect();
            are_fixed(callee, functions, &data, depth - 1)
        })
}
