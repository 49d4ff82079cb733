//! How many terms go into one sum.

use std::collections::BTreeMap;

use derate_hls::{Function, Loop, Resolver, Sources, Span, Update};

use derate_hls::{may_set, split_words};

/// The lines of a body before and behind the update, without pragmas.
fn lines_around<'a>(
    sources: &'a Sources,
    body: Span,
    update: &Update,
) -> impl Iterator<Item = &'a str> {
    let before = Span { end: update.span.start, ..body };
    let after = Span { start: update.span.end, ..body };
    let parts = [before, after].into_iter().filter(|part| part.start < part.end);
    let lines = parts.flat_map(|part| sources.slice(part).lines());
    lines.filter(|line| !line.trim_start().starts_with('#'))
}

/// Whether a body uses the variable outside its update; what it does with it there is not followed.
fn is_used_elsewhere(sources: &Sources, body: Span, update: &Update) -> bool {
    lines_around(sources, body, update).flat_map(split_words).any(|word| word == update.name)
}

/// Whether a body assigns the variable outside its update.
fn is_set(sources: &Sources, body: Span, update: &Update) -> bool {
    let assigns = |line: &str| {
        let mut places = line.match_indices(update.name.as_str());
        places.any(|(at, name)| {
            let mut rest = line[at + name.len()..].trim_start();
            while let Some(end) = rest.strip_prefix('[').and_then(|_| rest.find(']')) {
                rest = rest[end + 1..].trim_start();
            }
            rest.starts_with('=') && !rest.starts_with("==")
        })
    };
    lines_around(sources, body, update).any(assigns)
}

/// Whether an index of the target may change in every iteration of the body: `j = j == 7 ? 0 : j + 1` spreads a sum over
/// eight. The variables of the loops around the update are known from their heads.
fn may_move_index(sources: &Sources, function: &Function, body: Span, update: &Update) -> bool {
    let encloses =
        |one: &Loop| one.body.start <= update.span.start && update.span.end <= one.body.end;
    let counts = |word: &str| {
        let mut all = function.loops.iter().filter(|one| encloses(one));
        all.any(|one| one.variable.as_deref() == Some(word))
    };
    let text: String = lines_around(sources, body, update).flat_map(|line| [line, "\n"]).collect();
    split_words(&update.target)
        .filter(|word| *word != update.name && !counts(word))
        .any(|word| may_set(&text, word))
}

/// How many terms go into one sum.
#[derive(Clone, Copy, Debug)]
pub struct TermCount {
    /// The least number of them.
    pub least: u64,
    /// Whether there may be more: the count of a loop around is unknown, or nothing that was read sets the sum back.
    pub is_open: bool,
}

/// Counts the loops around an update, up to the one that sets its target back.
pub fn count_terms(
    resolver: &Resolver<'_>,
    sources: &Sources,
    function: &Function,
    update: &Update,
) -> TermCount {
    let trips = resolver.trip_counts(function, &BTreeMap::new());
    let home = function.locals.iter().rev().find(|local| {
        local.name == update.name
            && local.span.end <= update.span.start
            && local.block.start <= update.span.start
            && update.span.end <= local.block.end
    });
    let (mut least, mut at) = (1_u64, update.loop_index);
    // Of a variable of this function the first value is that of its declaration.
    let mut is_open = home.is_none();
    while let Some(index) = at {
        let Some(one) = function.loops.get(index) else { break };
        let inside = home.is_some_and(|local| local.loop_index == Some(index));
        let (Some(variable), Some(Ok(trips_here))) = (one.variable.as_deref(), trips.get(index))
        else {
            is_open = true;
            break;
        };
        // An index that the body computes may change in every iteration.
        let computed = function.locals.iter().any(|local| {
            local.loop_index == Some(index)
                && split_words(&update.target).any(|word| word == local.name)
        });
        if inside || is_used_elsewhere(sources, one.body, update) {
            is_open = !inside && !is_set(sources, one.body, update);
            break;
        }
        if computed || may_move_index(sources, function, one.body, update) {
            is_open = true;
            break;
        }
        if !split_words(&update.target).any(|word| word == variable) {
            least = least.saturating_mul(*trips_here);
        }
        at = one.parent;
    }
    TermCount { least, is_open }
}
