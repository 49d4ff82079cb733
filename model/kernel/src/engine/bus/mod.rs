//! Arrays behind `m_axi` ports: who shares a bus, how long an access takes, and what becomes a burst.

mod burst;
mod hoist;
mod pattern;
mod transfer;

pub(crate) use burst::Burst;

use super::Engine;
use crate::graph::{Beat, Cut, Implementation, MemoryAccess, NodeId, Op, PortChoice, Storage};
use derate_machine::FlowTarget;
use derate_machine::m_axi::name_default_bundle;
use derate_operators::Timing;
use rustc_hash::FxHashMap as HashMap;

/// Cycles for the sum of the base and the index, before a request leaves.
pub(crate) const ADDRESS: i64 = 1;

impl Engine<'_> {
    /// Finds out which storages share a bus, and which are members of one parameter.
    pub(crate) fn link_buses(&mut self, top: &[usize]) {
        if self.settings.flow == FlowTarget::Vitis {
            for storage in top {
                let storage = &mut self.storages[*storage];
                if storage.implementation == Implementation::Port
                    && storage.port == PortChoice::Flow
                {
                    storage.put_behind_bus(crate::graph::Bus::default());
                }
            }
        }
        let buses = top.iter().filter_map(|at| self.storages[*at].bus.as_ref());
        let default = name_default_bundle(buses.map(|bus| bus.bundle.as_str()));
        for at in top {
            let Some(bus) = &mut self.storages[*at].bus else { continue };
            if bus.bundle.is_empty() {
                default.clone_into(&mut bus.bundle);
            }
        }
        let mut masters: HashMap<String, usize> = HashMap::default();
        let mut ports: HashMap<String, (usize, u64)> = HashMap::default();
        for at in top {
            let storage = &self.storages[*at];
            let Some(bus) = &storage.bus else { continue };
            masters.entry(bus.bundle.clone()).or_insert(*at);
            let mut bits = u64::from(storage.ty.bits()).saturating_mul(storage.word());
            let is_number = storage.word() == 1 && parameter_of(storage) == storage.name;
            if is_number && bits > 64 {
                // A number is stored in a power of two of bytes: `ap_uint<74>` in 16.
                bits = bits.next_power_of_two();
            }
            let port = ports.entry(parameter_of(storage).to_owned()).or_insert((*at, 0));
            port.1 = port.1.saturating_add(bits);
        }
        for at in top {
            let name = parameter_of(&self.storages[*at]).to_owned();
            let Some(bus) = &mut self.storages[*at].bus else { continue };
            bus.master = masters.get(&bus.bundle).copied().unwrap_or(*at);
            (bus.port, bus.bits) = ports.get(&name).copied().unwrap_or((*at, 0));
        }
    }

    /// Whether some of these storages and some of those travel on one bus: it carries one access after another in a direction.
    pub(crate) fn share_bus(&self, some: &[usize], others: &[usize]) -> bool {
        let master = |storage: &usize| {
            let storage = &self.storages[*storage];
            // A partitioned port has a bus for each bank.
            let is_whole = storage.cuts.iter().all(|cut| *cut == Cut::Whole);
            storage.bus.as_ref().filter(|_| is_whole).map(|bus| bus.master)
        };
        some.iter()
            .filter_map(master)
            .any(|one| others.iter().filter_map(master).any(|other| other == one))
    }

    /// Cycles from a request for data to the first beat.
    pub(crate) fn request_cycles(&self, storage: usize) -> u32 {
        let asked = self.storages[storage].bus.as_ref().and_then(|bus| bus.latency);
        let latency = asked.or(self.settings.bus_latency).unwrap_or(self.settings.flow.latency());
        self.settings.bus().request.saturating_add(u32::try_from(latency).unwrap_or(u32::MAX / 4))
    }

    /// Cycles from the last beat that is written to the answer.
    pub(crate) fn response_cycles(&self, storage: usize) -> u32 {
        let rest = self.request_cycles(storage) - self.settings.bus().request;
        self.settings.bus().response.saturating_add(rest)
    }

    /// The time of an access. Its beat has a cycle of its own; without a burst it waits for its own request.
    pub(super) fn bus_timing(&self, id: NodeId, access: &MemoryAccess) -> Timing {
        let cycle = self.settings.budget();
        let latency = match (self.bursts.contains(&id), self.graph.node(id).op) {
            (true, _) => 0,
            (false, Op::Store) => self.response_cycles(access.storage),
            (false, _) => self.request_cycles(access.storage),
        };
        Timing { latency, before: cycle, after: cycle }
    }

    /// The first cycle in which an access can begin: its address is computed, and a write is announced.
    pub(super) fn first_cycle(&self, id: NodeId) -> i64 {
        let node = self.graph.node(id);
        let behind_bus = node.access.as_ref().is_some_and(|access| {
            self.storages[access.storage].implementation == Implementation::Bus
        });
        match node.op {
            Op::Load if behind_bus && !self.bursts.contains(&id) => ADDRESS,
            Op::Store if behind_bus && !self.bursts.contains(&id) => ADDRESS + 1,
            _ => 0,
        }
    }

    /// Cycles after its own until others see what a store wrote.
    pub(super) fn settles(&self, id: NodeId) -> i64 {
        match &self.graph.node(id).access {
            Some(access) if self.first_cycle(id) > ADDRESS => {
                i64::from(self.response_cycles(access.storage))
            }
            _ => 0,
        }
    }

    /// The beat of an access; accesses with the same one take a bus once.
    pub(crate) fn beat(&self, access: &MemoryAccess, write: bool) -> Option<Beat> {
        let storage = &self.storages[access.storage];
        let bus = storage.bus.as_ref()?;
        let index = self.word_of(storage, &access.index);
        Some((bus.master, bank_of(storage, access), write, bus.port, index))
    }

    /// Elements that a beat may carry side by side.
    pub(crate) fn lanes(&self, storage: &Storage) -> u64 {
        let Some(bus) = &storage.bus else { return 1 };
        let widest = bus.widen.or(self.settings.max_widen).unwrap_or(self.settings.flow.widest());
        let plain = matches!(bus.bits, 8 | 16 | 32 | 64) && storage.word() == 1;
        if plain { (widest / bus.bits).max(1) } else { 1 }
    }

    /// The index of the word that an element is in.
    fn word_of(
        &self,
        storage: &Storage,
        index: &[crate::graph::Linear],
    ) -> Vec<crate::graph::Linear> {
        let mut index = storage.word_index(index);
        let lanes = i64::try_from(self.lanes(storage)).unwrap_or(1);
        if lanes > 1
            && let Some(last) = index.last_mut()
            && last.terms.iter().all(|term| term.1 % lanes == 0)
        {
            last.constant = last.constant.div_euclid(lanes) * lanes;
        }
        index
    }
}

/// A partitioned port has a bus for each bank.
pub(crate) fn bank_of(storage: &Storage, access: &MemoryAccess) -> u64 {
    let whole = storage.cuts.iter().all(|cut| matches!(cut, Cut::Whole));
    if whole { 0 } else { access.bank.class(&vec![0; access.bank.0.len()]) }
}

/// `points` of `points.x`.
fn parameter_of(storage: &Storage) -> &str {
    storage.name.split('.').next().unwrap_or_default()
}
