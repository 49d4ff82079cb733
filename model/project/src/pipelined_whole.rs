//! Functions that are pipelined as a whole.

use derate_hls::{DirectiveKind, Function, Loop, split_words};

/// Whether a function has a `pipeline` for itself, and not for one of its loops.
#[must_use]
pub fn has_own_pipeline(function: &Function) -> bool {
    let in_loop = |at: usize| function.loops.iter().any(|one| one.pragmas.contains(&at));
    let mut own = function.pragmas.iter().enumerate().filter(|(at, _)| !in_loop(*at));
    own.any(|(_, pragma)| {
        let kind = pragma.directive().map(|directive| directive.kind);
        matches!(kind, Some(DirectiveKind::Pipeline(it)) if !it.off)
    })
}

/// Whether each loop without a loop in it has a `pipeline` or an `unroll`, or is in a loop that has one.
#[must_use]
pub fn has_asked_loops(function: &Function) -> bool {
    let has = |one: &Loop| {
        let own = one.pragmas.iter().filter_map(|&at| function.pragmas.get(at)?.directive());
        let mut kinds = own.filter(|it| !it.is_off()).map(|it| it.kind);
        kinds.any(|kind| match kind {
            DirectiveKind::Pipeline(it) => !it.off,
            DirectiveKind::Unroll { .. } => true,
            _ => false,
        })
    };
    let parent = |one: &Loop| function.loops.get(one.parent?);
    let innermost = function
        .loops
        .iter()
        .enumerate()
        .filter(|(at, _)| function.loops.iter().all(|other| other.parent != Some(*at)));
    let mut innermost = innermost.peekable();
    innermost.peek().is_some()
        && innermost.all(|(_, one)| std::iter::successors(Some(one), |one| parent(one)).any(has))
}

/// Whether a pipeline of the whole function unrolls all of its loops. One whose bounds depend on its arguments or its variables
/// cannot be unrolled: the directive has no effect then.
#[must_use]
pub fn has_fixed_loops(function: &Function) -> bool {
    let locals = function.locals.iter().filter(|local| !local.constant);
    let parameters = function.parameters.iter().map(|one| one.name.as_str());
    let data: Vec<&str> = parameters.chain(locals.map(|local| local.name.as_str())).collect();
    let is_fixed = |one: &Loop| {
        let is_of_data = |text: &String| {
            split_words(text).any(|word| data.contains(&word)) || text.contains('(')
        };
        let ends = [&one.start, &one.bound, &one.step];
        let has_fixed = ends.into_iter().all(|end| end.as_ref().is_some_and(|it| !is_of_data(it)));
        one.trip_count.is_some() || (has_fixed && !one.exits)
    };
    function.loops.iter().all(is_fixed)
}
