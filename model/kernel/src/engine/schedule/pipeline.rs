//! Pipelines: the initiation interval, what holds it, and the depth.

use super::place::{self, Ports, Start};
use super::reach::Reach;
use super::work::Work;
use super::{Slot, Usage};
use crate::answer::HeldBy;
use crate::engine::Engine;
use crate::graph::{BlockId, CarriedEdge, NodeId, Op, Value};
use crate::operators::{Unit, operand_type};
use derate_operators::Operators;
use derate_program::{Binary, Scalar};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// A pipeline as scheduled.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) ii: u64,
    pub(crate) depth: u64,
    /// The depth that a report prints.
    pub(crate) printed: u64,
    pub(crate) held_by: HeldBy,
    /// The interval that the target and the ports of memories allow.
    pub(crate) port_ii: u64,
    pub(crate) usage: Usage,
    /// Reads and writes of streams, with their cycles in an iteration.
    pub(crate) transfers: Vec<(NodeId, i64)>,
}

/// Intervals that are tried one after another; then each is a quarter longer than the one before.
const STEPS: u64 = 48;
/// Operations that are placed before intervals grow by a quarter: a body of thousands of operations is not tried with each
/// interval.
const PLACED: usize = 4_000_000;
/// How often values of the next iteration are moved back, none of them for the first time, before an interval is too short.
const ROUNDS: usize = 12;
/// A longer interval is not looked for.
const LONGEST: u64 = 1 << 24;

impl Engine<'_> {
    pub(crate) fn schedule_pipeline(
        &mut self,
        block: BlockId,
        (target, is_asked): (Option<u64>, bool),
        carried: &[CarriedEdge],
    ) -> Outcome {
        let mut work = self.work(block);
        let position = |node: &NodeId| work.position.get(node).copied();
        let places = |edge: &CarriedEdge| Some((position(&edge.to)?, position(&edge.from)?));
        work.carried = carried.iter().filter_map(places).collect();
        let target = target.unwrap_or(1).max(1);
        self.narrow_wrapped(&mut work, carried);
        if is_asked {
            self.hasten(&mut work, carried, target);
        }
        let (memory, memory_holds) = self.memory_interval(block, &work);
        self.ease(&mut work, carried, target.max(memory));
        let (recurrence, recurrence_holds) = self.recurrence_interval(&work, carried);
        let (mut ii, mut held_by) = (target, HeldBy::Target);
        if memory > ii {
            (ii, held_by) = (memory, memory_holds.clone().unwrap_or(HeldBy::Target));
        }
        if recurrence > ii {
            (ii, held_by) = (recurrence, recurrence_holds.clone().unwrap_or(HeldBy::Target));
        }
        let first = ii;
        work.kept = carried
            .iter()
            .filter(|edge| edge.is_value)
            .filter_map(|edge| work.position.get(&edge.from).copied())
            .filter(|at| work.fast.contains(at))
            .collect();
        let mut failed = first;
        // An interval comes before operators: they are shared only where that does not cost cycles.
        #[allow(clippy::cast_possible_wrap)]
        let place = |ii: u64| {
            self.place_pipeline(&work, carried, ii as i64, true)
                .or_else(|| self.place_pipeline(&work, carried, ii as i64, false))
        };
        let mut slots = loop {
            if let Some(found) = place(ii) {
                break found;
            }
            failed = ii;
            let is_near = ii - first < STEPS && work.placed.get() < PLACED;
            ii = if is_near { ii + 1 } else { ii + ii / 4 + 1 };
            if held_by == HeldBy::Target {
                held_by = recurrence_holds
                    .clone()
                    .or_else(|| memory_holds.clone())
                    .unwrap_or(HeldBy::Target);
            }
            if ii > LONGEST {
                #[allow(clippy::cast_possible_wrap)]
                break self.place_pipeline(&work, &[], ii as i64, true).unwrap_or_default();
            }
        };
        // Steps of a quarter may have passed shorter intervals that fit.
        while failed + 1 < ii && ii <= LONGEST {
            let between = failed + (ii - failed) / 2;
            match place(between) {
                Some(found) => (slots, ii) = (found, between),
                None => failed = between,
            }
        }
        let depth = slots.iter().map(|slot| slot.end + 1).max().unwrap_or(1).max(1);
        let slot_of = |id: NodeId| work.position.get(&id).map(|at| slots[*at]);
        let fast = work.fast.iter().map(|at| work.live[*at]).collect();
        #[allow(clippy::cast_possible_wrap)]
        let usage = self.usage_of(&work.live, &slot_of, Some(ii as i64), &fast);
        let depth = depth.unsigned_abs();
        let printed = self.printed_depth(&work, depth);
        // An iteration that ends before the next one may start leaves nothing to overlap: the tool takes its latency. Reports of
        // 2020.1 to 2020.2 have II 5 and 9 for 16 that was asked for, and 3 to 44 for 64.
        if ii == target && held_by == HeldBy::Target {
            ii = ii.min(printed.max(1));
        }
        let is_transfer = |id: &NodeId| matches!(self.graph.node(*id).op, Op::Pop | Op::Push);
        let transfers = work
            .live
            .iter()
            .zip(&slots)
            .filter(|(id, _)| is_transfer(id))
            .map(|(id, slot)| (*id, slot.start))
            .collect();
        Outcome { ii, depth, printed, held_by, port_ii: target.max(memory), usage, transfers }
    }

    /// Up to 2023.1 the state in which floating point waits for a memory is not in the depth that is printed.
    fn printed_depth(&self, work: &Work, depth: u64) -> u64 {
        let float = |id: &NodeId| {
            let node = self.graph.node(*id);
            matches!(node.op, Op::Binary(_)) && operand_type(node).is_float()
        };
        let waits = self.settings.tool < (2023, 2) && work.live.iter().any(float);
        depth - u64::from(waits && depth > 1)
    }

    /// The interval that values carried from one iteration to another need.
    pub(super) fn recurrence_interval(
        &self,
        work: &Work,
        carried: &[CarriedEdge],
    ) -> (u64, Option<HeldBy>) {
        let mut most = (1, None);
        let mut by_target: BTreeMap<usize, Vec<&CarriedEdge>> = BTreeMap::new();
        for edge in carried {
            if let Some(at) = work.position.get(&edge.to) {
                by_target.entry(*at).or_default().push(edge);
            }
        }
        // Long lists of equal dependences are looked at in part.
        let mut reach = work.reach.borrow_mut();
        let reach = reach.get_or_insert_with(|| Reach::of(&work.before, &work.carried));
        for (target, edges) in by_target.iter().take(256) {
            let sources = edges.iter().filter_map(|edge| work.position.get(&edge.from));
            let Some(last) = sources.max().filter(|last| *last >= target) else { continue };
            self.follow(work, *target, *last, reach);
            for edge in edges {
                let Some(from) = work.position.get(&edge.from) else { continue };
                let Some(slot) = reach.slot(*from) else { continue };
                let cycles = self.edge_cycles(work, edge, slot);
                let needs = u64::try_from(cycles).unwrap_or(1).div_ceil(edge.distance.max(1));
                if needs > most.0 {
                    most = (needs, Some(self.describe_recurrence(edge)));
                }
            }
        }
        most
    }

    /// Cycles from the start of an edge's target to the start of the next iteration that needs its source.
    fn edge_cycles(&self, work: &Work, edge: &CarriedEdge, slot: &Slot) -> i64 {
        let is_fast = work.position.get(&edge.from).is_some_and(|at| work.fast.contains(at));
        if edge.is_value && (is_fast || self.ends_chain_of_sums(edge)) {
            // Its result goes straight into the next iteration.
            return slot.end;
        }
        if edge.is_value
            && let Some(cycles) = self.accumulation(edge)
        {
            return cycles;
        }
        if edge.is_value { slot.end + 1 } else { slot.start + 1 + self.settles(edge.from) }
    }

    /// The interval of a sum whose only operation is its addition.
    fn accumulation(&self, edge: &CarriedEdge) -> Option<i64> {
        if self.reused.contains_key(&edge.to) {
            return None;
        }
        let node = self.graph.node(edge.from);
        let Op::Binary(Binary::Add | Binary::Sub) = node.op else { return None };
        if !node.ty.is_float() || !node.inputs.contains(&Value::Node(edge.to)) {
            return None;
        }
        // From 2023.2 on the first value of `float sum = 0` before the inner loop of a flattened nest costs no cycle; that of
        // a double does.
        let takes_first = self.settings.tool >= (2023, 2) && node.ty == Scalar::Float;
        if self.restarted.contains(&edge.to) && !takes_first {
            return None;
        }
        self.settings.accumulation(node.ty.bits())
    }

    /// Places what is behind a node that starts at 0, up to the position `last`.
    fn follow(&self, work: &Work, target: usize, last: usize, reach: &mut Reach) {
        reach.clear();
        let start = Start { cycle: 0, time: 0.0 };
        let way = (reach.start(target), last);
        reach.put(target, way, place::finish(start, work.timing[target]));
        let mut word = target / 64;
        while let Some(at) = reach.take_open(&mut word) {
            let mut earliest: Option<Start> = None;
            for (before, gap) in &work.before[at] {
                let Some(slot) = reach.slot(*before) else { continue };
                let ready = match gap {
                    None => Start { cycle: slot.end, time: slot.time },
                    Some(gap) => Start { cycle: slot.start + gap, time: 0.0 },
                };
                earliest = Some(earliest.map_or(ready, |earliest| earliest.later(ready)));
            }
            if let Some(earliest) = earliest {
                let start = self.fit_into_cycle(work, at, earliest);
                reach.put(at, way, place::finish(start, work.timing[at]));
            }
        }
    }

    /// The next time at which an operation fits into what is left of the cycle.
    fn fit_into_cycle(&self, work: &Work, at: usize, start: Start) -> Start {
        if work.following.contains(&at) {
            return start;
        }
        start.fit(work.timing[at], self.settings.budget())
    }

    /// Puts all nodes with an interval, or `None` if it is too short.
    fn place_pipeline(
        &self,
        work: &Work,
        carried: &[CarriedEdge],
        interval: i64,
        is_shared: bool,
    ) -> Option<Vec<Slot>> {
        let mut totals: HashMap<Unit, i64> = HashMap::default();
        for unit in work.units.iter().flatten() {
            *totals.entry(*unit).or_default() += 1;
        }
        let limit = |unit: &Unit| {
            if is_shared { (totals[unit] + interval - 1) / interval } else { i64::MAX }
        };
        let mut least: Vec<i64> = vec![0; work.live.len()];
        // A chain of values moves one more of them each time; only what moves again and again does not fit.
        let mut without_news = 0;
        while without_news < ROUNDS {
            let slots = self.place_once(work, &least, interval, &limit)?;
            let (mut moved, mut is_news) = (false, false);
            for edge in carried {
                let (Some(from), Some(to)) =
                    (work.position.get(&edge.from), work.position.get(&edge.to))
                else {
                    continue;
                };
                let is_fast = work.fast.contains(from);
                if edge.is_value
                    && !is_fast
                    && self.accumulation(edge).is_some_and(|cycles| cycles <= interval)
                {
                    continue;
                }
                let ready = if edge.is_value {
                    slots[*from].end + i64::from(!(is_fast || self.ends_chain_of_sums(edge)))
                } else {
                    slots[*from].start + 1 + self.settles(edge.from)
                };
                let distance = i64::try_from(edge.distance).unwrap_or(i64::MAX / 2);
                let needed = ready.saturating_sub(interval.saturating_mul(distance));
                if slots[*to].start < needed {
                    is_news |= least[*to] == 0;
                    least[*to] = least[*to].max(needed);
                    moved = true;
                }
            }
            if !moved {
                return Some(slots);
            }
            // In a body of thousands of operations a chain is not followed to its end.
            let goes_on = is_news && work.placed.get() < PLACED;
            without_news = if goes_on { 0 } else { without_news + 1 };
        }
        None
    }

    fn place_once(
        &self,
        work: &Work,
        least: &[i64],
        interval: i64,
        limit: &dyn Fn(&Unit) -> i64,
    ) -> Option<Vec<Slot>> {
        work.placed.set(work.placed.get() + work.live.len());
        let mut ports = Ports::new(Some(interval), &work.moduli);
        let mut operators: HashMap<Unit, Operators> = HashMap::default();
        let mut slots: Vec<Slot> = Vec::with_capacity(work.live.len());
        let mut words = HashMap::default();
        for (at, id) in work.live.iter().enumerate() {
            let node = self.graph.node(*id);
            let timing = work.timing[at];
            let first = least[at].max(self.first_cycle(*id)).max(after_exit(node.op));
            let mut start = Start { cycle: first, time: 0.0 };
            for (before, gap) in &work.before[at] {
                let slot: &Slot = &slots[*before];
                start = start.later(match gap {
                    // What the faster adder leaves to the next iteration goes to a memory from its register.
                    None if node.op == Op::Store && work.kept.contains(before) => {
                        Start { cycle: slot.end + 1, time: 0.0 }
                    }
                    None => Start { cycle: slot.end, time: slot.time },
                    Some(gap) => Start { cycle: slot.start + gap, time: 0.0 },
                });
            }
            if let Some(address) = &work.addresses[at] {
                start = start.later(self.address_start(address, &slots, interval));
            }
            start = self.fit_into_cycle(work, at, start);
            if let Some(access) = &node.access
                && matches!(node.op, Op::Load | Op::Store)
            {
                let storage = &self.storages[access.storage];
                let write = node.op == Op::Store;
                let beat = self.beat(access, write);
                let behind_bus = beat.is_some();
                let is_word = storage.word() > 1 || behind_bus;
                // A word that holds one element is read for that one alone.
                let word = is_word.then(|| {
                    beat.unwrap_or_else(|| {
                        (access.storage, 0, write, 0, storage.word_index(&access.index))
                    })
                });
                let known = word.as_ref().and_then(|word| words.get(word).copied());
                // The lanes of a vector are read and written together, however late one of them is asked for.
                let is_whole = !behind_bus && storage.has_whole_words();
                let known = known.filter(|cycle| is_whole || *cycle >= start.cycle);
                let shared = known.is_some();
                if let (true, Some(cycle)) = (shared && behind_bus, known)
                    && cycle > start.cycle
                {
                    start = Start { cycle, time: 0.0 };
                }
                if !shared {
                    let cycle = ports.first_free(storage, access, write, start.cycle)?;
                    if cycle > start.cycle {
                        start = Start { cycle, time: 0.0 };
                    }
                    ports.take(storage, access, write, start.cycle);
                    words.extend(word.map(|word| (word, start.cycle)));
                }
            }
            if let Some(unit) = &work.units[at] {
                let own = operators.entry(*unit).or_insert_with(|| Operators::new(limit(unit)));
                let wait = own.take(start.cycle, interval)?;
                if wait > 0 {
                    start = Start { cycle: start.cycle + wait, time: 0.0 };
                }
            }
            slots.push(place::finish(start, timing));
        }
        Some(slots)
    }
}

/// The first cycle of an operation in an iteration. A stream is not touched before the test for the last iteration is
/// done, and that takes the first cycle: a loop that only writes a stream is two cycles deep in reports of 2023.2.
fn after_exit(op: Op) -> i64 {
    i64::from(matches!(op, Op::Pop | Op::Push))
}
