//! The initiation interval that the ports of memories and queues ask for.

use super::work::Work;
use crate::answer::{HeldBy, SharedBundle};
use crate::engine::Engine;
use crate::graph::{BlockId, Implementation, Linear, Op};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The ports that use a bank of a bus in one direction.
type Sharers = BTreeMap<((usize, u64), bool), BTreeSet<usize>>;

impl Engine<'_> {
    /// The interval that the ports of memories need.
    pub(super) fn memory_interval(&self, block: BlockId, work: &Work) -> (u64, Option<HeldBy>) {
        let mut counts: BTreeMap<(usize, u64), (u64, u64)> = BTreeMap::new();
        let mut words = HashSet::default();
        let mut places = HashSet::default();
        let mut transfers: HashMap<(usize, bool, &[Linear]), u64> = HashMap::default();
        let mut bus_beats = HashSet::default();
        let mut sharers = Sharers::new();
        // Accesses to a stream that data choose may be to any of them.
        let mut open: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
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
            // Each word of a stream is another one: its lanes come once with each.
            let is_transfer = matches!(node.op, Op::Pop | Op::Push);
            let number = if is_transfer && storage.word() > 1 {
                let lane = (access.storage, write, access.index.as_slice());
                let number = transfers.entry(lane).or_default();
                *number += 1;
                *number
            } else {
                0
            };
            let word = (access.storage, write, storage.word_index(&access.index), number);
            if storage.word() > 1 && !words.insert(word) {
                continue;
            }
            let moduli = &work.moduli[&access.storage];
            let mut key = (access.storage, access.bank.class(moduli));
            if node.op == Op::Load
                && let Some(place) = storage.place_in_banks(&access.index, moduli)
                && !places.insert((key, place))
            {
                continue;
            }
            if is_transfer && access.bank.is_open(moduli) {
                let entry = open.entry(access.storage).or_default();
                if write {
                    entry.1 += 1;
                } else {
                    entry.0 += 1;
                }
                continue;
            }
            let mut beats = 1;
            if let (Some(bus), Some(beat)) = (&storage.bus, self.beat(access, write)) {
                (key, beats) = ((beat.0, beat.1), bus.beats());
                if !bus_beats.insert(beat) {
                    continue;
                }
                sharers.entry((key, write)).or_default().insert(bus.port);
            }
            let entry = counts.entry(key).or_default();
            if write {
                entry.1 += beats;
            } else {
                entry.0 += beats;
            }
        }
        for (storage, (reads, writes)) in open {
            let own = (storage, 0)..=(storage, u64::MAX);
            if counts.range(own.clone()).next().is_none() {
                counts.insert((storage, 0), (0, 0));
            }
            for (_, entry) in counts.range_mut(own) {
                *entry = (entry.0 + reads, entry.1 + writes);
            }
        }
        let mut most = (1, None);
        for ((number, bank), (reads, writes)) in counts {
            let storage = &self.storages[number];
            let needs = storage.cycles_of(reads, writes);
            if needs > most.0 {
                let (accesses, ports) = storage.narrowest(reads, writes);
                let least = self.certain_interval((number, bank), block, &work.live).min(needs);
                let shared = self.find_shared(&sharers, (number, bank), writes >= reads);
                let array = self.find_user(&sharers, (number, bank), writes >= reads);
                let bounded = self.possible_interval((number, bank), &work.live);
                let fewer = bounded.filter(|(_, cycles)| (least..needs).contains(cycles));
                let held = HeldBy::Memory { array, accesses, ports, least, most: fewer, shared };
                most = (needs, Some(held));
            }
        }
        most
    }

    /// The array whose accesses are counted: of a bus, the one that a loop uses on its busier channel, else the first.
    fn find_user(&self, sharers: &Sharers, bus: (usize, u64), write: bool) -> String {
        let ports = sharers.get(&(bus, write)).filter(|ports| ports.len() == 1);
        let own = ports.and_then(|ports| ports.first()).unwrap_or(&bus.0);
        self.storages[*own].name.clone()
    }

    /// The arrays that a loop uses on the busier channel of one bus, where they are several.
    fn find_shared(
        &self,
        sharers: &Sharers,
        bus: (usize, u64),
        write: bool,
    ) -> Option<SharedBundle> {
        let ports = sharers.get(&(bus, write)).filter(|ports| ports.len() > 1)?;
        let arrays = ports.iter().map(|port| self.storages[*port].name.clone()).collect();
        let bundle = self.storages[bus.0].bus.as_ref()?.bundle.clone();
        Some(SharedBundle { bundle, arrays })
    }
}

/// What is kept in a register for the whole loop takes no port.
fn uses_port(op: Op) -> bool {
    matches!(op, Op::Load | Op::Store | Op::Pop | Op::Push)
}
