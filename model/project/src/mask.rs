//! The mask of a filter: a small table of factors that are set at run time and used for each output.

use std::collections::BTreeSet;

use derate_hls::{AccessForm, AccessKind, Function, Update};

/// More terms are a matrix rather than a mask.
const MOST: u64 = 64;

/// The name of the mask that a sum of so many terms has a factor from: the loops of the sum go through all of it, in two dimensions
/// or more, and nothing sets it in the loop around them. What an element is at most, it is hardly in all of them.
pub fn find_mask<'a>(function: &'a Function, update: &Update, terms: u64) -> Option<&'a str> {
    let parent = |at: &usize| function.loops.get(*at)?.parent;
    let chain: Vec<usize> = std::iter::successors(update.loop_index, parent).collect();
    let own: BTreeSet<&str> = function
        .accesses
        .iter()
        .filter(|one| update.span.contains(one.span) && one.array != update.name)
        .map(|one| one.array.as_str())
        .collect();
    let mut masks = own.into_iter().filter(|name| {
        let mut uses = function.accesses.iter().filter(|one| {
            update.span.contains(one.span) && one.array == *name && !one.index.is_empty()
        });
        let Some(read) = uses.next().filter(|one| one.form == AccessForm::Subscript) else {
            return false;
        };
        let rank = read.index.len();
        let (Some(within), Some(around)) = (chain.get(..rank), chain.get(rank)) else {
            return false;
        };
        let counters: Option<BTreeSet<&str>> =
            within.iter().map(|&at| function.loops[at].variable.as_deref()).collect();
        let index: BTreeSet<&str> = read.index.iter().map(|text| text.trim()).collect();
        let body = function.loops[*around].body;
        let is_set = function.accesses.iter().any(|one| {
            one.array == *name
                && body.contains(one.span)
                && (one.kind != AccessKind::Read || one.form != AccessForm::Subscript)
        });
        let is_local =
            function.locals.iter().any(|one| one.name == *name && body.contains(one.span));
        rank > 1 && index.len() == rank && counters == Some(index) && !is_set && !is_local
    });
    let (only, None) = (masks.next()?, masks.next()) else { return None };
    (terms <= MOST).then_some(only)
}
