//! Functions that are pipelined as a whole.

use derate_hls::{Count, DirectiveKind, Function, Loop, split_words};

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

/// Whether each loop has a pragma that asks for the same as a `pipeline` or an `unroll` for one of them: which one it was for is not
/// known. What is in a loop that is pipelined like this is unrolled with it.
#[must_use]
pub fn has_asked_loops(function: &Function, wanted: &DirectiveKind) -> bool {
    let has = |one: &Loop| {
        let own = one.pragmas.iter().filter_map(|&at| function.pragmas.get(at)?.directive());
        own.filter(|it| !it.is_off()).any(|it| asks_same(wanted, &it.kind))
    };
    let is_pipeline = matches!(wanted, DirectiveKind::Pipeline(_));
    let around = |one: &Loop| {
        let parent = |one: &&Loop| function.loops.get(one.parent?).filter(|_| is_pipeline);
        std::iter::successors(parent(&one), parent).any(has)
    };
    !function.loops.is_empty() && function.loops.iter().all(|one| has(one) || around(one))
}

/// Whether two directives ask for the same interval, or for as many copies.
fn asks_same(one: &DirectiveKind, other: &DirectiveKind) -> bool {
    match (one, other) {
        (DirectiveKind::Pipeline(one), DirectiveKind::Pipeline(other)) => {
            let interval = |it: &Option<Count>| it.as_ref().map_or(Some(1), Count::number);
            !one.off
                && !other.off
                && interval(&one.ii).is_some()
                && interval(&one.ii) == interval(&other.ii)
        }
        (DirectiveKind::Unroll { factor: one }, DirectiveKind::Unroll { factor: other }) => {
            one.as_ref().map(ToString::to_string) == other.as_ref().map(ToString::to_string)
        }
        _ => false,
    }
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
