//! Memory that an iteration leaves to later ones.

use super::Engine;
use super::meeting::Met;
use super::options::LoopOptions;
use super::reuse::REUSES;
use crate::graph::{BlockId, CarriedEdge, Linear, NodeId, Op, Symbol};
use std::collections::BTreeMap;

/// Pairs of accesses that are compared in one block.
const PAIRS: usize = 400_000;

impl Engine<'_> {
    /// Dependences of loads on stores of iterations before.
    pub(crate) fn carry_memory(
        &mut self,
        block: BlockId,
        counters: &[u32],
        options: &LoopOptions,
        carried: &mut Vec<CarriedEdge>,
    ) {
        let mut groups: BTreeMap<usize, (Vec<NodeId>, Vec<NodeId>)> = BTreeMap::new();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            let Some(access) = &node.access else { continue };
            if node.dead || options.is_free(&self.storages[access.storage].name) {
                continue;
            }
            let group = groups.entry(access.storage).or_default();
            match node.op {
                Op::Load => group.0.push(*id),
                Op::Store => group.1.push(*id),
                _ => {}
            }
        }
        let mut pairs = 0;
        for (storage, (loads, stores)) in &groups {
            let given = options.distance_of(&self.storages[*storage].name);
            for store in stores {
                for load in loads {
                    pairs += 1;
                    if pairs > PAIRS {
                        return;
                    }
                    if let Some(distance) = self.distance(*store, *load, counters) {
                        let distance = distance.max(given);
                        let edge =
                            CarriedEdge { from: *store, to: *load, distance, is_value: false };
                        carried.push(edge);
                    } else {
                        carried.extend(self.find_bank_update(*store, *load, counters));
                    }
                }
            }
        }
    }

    /// Iterations from a store to the load of the same element.
    fn distance(&self, store: NodeId, load: NodeId, counters: &[u32]) -> Option<u64> {
        let block = self.graph.node(store).block;
        let store = self.graph.node(store).access.as_ref()?;
        let load = self.graph.node(load).access.as_ref()?;
        // For each counter of the nest: by how much it differs, if that is settled.
        let mut differs: Vec<Option<i64>> = vec![None; counters.len()];
        let mut apart = 1;
        let (mut is_outside, mut is_unclear) = (false, false);
        let is_blind = self.settings.tool >= REUSES;
        for (written, read) in store.index.iter().zip(&load.index) {
            let Some(difference) = written.minus(read) else { continue };
            let own = |linear: &Linear| -> Vec<(usize, i64)> {
                counters
                    .iter()
                    .enumerate()
                    .map(|(at, counter)| (at, linear.factor(Symbol::Counter(*counter))))
                    .filter(|term| term.1 != 0)
                    .collect()
            };
            let varies = |linear: &Linear| {
                linear.terms.iter().any(|(symbol, _)| match symbol {
                    Symbol::Counter(_) => false,
                    Symbol::Opaque(node) => self.graph.node(*node).block == block,
                })
            };
            if !difference.is_constant() || varies(written) {
                if is_blind && own(written).is_empty() && own(read).is_empty() {
                    is_unclear = true;
                }
                // A counter of the nest has another value for the read: one that both have says nothing.
                let (ours, theirs) = (own(written), own(read));
                is_outside |= if is_blind {
                    let is_shared = |one: &(usize, i64)| theirs.iter().any(|two| one.0 == two.0);
                    !ours.iter().any(is_shared) && self.is_beside_nest(&difference, counters)
                } else {
                    (ours.is_empty() || theirs.is_empty())
                        && self.range(&difference).is_some_and(|(low, high)| low > 0 || high < 0)
                };
                let (last, around) = counters.split_last()?;
                match self.first_meeting((written, read), *last, around, block) {
                    Met::Never => return None,
                    Met::After(least) => apart = apart.max(least),
                    Met::Anywhere => {}
                }
                // The dimension says nothing else.
                continue;
            }
            match own(written).as_slice() {
                [] if difference.constant == 0 => {}
                [] if is_blind && !written.is_constant() => is_unclear = true,
                [] => return None,
                [(at, factor)] => {
                    let unit = *factor;
                    if unit == 0 || difference.constant % unit != 0 {
                        return None;
                    }
                    let by = difference.constant / unit;
                    match differs[*at] {
                        Some(other) if other != by => return None,
                        _ => differs[*at] = Some(by),
                    }
                }
                _ => {
                    if difference.constant != 0 {
                        return Some(1);
                    }
                    for (at, _) in own(written) {
                        differs[at] = differs[at].or(Some(0));
                    }
                }
            }
        }
        if is_outside && !is_unclear {
            return None;
        }
        let distance = self.flat_distance(&differs, counters)?.max(apart);
        let storage = &self.storages[store.storage];
        // Through a choice of banks the tool loses how far away the element is, not that it is met again. A choice that is
        // the same for both, and for the whole innermost loop, does no harm.
        let by =
            (store.index == load.index).then(|| counters.last().map(|at| Symbol::Counter(*at)));
        let late = |index: &[Linear]| {
            storage.is_chosen_late(index, by.flatten(), &|index| self.range(index))
        };
        let is_lost = late(&store.index) && late(&load.index);
        Some(if is_lost { 1 } else { distance })
    }

    /// Whether a sum is never 0 by what the loops of the nest alone say of it: from their first value to before their bound.
    ///
    /// RTL of 2023.1 has no register beside the memory (see the module on reuse) where a row is read up to the element that is
    /// stored (`k < i`), but has it where the rows behind it are read (`k = i + 1`): what is computed before a loop is a value of
    /// which the tool knows nothing.
    fn is_beside_nest(&self, linear: &Linear, nest: &[u32]) -> bool {
        let end = |high| self.end_within_nest(linear, nest, high);
        end(false).is_some_and(|low| low > 0) || end(true).is_some_and(|high| high < 0)
    }

    fn end_within_nest(&self, linear: &Linear, nest: &[u32], high: bool) -> Option<i64> {
        let mut rest = linear.clone();
        for number in nest.iter().rev() {
            let factor = rest.factor(Symbol::Counter(*number));
            if factor == 0 {
                continue;
            }
            rest.terms.retain(|term| term.0 != Symbol::Counter(*number));
            let counter = &self.counters[*number as usize];
            let bounds = counter.bounds.as_ref().filter(|_| counter.step == 1)?;
            if !bounds.0.is_constant() && bounds.0.constant != 0 {
                return None;
            }
            if (factor > 0) == high {
                let mut last = bounds.1.minus(&bounds.0)?;
                last.constant = last.constant.checked_sub(1)?;
                rest = rest.plus(&last.scaled(factor)?)?;
            }
        }
        rest.is_constant().then_some(rest.constant)
    }

    /// The least positive number of iterations of the nest with these differences.
    fn flat_distance(&self, differs: &[Option<i64>], counters: &[u32]) -> Option<u64> {
        let mut inside = vec![1.0; counters.len()];
        for at in (0..counters.len().saturating_sub(1)).rev() {
            // Where the trips vary, the next run of the inner loop may be the next iteration but one.
            let trip = self.counters[counters[at + 1] as usize].trip;
            inside[at] = inside[at + 1] * trip.least.max(1.0);
        }
        let mut total = 0.0;
        let mut free = None;
        for (at, by) in differs.iter().enumerate() {
            match by {
                #[allow(clippy::cast_precision_loss)]
                Some(by) => total += *by as f64 * inside[at],
                None if self.counters[counters[at] as usize].trip.most > 1.0 => free = Some(at),
                None => {}
            }
        }
        if total <= 0.0 {
            // The innermost counter that is free makes it positive.
            total += inside[free?];
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (total > 0.0).then_some(total as u64)
    }
}
