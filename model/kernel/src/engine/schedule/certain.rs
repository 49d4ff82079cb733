//! What an interval is at least, whatever the tool makes of the accesses to a memory.

use crate::engine::Engine;
use crate::graph::{
    BlockId, Cut, Implementation, Linear, MemoryAccess, NodeId, Op, Storage, Symbol,
};
use std::collections::{BTreeMap, BTreeSet};

/// Reads in a cycle of a memory that the tool copies: a log of 2022.1 has 64 reads at an interval of 4, and not of 3.
const READERS: u64 = 16;

/// What accesses to one bank have in common, for each dimension that is cut.
type Key = Vec<Linear>;

impl Engine<'_> {
    /// The interval that the accesses of an iteration need that are certainly to one bank. Reads that are the same in
    /// every iteration do not count where nothing is written: the tool may do them before the loop.
    pub(super) fn certain_interval(&self, number: usize, block: BlockId, live: &[NodeId]) -> u64 {
        let storage = &self.storages[number];
        if storage.implementation == Implementation::Bus {
            // The tool may widen the port, so that one beat has them all.
            return 1;
        }
        let counters = self.own_counters(block);
        let own = |id: &NodeId| {
            let node = self.graph.node(*id);
            let access = node.access.as_ref().filter(|access| access.storage == number)?;
            Some((access, matches!(node.op, Op::Store | Op::Push)))
        };
        let is_written = live.iter().filter_map(own).any(|(_, write)| write);
        let mut words = BTreeSet::new();
        let mut counts: BTreeMap<Key, (u64, u64)> = BTreeMap::new();
        for (access, write) in live.iter().filter_map(own) {
            let is_free = !is_written && self.is_fixed(access, block, &counters);
            if is_free || !words.insert((write, storage.word_index(&access.index))) {
                continue;
            }
            let entry = counts.entry(bank_key(storage, access)).or_default();
            if write {
                entry.1 += 1;
            } else {
                entry.0 += 1;
            }
        }
        let is_copied = storage.is_copied_by_tool(self.settings.tool);
        let needs = counts.values().map(|(reads, writes)| {
            let needs = storage.cycles_of(*reads, *writes);
            if is_copied { needs.min(reads.div_ceil(READERS).max(*writes)) } else { needs }
        });
        needs.max().unwrap_or(1).max(1)
    }

    /// The counters of a block's own loops.
    fn own_counters(&self, block: BlockId) -> Vec<Symbol> {
        let nodes = self.graph.blocks[block as usize].iter().map(|id| self.graph.node(*id));
        let counters = nodes.filter(|node| node.op == Op::Counter);
        let symbols = counters.flat_map(|node| node.linear.iter().flat_map(|sum| &sum.terms));
        symbols.map(|(symbol, _)| *symbol).collect()
    }

    /// Whether an access is to the same element in every iteration.
    fn is_fixed(&self, access: &MemoryAccess, block: BlockId, counters: &[Symbol]) -> bool {
        let mut terms = access.index.iter().flat_map(|part| &part.terms);
        terms.all(|(symbol, _)| match symbol {
            Symbol::Counter(_) => !counters.contains(symbol),
            Symbol::Opaque(node) => {
                let node = self.graph.node(*node);
                node.block != block || node.op == Op::Input
            }
        })
    }
}

/// Two accesses with equal keys are to one bank in every iteration.
fn bank_key(storage: &Storage, access: &MemoryAccess) -> Key {
    let cuts = storage.cuts.iter().zip(&storage.dims).enumerate();
    let cut = cuts.filter(|(_, (cut, length))| cut.banks(**length) > 1);
    cut.filter_map(|(at, (cut, _))| {
        let mut index = access.index.get(at)?.clone();
        if let Cut::Cyclic(factor) = cut {
            index.constant = index.constant.rem_euclid(i64::try_from(*factor).ok()?);
        }
        Some(index)
    })
    .collect()
}
