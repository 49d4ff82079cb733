//! Loops whose iterations overlap.

use crate::answer::{LoopAnswer, Span};
use crate::engine::bus::Burst;
use crate::engine::invariant::{MovedOperations, Unchanged};
use crate::engine::loops::Tests;
use crate::engine::loops::shell::Shell;
use crate::engine::options::LoopOptions;
use crate::engine::schedule::{Outcome, Usage};
use crate::engine::tokens::Traffic;
use crate::engine::trip::Trip;
use crate::engine::{Activation, Engine, Flow, Piece};
use crate::graph::{CarriedEdge, NodeId, Op, Value};
use derate_program::{Loop, Place};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

/// A loop that is scheduled as a pipeline.
struct Pipelined {
    name: String,
    cycles: Span,
    usage: Usage,
    touched: Vec<(usize, bool)>,
    /// The storages that it changes.
    assigned: BTreeSet<usize>,
    /// Loads that are done before it, and stores after it.
    moved: (Vec<NodeId>, Vec<NodeId>),
    /// Operations that are done before it.
    operations: MovedOperations,
    /// Bursts that go on for the whole loop.
    bursts: Vec<Burst>,
    /// What it does with streams.
    traffic: Vec<Traffic>,
    /// Whether it is all that its function has.
    alone: bool,
    place: Place,
}

impl<'a> Engine<'a> {
    pub(super) fn pipelined_loop(
        &mut self,
        nest: &[&'a Loop],
        bounds: &[(Value, Option<Value>, Trip)],
        options: &LoopOptions,
        alone: bool,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let Some(innermost) = nest.last() else { return };
        let innermost: &'a Loop = innermost;
        self.note_bounds(nest, bounds);
        let storages = self.storages.len();
        let saved = (std::mem::take(&mut self.known), std::mem::take(&mut self.memory));
        let touched = std::mem::take(&mut self.touched);
        let calls_after = std::mem::take(&mut self.calls_after);
        let shell = Shell::around(nest);
        let assigned_around = match nest.first() {
            Some(outermost) if !shell.is_empty() => self.assigned(&outermost.body, run),
            _ => BTreeSet::new(),
        };
        self.forget(&assigned_around);
        let mut front = self.begin_block();
        let mut counters = Vec::new();
        let trip = bounds.last().map_or(Trip::UNKNOWN, |bound| bound.2);
        let factor = options.copies(trip);
        let factor_step = i128::from(factor) * innermost.step;
        let mut outer = Flow::new(front, false);
        let depth = self.around.len();
        for (at, item) in nest.iter().enumerate().take(nest.len() - 1) {
            let bound = self.bound_within(item, bounds[at]);
            counters.push(self.add_counter(item, bound, item.step, run, &outer));
        }
        let mut block = front;
        if !shell.is_empty() {
            self.run_before(&shell, run, &mut outer);
            front = outer.block;
            block = self.begin_block();
        }
        let mut inner = Flow::new(block, true);
        let mut assigned = self.assigned(&innermost.body, run);
        self.forget(&assigned);
        let bound = self.bound_within(innermost, bounds[nest.len() - 1]);
        counters.push(self.add_counter(innermost, bound, factor_step, run, &inner));
        self.around.truncate(depth);
        let number = self.set_levels(&counters);
        self.divide_trips(number, factor);
        self.carrying.push((assigned.clone(), Vec::new()));
        let tests = Tests::of_unrolled(trip, factor, !shell.is_empty());
        self.run_body(innermost, (number, factor, tests), run, &mut inner);
        let (_, reads) = self.carrying.pop().unwrap_or_default();
        let mut carried = self.carried_values(reads);
        self.keep_left(innermost, run);
        self.note_stores(block);
        self.balance(block);
        self.stored.clear();
        let behind_bus = self.hoist_bus_accesses(block, &counters, &mut carried);
        self.forward_fixed(block, number);
        let is_single = nest.len() == 1;
        let merged = is_single.then(|| self.merge_stores(block, number, flow, &mut carried));
        let (mut loads_out, mut stores_out) = self.promote(block, &counters, &mut carried);
        loads_out.extend(behind_bus.0);
        stores_out.extend(behind_bus.1);
        let unchanged = Unchanged { storages, assigned: &assigned };
        let operations =
            self.take_out_invariants((block, nest.len()), &loads_out, unchanged, &carried);
        self.carry_dependences((block, &counters), innermost, options, &mut carried);
        let bursts = self.find_bursts(block, &counters);
        if !shell.is_empty() {
            // The first iteration of the innermost loop takes the values that are set before it.
            self.restarted.extend(carried.iter().filter(|edge| edge.is_value).map(|edge| edge.to));
        }
        let asked = (options.ii, options.pipeline == Some(true));
        let mut outcome = self.schedule_pipeline(block, asked, &carried);
        if !shell.is_empty() {
            let back = self.run_after(&shell, &assigned, run);
            outcome.depth += self.added_depth(front) + self.added_depth(back);
            assigned.extend(assigned_around);
        }
        let total = self.nest_trip(&counters);
        let rows = self.row_cycles(&bursts);
        let cycles = pipeline_cycles(total, &outcome).map(|cycles| cycles + rows);
        let asked = (options.pipeline == Some(true)).then(|| options.ii.unwrap_or(1));
        self.add_answer(nest, total, (&outcome, asked), cycles, run);
        let mut inner_touched = std::mem::replace(&mut self.touched, touched);
        self.forget_moved(&mut inner_touched, &loads_out, &stores_out);
        (self.known, self.memory) = saved;
        self.calls_after = calls_after;
        let traffic = self.pipeline_traffic(&outcome.transfers, &counters, outcome.ii);
        let done = Pipelined {
            name: format!("{}_Pipeline_{}", run.function.name, innermost.label),
            cycles,
            usage: outcome.usage,
            touched: inner_touched,
            assigned,
            moved: (loads_out, stores_out),
            operations,
            bursts,
            traffic,
            alone,
            place: innermost.place,
        };
        self.leave_pipeline(done, flow);
        if let Some(element) = merged.flatten() {
            self.note_left_element(element, flow);
        }
        for (item, bound) in nest.iter().zip(bounds) {
            self.leave_counter(item, bound.1, run, flow);
        }
    }

    /// Says which trips data decide, and keeps what bounds are computed of.
    fn note_bounds(&mut self, nest: &[&Loop], bounds: &[(Value, Option<Value>, Trip)]) {
        for (item, (start, end, trip)) in nest.iter().zip(bounds) {
            self.note_open(item, *trip);
            self.keep_bounds(std::iter::once(*start).chain(*end));
        }
    }

    /// What stays in a register for the whole loop is read and written around it.
    fn forget_moved(&self, touched: &mut Vec<(usize, bool)>, loads: &[NodeId], stores: &[NodeId]) {
        let moved = loads.iter().chain(stores);
        let storage = |id: &NodeId| Some(self.graph.node(*id).access.as_ref()?.storage);
        let moved: BTreeSet<usize> = moved.filter_map(storage).collect();
        touched.retain(|touch| !moved.contains(&touch.0));
    }

    /// A loop whose body is copied runs less often.
    fn divide_trips(&mut self, counter: u32, factor: u64) {
        let own = self.counters[counter as usize].trip;
        self.counters[counter as usize].trip = own.divided(factor);
    }

    /// The bounds of a loop of a nest, with its mean trips over all runs that the loops around it in the nest give it.
    fn bound_within(
        &self,
        item: &Loop,
        (start, end, trip): (Value, Option<Value>, Trip),
    ) -> (Value, Option<Value>, Trip) {
        let varies = !trip.is_open && !trip.is_given && trip.whole().is_none();
        let mean = match (end, i64::try_from(item.step)) {
            (Some(end), Ok(step)) if varies && step != 0 => self.count_trips(start, end, step).mean,
            _ => trip.mean,
        };
        (start, end, Trip { mean, ..trip })
    }

    /// What an iteration leaves to later ones in memory, and its test for the end.
    fn carry_dependences(
        &mut self,
        (block, counters): (u32, &[u32]),
        innermost: &Loop,
        options: &LoopOptions,
        carried: &mut Vec<CarriedEdge>,
    ) {
        self.carry_memory(block, counters, options, carried);
        self.reuse_stores(block, carried);
        if innermost.leaves || innermost.condition.is_some() {
            self.carry_exit(block, carried);
        }
    }

    /// The values that an iteration leaves to reads in the next one.
    fn carried_values(&mut self, reads: Vec<((usize, u64), NodeId)>) -> Vec<CarriedEdge> {
        let mut carried = Vec::new();
        for (key, node) in reads {
            if let Some(Value::Node(from)) = self.env.get(&key)
                && *from != node
            {
                self.kept.insert(*from);
                self.carriers.insert(node, key.0);
                carried.push(CarriedEdge { from: *from, to: node, distance: 1, is_value: true });
            }
        }
        carried
    }

    /// The iterations of a whole nest.
    fn nest_trip(&self, counters: &[u32]) -> Trip {
        let trips = counters.iter().map(|counter| self.counters[*counter as usize].trip);
        trips.fold(Trip::exactly(1.0), Trip::times)
    }

    /// Puts a pipelined loop into the flow around: as a module of its own, or as what its function does.
    fn leave_pipeline(&mut self, done: Pipelined, flow: &mut Flow) {
        let (loads, stores) = &done.moved;
        let changed: Vec<_> = self.env.within(&done.assigned).map(|one| one.0).collect();
        let is_whole = loads.is_empty() && stores.is_empty() && done.operations.is_empty();
        let alone = done.alone && is_whole && done.bursts.is_empty();
        let values = self.move_out(loads, stores, true, flow);
        self.do_before(&done.operations, values, flow);
        self.request_bursts(&done.bursts, flow, done.place);
        if self.settings.tool >= (2021, 1) && !alone {
            let latency = done.cycles.map(|cycles| if cycles > 0.0 { cycles + 2.0 } else { 1.0 });
            // Each copy that an unrolled loop around makes is a module of its own.
            let name = format!("{} {}", done.name, self.modules.len());
            let module = self.make_module(name, latency, latency, &done.touched, done.usage, 1);
            self.modules[module as usize].traffic =
                done.traffic.into_iter().map(|one| one.shifted(1.0)).collect();
            self.add_call(module, &changed, flow, done.place);
        } else {
            self.touched.extend(done.touched);
            self.usage.join(&done.usage);
            let states = done.cycles.map(|cycles| cycles + 1.0);
            flow.pieces.push(Piece::Loop(states, done.traffic));
            flow.block = self.begin_block();
            flow.pieces.push(Piece::Block(flow.block));
            for key in changed {
                let ty = self.storages[key.0].ty;
                let value = self.input(ty, flow, done.place);
                self.set_scalar(key, value);
            }
        }
        self.await_bursts(&done.bursts, flow, done.place);
        self.move_out(loads, stores, false, flow);
    }

    /// Loads before a loop, or stores after it, of elements that it keeps in registers. Returns what the loads became.
    pub(super) fn move_out(
        &mut self,
        loads: &[NodeId],
        stores: &[NodeId],
        before: bool,
        flow: &Flow,
    ) -> HashMap<NodeId, Value> {
        let moved = if before { loads } else { stores };
        let mut values = HashMap::default();
        // What is put here is no call and, before the loop, no store.
        let (last_call, mut last_writes) = (self.last_call(flow), HashMap::default());
        for id in moved {
            if before && let Some(known) = self.known_element(*id, flow, &mut last_writes) {
                self.pending.extend(known.node());
                values.insert(*id, known);
                continue;
            }
            let from = self.graph.node(*id).clone();
            let ty = from.ty;
            let mut node =
                Self::blank(if before { Op::Load } else { Op::Store }, ty, flow, from.place);
            node.access.clone_from(&from.access);
            if before {
                node.guard = flow.guard;
            }
            if !before && let Some(call) = last_call {
                node.after.push((call, 0));
            }
            if before
                && let Some(access) = &from.access
                && let Some(call) = self.calls_after.get(&access.storage)
            {
                node.after.push((*call, 0));
            }
            if let Some(access) = &from.access {
                self.touched.push((access.storage, !before));
            }
            if before {
                let load = self.push(node);
                self.kept.insert(load);
                self.pending.push(load);
                values.insert(*id, Value::Node(load));
            } else {
                // What the loop leaves is there when it ends. In the copies of an unrolled body, what follows runs beside the
                // loop of the next copy: only one of the copies waits for it.
                let mut left = Self::blank(Op::Input, ty, flow, from.place);
                if flow.copy.1 == 0 {
                    left.after.extend(last_call.map(|call| (call, 0)));
                }
                let left = Value::Node(self.push(left));
                node.inputs = vec![left];
                let id = self.push(node);
                self.kept.insert(id);
                self.note_moved_store(id, left);
            }
        }
        values
    }

    fn last_call(&self, flow: &Flow) -> Option<NodeId> {
        let block = &self.graph.blocks[flow.block as usize];
        block.iter().rev().copied().find(|id| matches!(self.graph.node(*id).op, Op::Call(_)))
    }

    /// What the element is that a load reads, if the block around has just written it. The last write of each storage is looked
    /// for once.
    pub(super) fn known_element(
        &self,
        load: NodeId,
        flow: &Flow,
        last_writes: &mut HashMap<usize, Option<NodeId>>,
    ) -> Option<Value> {
        let wanted = self.graph.node(load).access.as_ref()?;
        let last = *last_writes
            .entry(wanted.storage)
            .or_insert_with(|| self.last_write(wanted.storage, flow));
        let last = self.graph.node(last?);
        let same = last.access.as_ref().is_some_and(|access| access.index == wanted.index);
        (same && last.guard.is_none()).then(|| last.inputs.first().copied()).flatten()
    }

    /// The last store of a storage in a block, or the last call that writes it.
    fn last_write(&self, storage: usize, flow: &Flow) -> Option<NodeId> {
        let block = &self.graph.blocks[flow.block as usize];
        block.iter().rev().copied().find(|id| {
            let node = self.graph.node(*id);
            let touches = || node.access.as_ref().is_some_and(|one| one.storage == storage);
            match node.op {
                Op::Call(module) => self.modules[module as usize].writes.contains(&storage),
                Op::Store => !node.dead && touches(),
                _ => false,
            }
        })
    }

    /// Keeps in mind which elements a block stores.
    pub(super) fn note_stores(&mut self, block: u32) {
        self.stored = self.graph.blocks[block as usize]
            .iter()
            .filter(|id| self.graph.node(**id).op == Op::Store)
            .map(|id| self.key_of_access(*id))
            .collect();
    }

    /// The next iteration waits for the test of this one.
    pub(super) fn carry_exit(&mut self, block: u32, carried: &mut Vec<CarriedEdge>) {
        let tests: Vec<u32> = std::mem::take(&mut self.exit_nodes);
        let first = self.graph.blocks[block as usize]
            .iter()
            .copied()
            .find(|id| matches!(self.graph.node(*id).op, Op::Load | Op::Carried | Op::Pop));
        if let Some(first) = first {
            for test in tests {
                if self.graph.node(test).block == block && test != first {
                    carried.push(CarriedEdge {
                        from: test,
                        to: first,
                        distance: 1,
                        is_value: true,
                    });
                }
            }
        }
    }

    pub(super) fn add_answer(
        &mut self,
        nest: &[&Loop],
        trip: Trip,
        (outcome, asked): (&Outcome, Option<u64>),
        cycles: Span,
        run: &Activation<'a>,
    ) {
        let labels: Vec<&str> = nest.iter().map(|item| item.label.as_str()).collect();
        let place = nest.first().map_or(Place::default(), |item| item.place);
        #[allow(clippy::cast_precision_loss)]
        self.loops.push(LoopAnswer {
            label: labels.join("_"),
            function: run.function.name.clone(),
            place,
            trip: (!trip.is_open).then_some((trip.least, trip.most, trip.mean)),
            trip_rests_on_type: trip.rests_on_type,
            trip_is_given: trip.is_given,
            ii: Some(outcome.ii),
            asked,
            is_copied: false,
            held_by: Some(outcome.held_by.clone()),
            port_ii: Some(outcome.port_ii),
            depth: outcome.printed as f64,
            is_depth_known: true,
            cycles,
            nest: self.nest,
        });
    }
}

/// `(trips - 1) * II + max(depth - 1, II)`: the loop lasts for the interval of its last iteration.
#[allow(clippy::cast_precision_loss)]
pub(super) fn pipeline_cycles(trip: Trip, outcome: &Outcome) -> Span {
    let cycles = |trips: f64| {
        if trips <= 0.0 {
            return 0.0;
        }
        let ii = outcome.ii as f64;
        (trips - 1.0).max(0.0) * ii + (outcome.depth as f64 - 1.0).max(ii)
    };
    Span {
        best: cycles(trip.least),
        worst: cycles(trip.most),
        expected: cycles(trip.mean),
        reported: cycles(trip.printed),
        is_open: trip.is_open,
        rests_on_type: trip.rests_on_type,
    }
}
