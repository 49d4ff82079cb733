//! Into how many banks the tool cuts an array by itself, so that a block finds all its elements at once.

use super::Usage;
use crate::engine::Engine;
use crate::graph::{IndexValues, Linear, NodeId, Op, Symbol};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// Ports of a bank.
const PORTS: u64 = 2;

impl Engine<'_> {
    /// Counts the banks that the accesses of a block ask for.
    pub(super) fn count_banks(&self, live: &[NodeId], usage: &mut Usage) {
        let mut groups: BTreeMap<usize, Vec<(&[Linear], bool)>> = BTreeMap::new();
        for id in live {
            let node = self.graph.node(*id);
            if let Some(access) = &node.access
                && self.storages[access.storage].is_cut_by_tool(self.settings.tool)
            {
                let group = groups.entry(access.storage).or_default();
                group.push((access.index.as_slice(), node.op == Op::Store));
            }
        }
        let counters = self.nest_counters(live);
        // Copies of a loop that data end come one after the other.
        let is_open = counters.iter().any(|&one| self.counters[one as usize].trip.is_open);
        for (storage, mut group) in groups {
            let mut seen = HashSet::default();
            group.retain(|one| seen.insert(*one));
            // Elements that no iteration changes are read once, before the loop.
            let stays =
                group.iter().all(|(index, write)| !write && !Self::changes(index, &counters));
            if is_open || stays {
                group.clear();
            }
            let banks = self.banks_for(&self.storages[storage].dims, &group);
            usage.accesses.entry(storage).or_default().banks = banks;
        }
    }

    /// From the last dimension on: elements side by side go to banks of their own, two to a bank where each is asked for
    /// once.
    fn banks_for(&self, dims: &[u64], group: &[(&[Linear], bool)]) -> Vec<u64> {
        let mut banks = vec![1; dims.len()];
        let mut each = group.len() as u64;
        for at in (0..dims.len()).rev() {
            if each <= PORTS {
                break;
            }
            let mut beside: HashMap<SmallVec<[&Linear; 4]>, HashSet<i64>> = HashMap::default();
            let mut fixed = true;
            for (index, _) in group {
                let Some(own) = index.get(at) else { continue };
                let others = (0..index.len()).filter(|other| *other != at);
                beside
                    .entry(others.map(|other| &index[other]).collect())
                    .or_default()
                    .insert(own.constant);
                fixed &= own.terms.iter().all(|(symbol, _)| self.is_short(*symbol));
            }
            let count = beside.values().map(HashSet::len).max().unwrap_or(1) as u64;
            if count <= 1 {
                continue;
            }
            each = each.div_ceil(count);
            banks[at] = match count {
                _ if fixed => dims[at],
                even if even % PORTS == 0 && each == 1 => even / PORTS,
                other => other,
            }
            .min(dims[at]);
        }
        banks
    }

    /// The counters of the loops that a block is the body of.
    pub(super) fn nest_counters(&self, live: &[NodeId]) -> BTreeSet<u32> {
        let Some(first) = live.first() else { return BTreeSet::new() };
        let block = &self.graph.blocks[self.graph.node(*first).block as usize];
        let nodes = block.iter().map(|id| self.graph.node(*id));
        let linear =
            nodes.filter(|node| node.op == Op::Counter).filter_map(|node| node.linear.as_ref());
        let symbols = linear.flat_map(|linear| &linear.terms).map(|term| term.0);
        let counter = |symbol| match symbol {
            Symbol::Counter(number) => Some(number),
            Symbol::Opaque(_) => None,
        };
        symbols.filter_map(counter).collect()
    }

    /// How many values an index has in each dimension, by the trips of its counters; `None` with one of these counters, and
    /// where that is not known.
    pub(super) fn count_values(&self, index: &[Linear], inner: &BTreeSet<u32>) -> IndexValues {
        let values = |part: &Linear| {
            part.terms.iter().try_fold(1_u64, |all, (symbol, _)| match symbol {
                Symbol::Counter(number) if !inner.contains(number) => {
                    let trip = &self.counters[*number as usize].trip;
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                    (!trip.is_open).then(|| all.saturating_mul((trip.most as u64).max(1)))
                }
                _ => None,
            })
        };
        index.iter().map(values).collect()
    }

    /// Whether an iteration changes an index.
    fn changes(index: &[Linear], counters: &BTreeSet<u32>) -> bool {
        index.iter().flat_map(|part| &part.terms).any(|(symbol, _)| match symbol {
            Symbol::Counter(number) => counters.contains(number),
            Symbol::Opaque(_) => true,
        })
    }

    /// Whether a counter has so few values that indices with it are as good as constants.
    fn is_short(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Counter(number) => self.counters[number as usize].trip.most <= 2.0,
            Symbol::Opaque(_) => false,
        }
    }
}
