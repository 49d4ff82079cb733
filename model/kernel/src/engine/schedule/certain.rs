//! What an interval is at least, whatever the tool makes of the accesses to a memory.

use crate::engine::Engine;
use crate::engine::exclusive::DEEPEST;
use crate::graph::{
    BlockId, Cut, Implementation, Linear, MemoryAccess, NodeId, Op, Storage, Symbol, Value,
};
use rustc_hash::FxHashSet as HashSet;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Reads in a cycle of a memory that the tool copies: a log of 2022.1 has 64 reads at an interval of 4, and not of 3.
const READERS: u64 = 16;

/// What accesses to one bank have in common, for each dimension that is cut.
type Key = Vec<Linear>;

/// Operations of a block beyond which this is not looked at.
const MOST_LIVE: usize = 20_000;

/// Keys of accesses that are held against each other.
const MOST_KEYS: usize = 512;

/// Different guards that are looked at: accesses with others do not count.
const MOST_GUARDS: usize = 256;

/// Accesses by their guards.
#[derive(Default)]
struct Guarded(BTreeMap<Option<NodeId>, u64>);

impl Guarded {
    fn add(&mut self, guard: Option<Value>) {
        *self.0.entry(guard.and_then(Value::node)).or_default() += 1;
    }
}

/// Reads, writes and both together.
#[derive(Default)]
struct ByKind {
    reads: Guarded,
    writes: Guarded,
    all: Guarded,
}

impl Engine<'_> {
    /// The interval that the accesses of an iteration need that are certainly to one bank. Accesses in two ways of a
    /// condition count as one: the tool may give them one port. Reads that are the same in every iteration do not count
    /// where nothing is written: the tool may do them before the loop.
    pub(super) fn certain_interval(
        &self,
        bank: (usize, u64),
        block: BlockId,
        live: &[NodeId],
    ) -> u64 {
        let storage = &self.storages[bank.0];
        if storage.implementation == Implementation::Bus {
            return self.certain_beats(bank, live);
        }
        let counters = self.own_counters(block);
        let own = |id: &NodeId| {
            let node = self.graph.node(*id);
            let access = node.access.as_ref().filter(|access| access.storage == bank.0)?;
            Some((access, matches!(node.op, Op::Store | Op::Push), node.guard))
        };
        let is_written = live.iter().filter_map(own).any(|(_, write, _)| write);
        let mut words = BTreeSet::new();
        let mut accesses: BTreeMap<Key, ByKind> = BTreeMap::new();
        for (access, write, guard) in live.iter().filter_map(own) {
            let is_free = !is_written && self.is_fixed(access, block, &counters);
            if is_free || !words.insert((write, storage.word_index(&access.index))) {
                continue;
            }
            let entry = accesses.entry(bank_key(storage, access)).or_default();
            if write { &mut entry.writes } else { &mut entry.reads }.add(guard);
            entry.all.add(guard);
        }
        let is_copied = storage.is_copied_by_tool(self.settings.tool);
        let needs = accesses.values().map(|own| {
            let [reads, writes, all] =
                [&own.reads, &own.writes, &own.all].map(|own| self.count_together(own));
            let needs = storage.least_cycles(reads, writes, all);
            if is_copied { needs.min(reads.div_ceil(READERS).max(writes)) } else { needs }
        });
        needs.max().unwrap_or(1).max(1)
    }

    /// The accesses of an iteration that may be to one bank of a memory at the most, and the interval that they need: those whose
    /// indices differ by a constant are apart where that tells the banks apart. `None` where nothing is known of it.
    pub(super) fn possible_interval(
        &self,
        bank: (usize, u64),
        live: &[NodeId],
    ) -> Option<(u64, u64)> {
        let storage = &self.storages[bank.0];
        let is_memory =
            !matches!(storage.implementation, Implementation::Bus | Implementation::Registers);
        if !is_memory || storage.word() > 1 || live.len() > MOST_LIVE {
            return None;
        }
        let mut words = BTreeSet::new();
        let (mut all_reads, mut all_writes) = (Guarded::default(), Guarded::default());
        let mut classes: BTreeMap<Key, BTreeMap<Vec<i64>, (Guarded, Guarded)>> = BTreeMap::new();
        for id in live {
            let node = self.graph.node(*id);
            let Some(access) = node.access.as_ref().filter(|it| it.storage == bank.0) else {
                continue;
            };
            let write = match node.op {
                Op::Store => true,
                Op::Load => false,
                // A stream has its own order.
                Op::Push | Op::Pop => return None,
                _ => continue,
            };
            if write || words.insert(storage.word_index(&access.index)) {
                let (class, place) = split_key(storage, access);
                let entry = classes.entry(class).or_default().entry(place).or_default();
                if write { &mut entry.1 } else { &mut entry.0 }.add(node.guard);
                if write { &mut all_writes } else { &mut all_reads }.add(node.guard);
            }
        }
        let guards = all_reads.0.len().max(all_writes.0.len());
        let keys: usize = classes.values().map(BTreeMap::len).sum();
        // Guards beyond those that are looked at may hold as well.
        if keys > MOST_KEYS || guards > MOST_GUARDS {
            return None;
        }
        // In each class, one place is in a bank at most.
        let (mut reads, mut writes) = (0, 0);
        for places in classes.values() {
            let most = |part: fn(&(Guarded, Guarded)) -> &Guarded| {
                places.values().map(|own| self.count_together(part(own))).max().unwrap_or(0)
            };
            reads += most(|own| &own.0);
            writes += most(|own| &own.1);
        }
        let reads = reads.min(self.count_together(&all_reads));
        let writes = writes.min(self.count_together(&all_writes));
        Some((storage.narrowest(reads, writes).0, storage.cycles_of(reads, writes)))
    }

    /// The same of a bus, where the tool does not make it wider.
    fn certain_beats(&self, bank: (usize, u64), live: &[NodeId]) -> u64 {
        let storage = &self.storages[bank.0];
        let mut seen = BTreeSet::new();
        let mut beats = ByKind::default();
        for id in live {
            let node = self.graph.node(*id);
            let write = matches!(node.op, Op::Store | Op::Push);
            let beat = node.access.as_ref().and_then(|access| self.beat(access, write));
            let own = beat.filter(|beat| (beat.0, beat.1) == bank);
            if own.is_some_and(|beat| seen.insert(beat)) {
                if write { &mut beats.writes } else { &mut beats.reads }.add(node.guard);
            }
        }
        let each = storage.bus.as_ref().map_or(1, crate::graph::Bus::beats);
        self.count_together(&beats.reads)
            .max(self.count_together(&beats.writes))
            .saturating_mul(each)
            .max(1)
    }

    /// How many accesses one iteration makes, as far as no guards of them exclude each other: those of the guard with the most, and
    /// of others that may hold with it.
    fn count_together(&self, accesses: &Guarded) -> u64 {
        let mut guards: Vec<(u64, NodeId)> =
            accesses.0.iter().filter_map(|(guard, number)| Some((*number, (*guard)?))).collect();
        guards.sort_by_key(|(number, guard)| (Reverse(*number), *guard));
        let mut number = accesses.0.get(&None).copied().unwrap_or(0);
        let (mut holding, mut seen) = (Vec::new(), HashSet::default());
        for (more, guard) in guards.into_iter().take(MOST_GUARDS) {
            let conditions = self.list_conditions(Value::Node(guard));
            if !self.clash(&holding, &conditions, DEEPEST) {
                number += more;
                holding.extend(
                    conditions
                        .into_iter()
                        .filter(|one| one.node().is_none_or(|node| seen.insert(node))),
                );
            }
        }
        number
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

/// What two accesses have in common of which only a constant tells the banks apart, and that constant, for each dimension that
/// is cut.
fn split_key(storage: &Storage, access: &MemoryAccess) -> (Key, Vec<i64>) {
    let cuts =
        storage.cuts.iter().zip(&storage.dims).filter(|(cut, length)| cut.banks(**length) > 1);
    let parts = bank_key(storage, access).into_iter().zip(cuts);
    let split = parts.map(|(mut index, (cut, length))| {
        let factor = match cut {
            Cut::Cyclic(factor) => i64::try_from(*factor).unwrap_or(1),
            _ if cut.banks(*length) >= *length => 0,
            // A constant does not tell the banks apart.
            _ => return (Linear { constant: 0, ..index }, 0),
        };
        let place = std::mem::take(&mut index.constant);
        index.terms = list_rests(&index, factor).into_iter().collect();
        (index, place)
    });
    split.unzip()
}

/// The terms of an index that choose among so many cyclic banks.
fn list_rests(index: &Linear, factor: i64) -> Vec<(Symbol, i64)> {
    let terms = index.terms.iter().map(|&(symbol, times)| (symbol, times));
    let rests = terms.map(|(symbol, times)| (symbol, times.checked_rem(factor).unwrap_or(times)));
    rests.filter(|(_, times)| *times != 0).collect()
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
