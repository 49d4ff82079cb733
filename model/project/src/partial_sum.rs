//! Partial sums: variables that start at zero, take in a sum and are added to another one.

use derate_hls::{Function, HlsType, Local, Resolver, Sources, Update};

use crate::addend::{ValueRange, find_addend};
use crate::tables::Tables;
use crate::terms::count_terms;

/// A variable that is updated before it is added to a sum. Its type says how much it may hold, not how much it does.
pub struct PartialSum<'a> {
    local: &'a Local,
    updates: Vec<&'a Update>,
}

impl<'a> PartialSum<'a> {
    /// The one that an update adds; `None` where it adds something else.
    pub fn find(sources: &Sources, function: &'a Function, update: &Update) -> Option<Self> {
        let (_, right) = sources.slice(update.span).split_once('=')?;
        let mut right = right.trim().trim_end_matches(';').trim_end();
        if update.spelt_out {
            let rest = right.strip_prefix(update.target.as_str())?.trim_start();
            right = rest.strip_prefix('+')?.trim();
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
        let updates: Vec<&Update> = function.updates.iter().filter(is_own).collect();
        (!updates.is_empty()).then_some(Self { local, updates })
    }

    /// The range of one of its terms, the factors of that, and how many terms it has; `None` where they are not known.
    pub fn read(
        &self,
        resolver: &Resolver<'_>,
        sources: &Sources,
        function: &Function,
        tables: &Tables<'_>,
    ) -> Option<(ValueRange, usize, u64)> {
        let [update] = self.updates[..] else { return None };
        let starts_at_zero = self.local.initial.as_deref().is_some_and(|text| text.trim() == "0");
        if !starts_at_zero || !is_plain_sum(update) {
            return None;
        }
        let read =
            |text: &str, scalar: &_| tables.read_operand(function, update.span, text, scalar);
        let (one, factors) = find_addend(resolver, sources, function, update, &read)?;
        Some((one, factors, count_terms(resolver, sources, function, update).least))
    }

    /// The values of its type, where those are fewer than the sums of its terms: it cuts them before they are added.
    pub fn find_cut(
        &self,
        resolver: &Resolver<'_>,
        function: &Function,
        sum: ValueRange,
    ) -> Option<(&'a str, ValueRange)> {
        let [update] = self.updates[..] else { return None };
        let resolution = resolver.variable(function, update.span, &self.local.name);
        let HlsType::Scalar(scalar) = resolution.known()? else { return None };
        let own = ValueRange::of_type(scalar)?;
        (own.integer_bits()? < sum.integer_bits()?).then_some((&self.local.name, own))
    }
}

/// Whether an update adds to one value, in a loop and under no condition.
pub fn is_plain_sum(update: &Update) -> bool {
    let target = &update.target;
    let still =
        !target.starts_with('*') && ["(", "++", "--", "."].iter().all(|it| !target.contains(it));
    update.operator == "+" && !update.conditional && still && update.loop_index.is_some()
}
