//! Cycles, delays within a cycle, and ports of memories.

use super::Slot;
use crate::graph::{Implementation, Linear, MemoryAccess, Storage};
use derate_operators::Timing;
use rustc_hash::FxHashMap as HashMap;

/// A time: a cycle, and nanoseconds into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Start {
    pub(crate) cycle: i64,
    pub(crate) time: f64,
}

impl Start {
    pub(crate) fn later(self, other: Self) -> Self {
        if (other.cycle, other.time) > (self.cycle, self.time) { other } else { self }
    }

    /// The next time at which an operation fits into what is left of the cycle.
    pub(crate) fn fit(self, timing: Timing, budget: f64) -> Self {
        if self.time > 0.0 && self.time + timing.before > budget + 1e-9 {
            return Self { cycle: self.cycle + 1, time: 0.0 };
        }
        self
    }
}

impl Start {
    /// When logic with a delay is done that begins now.
    pub(crate) fn then(self, delay: f64, budget: f64) -> Self {
        let start = self.fit(Timing::logic(delay), budget);
        Self { cycle: start.cycle, time: start.time + delay }
    }
}

pub(crate) fn finish(start: Start, timing: Timing) -> Slot {
    let end = start.cycle + i64::from(timing.latency);
    let time = if timing.latency == 0 { start.time + timing.after } else { timing.after };
    Slot { start: start.cycle, end, time }
}

/// By what the banks of each storage differ, in each dimension: a modulus.
pub(crate) type Moduli = HashMap<usize, Vec<u64>>;

/// What the ports of the banks do in each cycle, or in each cycle of an interval.
#[derive(Debug)]
pub(crate) struct Ports<'m> {
    interval: Option<i64>,
    moduli: &'m Moduli,
    used: HashMap<(usize, u64, i64), (u32, u32)>,
    /// For cycles that are full, by reads and writes: how far the next one is that may be free.
    jump: HashMap<(usize, u64, i64, bool), i64>,
    /// The cycles in which all banks are read at a place.
    read: HashMap<(usize, u64, Vec<Linear>), Vec<i64>>,
}

impl<'m> Ports<'m> {
    pub(crate) fn new(interval: Option<i64>, moduli: &'m Moduli) -> Self {
        Self {
            interval,
            moduli,
            used: HashMap::default(),
            jump: HashMap::default(),
            read: HashMap::default(),
        }
    }

    /// The memory, or the master of the bus, and its bank.
    fn bank(&self, storage: &Storage, access: &MemoryAccess) -> (usize, u64) {
        if let Some(bus) = &storage.bus {
            return (bus.master, crate::engine::bus_bank(storage, access));
        }
        let moduli = self.moduli.get(&access.storage).map_or(&[][..], Vec::as_slice);
        (access.storage, access.bank.class(moduli))
    }

    /// What a read has in common with others that share its port, where they may.
    fn shared(
        &self,
        storage: &Storage,
        access: &MemoryAccess,
        write: bool,
    ) -> Option<(usize, u64, Vec<Linear>)> {
        let moduli = self.moduli.get(&access.storage).filter(|_| !write)?;
        let place = storage.place_in_banks(&access.index, moduli)?;
        Some((access.storage, access.bank.class(moduli), place))
    }

    fn slot(&self, cycle: i64) -> i64 {
        self.interval.map_or(cycle, |interval| cycle.rem_euclid(interval))
    }

    fn is_free(&self, storage: &Storage, write: bool, key: (usize, u64, i64)) -> bool {
        if matches!(storage.implementation, Implementation::Registers) {
            return true;
        }
        let (reads, writes, all) = storage.ports_of_bank();
        let used = self.used.get(&key).copied().unwrap_or((0, 0));
        let own = if write { used.1 < writes } else { used.0 < reads };
        own && used.0 + used.1 < all
    }

    /// The first cycle from `cycle` on in which the access finds a port; within an interval there may be none.
    pub(crate) fn first_free(
        &mut self,
        storage: &Storage,
        access: &MemoryAccess,
        write: bool,
        cycle: i64,
    ) -> Option<i64> {
        let mut passed = Vec::new();
        let (number, class) = self.bank(storage, access);
        let shared = self.shared(storage, access, write).and_then(|key| self.read.get(&key));
        let shared = shared.and_then(|all| all.iter().copied().filter(|at| *at >= cycle).min());
        let mut at = cycle;
        loop {
            if shared.is_some_and(|shared| at >= shared)
                || self.interval.is_some_and(|interval| at - cycle >= interval)
            {
                return shared;
            }
            let slot = self.slot(at);
            let key = (number, class, slot, write);
            if let Some(jump) = self.jump.get(&key) {
                passed.push((key, at));
                at += jump;
            } else if self.is_free(storage, write, (number, class, slot)) {
                break;
            } else {
                passed.push((key, at));
                at += 1;
            }
        }
        for (key, from) in passed {
            self.jump.insert(key, at - from);
        }
        Some(at)
    }

    pub(crate) fn take(
        &mut self,
        storage: &Storage,
        access: &MemoryAccess,
        write: bool,
        cycle: i64,
    ) {
        let (number, class) = self.bank(storage, access);
        if let Some(key) = self.shared(storage, access, write) {
            let cycles = self.read.entry(key).or_default();
            if cycles.contains(&cycle) {
                return;
            }
            cycles.push(cycle);
        }
        let used = self.used.entry((number, class, self.slot(cycle))).or_default();
        if write {
            used.1 += 1;
        } else {
            used.0 += 1;
        }
    }
}
