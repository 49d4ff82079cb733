//! Whether all loops of a function have bounds that are known when it is compiled.

use std::collections::BTreeSet;

use super::Bodies;
use derate_hls::{Function, Loop, LoopKind, Span, split_words};

/// No more functions are gone through, each with the parameters that data reach: beyond, the bounds count as open.
const FUNCTIONS: usize = 1000;

/// The parameters of a function that data reach, by their places.
type Reached = (Span, BTreeSet<usize>);

/// Whether all bounds of the loops of a function, and of what it calls, are made of numbers, constants, template arguments and
/// counters.
pub(super) fn has_fixed_bounds(function: &Function, bodies: &Bodies<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![(function, (0..function.parameters.len()).collect::<BTreeSet<usize>>())];
    while let Some((function, data)) = open.pop() {
        let reached: Reached = (function.span, data);
        if seen.contains(&reached) {
            continue;
        }
        let words = FixedWords::list(function, &reached.1, bodies.constants);
        if seen.len() >= FUNCTIONS || !function.loops.iter().all(|one| words.bound(one)) {
            return false;
        }
        for call in &function.calls {
            let Some(callee) = bodies.find_callee(call) else { continue };
            let handed = call.arguments.iter().enumerate();
            let handed = handed.filter(|(_, text)| !words.make(text)).map(|(at, _)| at);
            open.push((callee, handed.collect()));
        }
        seen.insert(reached);
    }
    true
}

/// The words of a function that are known when it is compiled.
struct FixedWords<'a> {
    /// What the function declares and calls otherwise is not what the files call so.
    own: BTreeSet<&'a str>,
    fixed: BTreeSet<&'a str>,
    template: BTreeSet<&'a str>,
    constants: &'a BTreeSet<&'a str>,
}

impl<'a> FixedWords<'a> {
    fn list(
        function: &'a Function,
        data: &BTreeSet<usize>,
        constants: &'a BTreeSet<&'a str>,
    ) -> Self {
        let parameters = function.parameters.iter().enumerate();
        let handed = parameters.filter(|(at, _)| !data.contains(at)).map(|(_, one)| &one.name);
        let counters = function.loops.iter().filter(|one| one.kind == LoopKind::For);
        let counters = counters.filter_map(|one| one.variable.as_ref());
        let template: BTreeSet<&str> =
            function.template.iter().map(|one| one.name.as_str()).collect();
        let mut all = Self {
            own: BTreeSet::new(),
            fixed: handed.chain(counters).map(String::as_str).collect(),
            template,
            constants,
        };
        let parameters = function.parameters.iter().map(|one| one.name.as_str());
        all.own = parameters.chain(function.locals.iter().map(|one| one.name.as_str())).collect();
        // A local constant is made of what is above it.
        for local in function.locals.iter().filter(|one| one.constant) {
            if local.initial.as_ref().is_some_and(|text| all.make(text)) {
                all.fixed.insert(&local.name);
            }
        }
        all
    }

    /// Whether all words of a text are known; also what a template argument has: `T::rows`.
    fn make(&self, text: &str) -> bool {
        let pieces = text.split("::").map(str::trim_end).collect::<Vec<_>>();
        let is_member = |at: usize, place: usize| {
            let before = at.checked_sub(1).and_then(|before| pieces.get(before));
            place == 0
                && before.is_some_and(|before| {
                    split_words(before).last().is_some_and(|word| self.template.contains(word))
                })
        };
        pieces.iter().enumerate().all(|(at, piece)| {
            split_words(piece).enumerate().all(|(place, word)| {
                word.starts_with(|sign: char| sign.is_ascii_digit())
                    || is_member(at, place)
                    || self.fixed.contains(word)
                    || (!self.own.contains(word)
                        && (self.template.contains(word) || self.constants.contains(word)))
            })
        })
    }

    fn bound(&self, one: &Loop) -> bool {
        match one.kind {
            _ if one.trip_count.is_some() => true,
            LoopKind::While | LoopKind::Do => false,
            LoopKind::Range => true,
            LoopKind::For => {
                let has_head = one.bound.is_some() && one.step.is_some();
                let parts = [&one.start, &one.bound, &one.step];
                has_head && parts.into_iter().flatten().all(|text| self.make(text))
            }
        }
    }
}
