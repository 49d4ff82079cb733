//! Which accesses of a pipelined loop become one burst, and why others do not.

use super::pattern::{Row, count_side_by_side, find_row, flatten};
use crate::answer::{BurstAnswer, NoBurst};
use crate::engine::Engine;
use crate::graph::{BlockId, Implementation, NodeId, Op, Symbol, Value};
use derate_program::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A burst that goes on for a whole loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Burst {
    pub(crate) storage: usize,
    pub(crate) write: bool,
    /// How often it begins anew while the loop runs: the iterations of the loops around it in a flattened nest.
    pub(crate) rows: f64,
}

/// The accesses of one direction on each bank of each bus, by parameter.
type Buses = BTreeMap<(usize, u64, bool), BTreeMap<usize, Vec<NodeId>>>;

impl Engine<'_> {
    /// Marks the accesses of a pipelined block that are in bursts.
    pub(crate) fn find_bursts(&mut self, block: BlockId, counters: &[u32]) -> Vec<Burst> {
        let buses = self.bus_accesses(block);
        let ports = |write: bool| -> BTreeSet<usize> {
            let own = buses.iter().filter(|(key, _)| key.2 == write);
            own.flat_map(|(_, ports)| ports.keys().copied()).collect()
        };
        let (read, written) = (ports(false), ports(true));
        let mut bursts = Vec::new();
        for ((_, _, write), ports) in &buses {
            for (port, nodes) in ports {
                let found = match self.row_of(nodes, *write, counters) {
                    Err(NoBurst::Condition | NoBurst::Pattern)
                        if nodes.iter().all(|id| self.goes_on_within(*id, counters)) =>
                    {
                        Err(NoBurst::Unsure)
                    }
                    Ok(_) if ports.len() > 1 => Err(NoBurst::SharedBus),
                    Ok(_) if written.contains(port) && read.contains(port) => {
                        Err(NoBurst::ReadAndWritten)
                    }
                    found => found,
                };
                self.note_burst(*port, *write, nodes, found);
                if let Ok(row) = found {
                    bursts.push(Burst { storage: *port, write: *write, rows: row.rows });
                    self.bursts.extend(nodes);
                }
            }
        }
        bursts
    }

    fn bus_accesses(&self, block: BlockId) -> Buses {
        let mut buses = Buses::new();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            let Some(access) = node.access.as_ref().filter(|_| !node.dead) else { continue };
            let storage = &self.storages[access.storage];
            let write = node.op == Op::Store;
            let is_access = matches!(node.op, Op::Load | Op::Store);
            let Some(bus) = storage.bus.as_ref().filter(|_| is_access) else { continue };
            if storage.implementation == Implementation::Bus {
                let key = (bus.master, super::bank_of(storage, access), write);
                buses.entry(key).or_default().entry(bus.port).or_default().push(*id);
            }
        }
        buses
    }

    /// What these accesses of one parameter go over in the loop.
    fn row_of(&self, nodes: &[NodeId], write: bool, counters: &[u32]) -> Result<Row, NoBurst> {
        let mut elements = Vec::new();
        for id in nodes {
            let node = self.graph.node(*id);
            if node.guard.is_some() {
                return Err(NoBurst::Condition);
            }
            let index = if write { node.inputs.get(1..).unwrap_or_default() } else { &node.inputs };
            if index.iter().any(|value| self.linear(*value).is_none()) {
                return Err(NoBurst::Pattern);
            }
            let access = node.access.as_ref().ok_or(NoBurst::Pattern)?;
            let storage = &self.storages[access.storage];
            elements.push(flatten(&access.index, storage).ok_or(NoBurst::Pattern)?);
        }
        let count = count_side_by_side(&elements).ok_or(NoBurst::SharedBus)?;
        let first = elements.iter().min_by_key(|one| one.constant).ok_or(NoBurst::Pattern)?;
        let around: Vec<(u32, f64)> = counters
            .iter()
            .map(|counter| (*counter, self.counters[*counter as usize].trip.most))
            .collect();
        let block = self.graph.node(nodes[0]).block;
        let is_inside = |node| self.graph.node(node).block == block && !self.steady.contains(&node);
        find_row(first, count, &around, &is_inside)
    }

    /// Whether neither the condition of an access nor what is unknown of its address changes in the innermost loop.
    fn goes_on_within(&self, id: NodeId, counters: &[u32]) -> bool {
        let node = self.graph.node(id);
        let Some(access) = &node.access else { return false };
        let terms = access.index.iter().flat_map(|part| &part.terms);
        let unknown = terms.filter_map(|(symbol, _)| match symbol {
            Symbol::Opaque(node) => Some(*node),
            Symbol::Counter(_) => None,
        });
        let mut left: Vec<NodeId> = unknown.collect();
        left.extend(node.guard.and_then(Value::node));
        let mut seen = BTreeSet::new();
        while let Some(at) = left.pop() {
            let part = self.graph.node(at);
            if part.block != node.block || !seen.insert(at) {
                continue;
            }
            let innermost = counters.last().map(|counter| Symbol::Counter(*counter));
            let own = part.linear.iter().flat_map(|sum| &sum.terms);
            let moves = own.clone().any(|term| Some(term.0) == innermost);
            if moves || matches!(part.op, Op::Load | Op::Pop | Op::Carried | Op::Call(_)) {
                return false;
            }
            left.extend(part.inputs.iter().filter_map(|input| input.node()));
        }
        true
    }

    /// What is read and written in bursts and what is not.
    pub(crate) fn burst_answers(&self, storage: usize) -> Vec<BurstAnswer> {
        let Some(bus) = &self.storages[storage].bus else { return Vec::new() };
        let mut answers = self.burst_notes.get(&bus.port).cloned().unwrap_or_default();
        for node in &self.graph.nodes {
            let Some(access) = &node.access else { continue };
            let own = self.storages[access.storage].bus.as_ref();
            if node.dead || own.is_none_or(|own| own.port != bus.port) {
                continue;
            }
            let write = node.op == Op::Store;
            if !matches!(node.op, Op::Load | Op::Store)
                || answers.iter().any(|one| one.write == write && one.is_at(node.place))
            {
                continue;
            }
            let reason = Some(NoBurst::NotPipelined);
            let (place, others) = (node.place, Vec::new());
            answers.push(BurstAnswer { write, place, others, length: None, reason });
        }
        answers
    }

    fn note_burst(
        &mut self,
        port: usize,
        write: bool,
        nodes: &[NodeId],
        found: Result<Row, NoBurst>,
    ) {
        let Some(place) = nodes.first().map(|id| self.graph.node(*id).place) else { return };
        let mut others: Vec<Place> = nodes.iter().map(|id| self.graph.node(*id).place).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|other| *other != place);
        let answer = BurstAnswer {
            write,
            place,
            others,
            length: found.ok().map(|row| row.length),
            reason: found.err(),
        };
        let notes = self.burst_notes.entry(port).or_default();
        if !notes.contains(&answer) {
            notes.push(answer);
        }
    }
}
