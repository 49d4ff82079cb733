//! The initiation interval that the ports of memories and queues ask for.

use super::work::Work;
use crate::answer::HeldBy;
use crate::engine::Engine;
use crate::graph::{BlockId, Implementation, Op};
use rustc_hash::FxHashSet as HashSet;
use std::collections::BTreeMap;

impl Engine<'_> {
    /// The interval that the ports of memories need.
    pub(super) fn memory_interval(&self, block: BlockId, work: &Work) -> (u64, Option<HeldBy>) {
        let mut counts: BTreeMap<(usize, u64), (u64, u64)> = BTreeMap::new();
        let mut words = HashSet::default();
        let mut bus_beats = HashSet::default();
        for id in &work.live {
            let node = self.graph.node(*id);
            let Some(access) = node.access.as_ref().filter(|_| uses_port(node.op)) else {
                continue;
            };
            let storage = &self.storages[access.storage];
            let write = matches!(node.op, Op::Store | Op::Push);
            if matches!(storage.implementation, Implementation::Registers) {
                continue;
            }
            if storage.word() > 1
                && !words.insert((access.storage, write, storage.word_index(&access.index)))
            {
                continue;
            }
            let mut key = (access.storage, access.bank.class(&work.moduli[&access.storage]));
            let mut beats = 1;
            if let (Some(bus), Some(beat)) = (&storage.bus, self.beat(access, write)) {
                (key, beats) = ((beat.0, beat.1), bus.beats());
                if !bus_beats.insert(beat) {
                    continue;
                }
            }
            let entry = counts.entry(key).or_default();
            if write {
                entry.1 += beats;
            } else {
                entry.0 += beats;
            }
        }
        let mut most = (1, None);
        for ((number, _), (reads, writes)) in counts {
            let storage = &self.storages[number];
            let needs = storage.cycles_of(reads, writes);
            if needs > most.0 {
                let (accesses, ports) = storage.narrowest(reads, writes);
                let least = self.certain_interval(number, block, &work.live).min(needs);
                let held = HeldBy::Memory { array: storage.name.clone(), accesses, ports, least };
                most = (needs, Some(held));
            }
        }
        most
    }
}

/// What is kept in a register for the whole loop takes no port.
fn uses_port(op: Op) -> bool {
    matches!(op, Op::Load | Op::Store | Op::Pop | Op::Push)
}
