//! Partial sums: variables that start at zero, take in a sum and are added to another one.

use derate_hls::{Function, Local, Resolver, Sources, Update};

use super::is_plain_sum;
use super::terms::count_terms;
use crate::addend::{ValueRange, find_addend};

/// The range of one term, its factors, and how many terms the partial sum has.
type Partial = (ValueRange, usize, u64);

/// The partial sum that an update adds. `None` where it adds something else, `Some(None)` where what the variable holds is
/// not known: its type says how much it may hold, not how much it does.
pub(super) fn find_partial_sum(
    resolver: &Resolver<'_>,
    sources: &Sources,
    function: &Function,
    update: &Update,
) -> Option<Option<Partial>> {
    let (_, right) = sources.slice(update.span).split_once('=')?;
    let mut right = right.trim().trim_end_matches(';').trim_end();
    if update.spelt_out {
        right = right.strip_prefix(update.target.as_str())?.trim_start().strip_prefix('+')?.trim();
    }
    let local = function.locals.iter().rev().find(|local| {
        local.name == right
            && local.dims.is_empty()
            && local.span.end <= update.span.start
            && local.block.start <= update.span.start
            && update.span.end <= local.block.end
    })?;
    let is_own = |one: &&Update| {
        one.name == local.name
            && local.span.end <= one.span.start
            && one.span.end <= local.block.end
    };
    let mut own = function.updates.iter().filter(is_own);
    let first = own.next()?;
    let is_only = own.next().is_none();
    Some(is_only.then(|| read_partial(resolver, sources, function, local, first)).flatten())
}

fn read_partial(
    resolver: &Resolver<'_>,
    sources: &Sources,
    function: &Function,
    local: &Local,
    update: &Update,
) -> Option<Partial> {
    let starts_at_zero = local.initial.as_deref().is_some_and(|text| text.trim() == "0");
    if !starts_at_zero || !is_plain_sum(update) {
        return None;
    }
    let read = |_: &str, scalar: &_| ValueRange::of_operand(scalar);
    let (one, factors) = find_addend(resolver, sources, function, update, read)?;
    Some((one, factors, count_terms(resolver, sources, function, update).least))
}
