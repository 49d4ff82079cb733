//! When operations start: blocks as soon as their inputs are there, pipelines with an initiation interval.

mod added;
mod address;
mod banks;
mod certain;
mod counter;
mod crossing;
mod eased;
mod fast;
mod logic;
mod pipeline;
mod place;
mod ports;
mod reach;
mod recurrence;
mod registers;
mod share;
mod split_counter;
mod usage;
mod work;
mod wrapped;

pub(crate) use counter::Level;
pub(crate) use derate_operators::Waits;
pub(crate) use pipeline::Outcome;
pub(crate) use usage::{Accesses, Usage};

use crate::answer::Span;
use crate::engine::Engine;
use crate::graph::{Beat, BlockId, Implementation, MemoryAccess, NodeId, Op, Value};
use crate::operators::timing;
use derate_operators::Timing;
use place::{Ports, Start};
use rustc_hash::FxHashMap as HashMap;

/// Which of the three numbers of a span is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    Best,
    Worst,
    Expected,
    Reported,
}

impl Case {
    pub(crate) fn of(self, span: Span) -> f64 {
        match self {
            Self::Best => span.best,
            Self::Worst => span.worst,
            Self::Expected => span.expected,
            Self::Reported => span.reported,
        }
    }
}

/// A node where it was put.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    pub(crate) start: i64,
    /// The cycle of its result, and the time within it.
    pub(crate) end: i64,
    pub(crate) time: f64,
}

/// Where nodes were put; `None` for those of other blocks.
pub(super) type Slots<'a> = &'a dyn Fn(NodeId) -> Option<Slot>;

impl Engine<'_> {
    pub(crate) fn node_timing(&self, id: NodeId) -> Timing {
        let node = self.graph.node(id);
        if matches!(node.op, Op::Call(_)) {
            // A module keeps what it is given in a register: that does not fit after a floating-point operator.
            return Timing { latency: 0, before: self.settings.delay("store"), after: 0.0 };
        }
        if let (Op::Load | Op::Store | Op::Pop | Op::Push, Some(access)) = (node.op, &node.access) {
            return self.access_timing(id, node.op, access);
        }
        if node.op == Op::Counter {
            return self.counter_timing(node);
        }
        if let Some(storage) = self.reused.get(&id) {
            return self.choice_timing(*storage);
        }
        if self.restarted.contains(&id) {
            return Timing::logic(self.settings.delay("select"));
        }
        timing(node, self.settings, &|value| self.width(value))
    }

    /// The timing of an access: its address and what is written are there before the end of its cycle, and what is read
    /// is there after the beginning of a later one.
    fn access_timing(&self, id: NodeId, op: Op, access: &MemoryAccess) -> Timing {
        let storage = &self.storages[access.storage];
        let delay = |kind: &str| self.settings.delay(kind);
        let read =
            |delay: f64| Timing { latency: storage.read_latency, before: delay, after: delay };
        match (op, storage.implementation) {
            (Op::Load, Implementation::Registers) => Timing::logic(delay("select")),
            (Op::Load, Implementation::Lutram) => {
                Timing { latency: 1, ..read(delay("load_lutram")) }
            }
            (Op::Load | Op::Store, Implementation::Bus) => self.bus_timing(id, access),
            (Op::Load, Implementation::Uram) => read(delay("load_uram")),
            (Op::Load, _) => read(delay("load_bram")),
            (Op::Store, Implementation::Registers) => Timing::NOTHING,
            (Op::Store, _) => Timing::logic(delay("store")),
            _ if storage.is_deep_queue() => Timing::logic(delay("deep_stream")),
            _ => Timing::logic(delay("stream")),
        }
    }

    /// The nodes of a block that do something; none where the design is not scheduled.
    pub(crate) fn live_nodes(&self, block: BlockId) -> Vec<NodeId> {
        if self.full {
            return Vec::new();
        }
        let nodes = &self.graph.blocks[block as usize];
        // By their numbers from the block's first on: what is before it is in another block.
        let first = nodes.iter().min().copied().unwrap_or(0);
        let last = nodes.iter().max().copied().unwrap_or(0);
        let mut used = vec![false; (last - first) as usize + 1];
        let place = |id: NodeId| id.checked_sub(first).map(|at| at as usize);
        let mut live = Vec::with_capacity(nodes.len());
        for id in nodes.iter().rev() {
            let node = self.graph.node(*id);
            if node.dead {
                continue;
            }
            let effect = matches!(
                node.op,
                Op::Store | Op::Push | Op::Pop | Op::Call(_) | Op::Wait(_) | Op::Carried
            );
            let leaves = node.ty.is_float() || matches!(node.op, Op::Load | Op::Input);
            let is_used = place(*id).is_some_and(|at| used[at]);
            if effect || leaves || is_used || self.kept.contains(id) {
                live.push(*id);
                for input in node.inputs.iter().chain(&node.guard) {
                    if let Value::Node(input) = input
                        && let Some(used) = place(*input).and_then(|at| used.get_mut(at))
                    {
                        *used = true;
                    }
                }
            }
        }
        live.reverse();
        live
    }

    /// The states that a block takes.
    pub(crate) fn block_states(&mut self, block: BlockId) -> Span {
        let live = self.live_nodes(block);
        let mut span = Span::exactly(0.0);
        let mut varies = false;
        for id in &live {
            if let Op::Call(module) = self.graph.node(*id).op {
                let latency = self.modules[module as usize].latency;
                span.is_open |= latency.is_open;
                span.rests_on_type |= latency.rests_on_type;
                varies |= latency.best.to_bits() != latency.worst.to_bits()
                    || latency.expected.to_bits() != latency.worst.to_bits()
                    || latency.reported.to_bits() != latency.worst.to_bits();
            }
        }
        let worst = self.place_block(&live, Case::Worst);
        #[allow(clippy::cast_precision_loss)]
        let cycles = |(_, states, waits): &(_, i64, Waits)| waits.cycles_before(*states) as f64;
        span.worst = cycles(&worst);
        self.count_block(&live, &|id| worst.0.get(&id).copied());
        let case = |case| if varies { cycles(&self.place_block(&live, case)) } else { span.worst };
        (span.best, span.expected, span.reported) =
            (case(Case::Best), case(Case::Expected), case(Case::Reported));
        span
    }

    /// Puts each node as early as its inputs and the ports allow. Returns the states of nodes, how many there are, and how long they
    /// last.
    pub(crate) fn place_block(
        &self,
        live: &[NodeId],
        case: Case,
    ) -> (HashMap<NodeId, Slot>, i64, Waits) {
        let mut slots: HashMap<NodeId, Slot> = HashMap::default();
        slots.reserve(live.len());
        let moduli = self.moduli(live);
        let mut ports = Ports::new(None, &moduli);
        let mut length = 0;
        let mut beats: HashMap<Beat, i64> = HashMap::default();
        let mut waits = Waits::default();
        for id in live {
            let node = self.graph.node(*id);
            let timing = self.node_timing(*id);
            let mut earliest = self.earliest(*id, &slots, timing);
            if let Some(access) = &node.access
                && !matches!(node.op, Op::Pop | Op::Push)
            {
                let storage = &self.storages[access.storage];
                let write = node.op == Op::Store;
                // The switch is in a state before the write.
                if write && earliest.cycle == 0 && storage.has_many_ways(&access.bank) {
                    earliest = Start { cycle: 1, time: 0.0 };
                }
                let beat = self.beat(access, write);
                let known = beat.as_ref().and_then(|beat| beats.get(beat)).copied();
                let known = known.filter(|cycle| *cycle >= earliest.cycle);
                let cycle = known
                    .or_else(|| ports.first_free(storage, access, write, earliest.cycle))
                    .unwrap_or(earliest.cycle);
                if cycle > earliest.cycle {
                    earliest = Start { cycle, time: 0.0 };
                }
                if known.is_none() {
                    ports.take(storage, access, write, earliest.cycle);
                    beats.extend(beat.map(|beat| (beat, earliest.cycle)));
                }
            }
            let slot = match node.op {
                Op::Call(module) => {
                    let module = &self.modules[module as usize];
                    #[allow(clippy::cast_possible_truncation)]
                    let latency = case.of(module.latency).min(1e17) as i64;
                    let end = waits.call(earliest.cycle, latency + i64::from(module.overhead));
                    Slot { start: earliest.cycle, end, time: self.settings.budget() }
                }
                _ => place::finish(earliest, timing),
            };
            // What a call or a loop leaves is there when it ends: it asks for no state.
            if node.op != Op::Input {
                length = length.max(slot.end + 1);
            }
            slots.insert(*id, slot);
        }
        (slots, length, waits)
    }

    /// What tells the banks apart that these nodes access.
    pub(crate) fn moduli(&self, live: &[NodeId]) -> place::Moduli {
        let mut moduli = place::Moduli::default();
        for id in live {
            let Some(access) = &self.graph.node(*id).access else { continue };
            let all = moduli
                .entry(access.storage)
                .or_insert_with(|| access.bank.0.iter().map(|part| part.0).collect());
            // Each stream of an array has its own port: one that data choose may be any, and the others stay apart.
            let is_transfer = matches!(self.graph.node(*id).op, Op::Pop | Op::Push);
            for (all, part) in all.iter_mut().zip(&access.bank.0) {
                *all = match (*all, part.0) {
                    (0, _) | (_, 0) if is_transfer => 0,
                    (one, other) => crate::graph::common_divisor(one, other),
                };
            }
        }
        moduli
    }

    /// The earliest start by inputs and order.
    fn earliest(&self, id: NodeId, slots: &HashMap<NodeId, Slot>, timing: Timing) -> Start {
        let node = self.graph.node(id);
        let mut start = Start { cycle: self.first_cycle(id), time: 0.0 };
        for input in node.inputs.iter().chain(&node.guard) {
            if let Value::Node(input) = input
                && let Some(slot) = slots.get(input)
            {
                let ready = match self.graph.node(*input).op {
                    Op::Wait(_) => Start { cycle: slot.end + 1, time: 0.0 },
                    _ => Start { cycle: slot.end, time: slot.time },
                };
                start = start.later(ready);
            }
        }
        for (before, gap) in &node.after {
            if let Some(slot) = slots.get(before) {
                let is_call = matches!(self.graph.node(*before).op, Op::Call(_) | Op::Wait(_));
                let cycle = if is_call { slot.end + 1 } else { slot.start + gap };
                start = start.later(Start { cycle, time: 0.0 });
            }
        }
        start.fit(timing, self.settings.budget())
    }
}
