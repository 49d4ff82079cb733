//! Loops: unrolled, pipelined, flattened, or one iteration after another.

use super::options::LoopOptions;
use super::trip::Trip;
use super::{Activation, Counter, Engine, Flow, Piece};
use crate::answer::{HeldBy, LoopAnswer, Span};
use crate::engine::schedule::{Outcome, Usage};
use crate::graph::{Linear, NodeId, Op, Symbol, Value};
use crate::ir::{Argument, Binary, Expr, Function, Loop, Number, ObjectId, Place, Stmt};
use std::collections::BTreeSet;

/// Copies that an unrolled loop may have.
const COPIES: u64 = 20_000;

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
    /// Whether it is all that its function has.
    alone: bool,
    place: Place,
}

impl<'a> Engine<'a> {
    pub(crate) fn run_loop(&mut self, item: &'a Loop, run: &mut Activation<'a>, flow: &mut Flow) {
        let alone = std::mem::take(&mut self.alone);
        let options = self.directives.of_loop(run.function, item, self.settings.tool);
        let start = self.value(&item.start, run, flow);
        let end = item.end.as_ref().map(|end| self.value(end, run, flow));
        let trip = self.trip_of(item, start, end, &options, run);
        let whole = trip.whole();
        let unroll_all = match (options.unroll, whole) {
            (Some(0), Some(_)) => true,
            (Some(factor), Some(count)) => factor >= count && factor > 1,
            _ => false,
        };
        if whole == Some(0) {
            self.leave_counter(item, end, run, flow);
            return;
        }
        if (flow.pipelined || unroll_all || whole == Some(1) && !item.leaves)
            && let (Some(count), true) = (whole, item.counter.is_some())
            && count <= COPIES
        {
            self.unroll(item, start, end, count, run, flow);
            return;
        }
        if flow.pipelined {
            // It stays a loop inside of what should be one block.
            self.note_unknown(
                item.place,
                format!(
                    "the loop `{}` has no fixed trip count: what is around it cannot be pipelined",
                    item.label
                ),
            );
        }
        if self.is_pipelined(item, &options, run) {
            self.pipelined_loop(&[item], &[(start, end, trip)], &options, alone, run, flow);
            return;
        }
        if let Some((nest, bounds, inner)) =
            self.flattened(item, (start, end, trip), &options, run, flow)
        {
            self.pipelined_loop(&nest, &bounds, &inner, alone, run, flow);
            return;
        }
        self.plain_loop(item, (start, end, trip), &options, run, flow);
    }

    pub(crate) fn trip_of(
        &mut self,
        item: &Loop,
        start: Value,
        end: Option<Value>,
        options: &LoopOptions,
        run: &mut Activation<'a>,
    ) -> Trip {
        let counted = match (item.counter, end) {
            (Some(_), Some(end)) if item.step != 0 => {
                self.count_trips(start, end, i64::try_from(item.step).unwrap_or(1))
            }
            (Some(counter), Some(end)) => self.simulate(item, counter, start, end, run),
            _ => Trip::UNKNOWN,
        };
        let counted = if item.leaves && !counted.is_open {
            Trip { least: counted.least.min(1.0), is_given: true, ..counted }
        } else {
            counted
        };
        #[allow(clippy::cast_precision_loss)]
        match options.trip {
            // It is for the report only where the bounds are constants.
            Some((least, most, _)) if counted.is_open || item.leaves => Trip {
                least: least as f64,
                most: most as f64,
                mean: most as f64,
                is_open: false,
                is_given: true,
            },
            // Later tools report the most.
            _ => Trip { is_given: counted.is_given || self.settings.tool >= (2023, 2), ..counted },
        }
    }

    /// Counts the trips of a loop whose step is not a sum, over constants.
    fn simulate(
        &mut self,
        item: &Loop,
        counter: ObjectId,
        start: Value,
        end: Value,
        run: &mut Activation<'a>,
    ) -> Trip {
        let (Some(mut value), Some(end), Some(next)) = (start.whole(), end.whole(), &item.next)
        else {
            return Trip::UNKNOWN;
        };
        let up = value < end;
        let block = self.graph.new_block();
        let mut flow = Flow::new(block, true);
        let bound = self.bind(run, counter);
        let key = (bound.storage, 0);
        let before = self.env.get(&key).copied();
        let mut count = 0_u32;
        while (if up { value < end } else { value > end }) && count < 100_000 {
            self.env.insert(key, Value::Constant(Number::Int(value)));
            let Some(now) = self.value(next, run, &mut flow).whole() else { break };
            count += 1;
            if now == value {
                count = 0;
                break;
            }
            value = now;
        }
        match before {
            Some(before) => self.env.insert(key, before),
            None => self.env.remove(&key),
        };
        if count == 0 { Trip::UNKNOWN } else { Trip::exactly(f64::from(count)) }
    }

    /// Whether the loop itself becomes a pipeline.
    fn is_pipelined(&mut self, item: &Loop, options: &LoopOptions, run: &Activation<'a>) -> bool {
        if item.test_last && item.counter.is_none() && has_loop(&item.body) {
            return false;
        }
        self.varying.clear();
        self.varying.extend(item.counter);
        assigned_objects(&item.body, &mut self.varying);
        match options.pipeline {
            Some(asked) => asked && self.can_flatten_all(&item.body, run),
            None => {
                self.settings.pipeline_loops > 0
                    && !options.dataflow
                    && (self.is_innermost(&item.body, run, 0)
                        || self.takes_short_loops(&item.body, run))
            }
        }
    }

    /// Whether the loops in a body are so short that the tool unrolls them and pipelines the loop around.
    fn takes_short_loops(&self, body: &[Stmt], run: &Activation<'a>) -> bool {
        let mut found = false;
        let short = body.iter().all(|statement| match statement {
            Stmt::Loop(inner) => {
                found = true;
                let options = self.directives.of_loop(run.function, inner, self.settings.tool);
                let trips = constant_trips(inner).or_else(|| self.known_trips(inner, run));
                options.pipeline.is_none()
                    && options.unroll.is_none_or(|factor| factor == 0 || Some(factor) >= trips)
                    && !inner.leaves
                    && trips.is_some_and(|trips| trips <= self.settings.pipeline_loops)
                    && self.is_innermost(&inner.body, run, 0)
            }
            Stmt::If(_, then, otherwise) => !has_loop(then) && !has_loop(otherwise),
            Stmt::Call(call) => !has_loop(&self.program.functions[call.function].body),
            _ => true,
        });
        found && short
    }

    /// Whether a body has no loop that stays one.
    fn is_innermost(&self, body: &[Stmt], run: &Activation<'a>, depth: usize) -> bool {
        depth < 20
            && body.iter().all(|statement| match statement {
                Stmt::Loop(inner) => {
                    let options = self.directives.of_loop(run.function, inner, self.settings.tool);
                    let fixed = constant_trips(inner);
                    let whole = match (options.unroll, fixed) {
                        (Some(0), Some(_)) => true,
                        (Some(factor), Some(trips)) => factor >= trips && factor > 1,
                        (_, Some(trips)) => trips <= 1,
                        _ => false,
                    };
                    whole && self.is_innermost(&inner.body, run, depth + 1)
                }
                Stmt::If(_, then, otherwise) => {
                    self.is_innermost(then, run, depth) && self.is_innermost(otherwise, run, depth)
                }
                Stmt::Call(call) => {
                    let callee = &self.program.functions[call.function];
                    super::function::has_no_loop(&callee.body)
                        && self.is_innermost_callee(callee, depth + 1)
                }
                _ => true,
            })
    }

    fn is_innermost_callee(&self, callee: &Function, depth: usize) -> bool {
        depth < 20
            && callee.body.iter().all(|statement| match statement {
                Stmt::Call(call) => {
                    let callee = &self.program.functions[call.function];
                    super::function::has_no_loop(&callee.body)
                        && self.is_innermost_callee(callee, depth + 1)
                }
                _ => true,
            })
    }

    /// Whether all loops in a body can be unrolled.
    pub(crate) fn can_flatten_all(&self, body: &[Stmt], run: &Activation<'a>) -> bool {
        self.flat_size(body, run, 0).is_some_and(|size| size <= 200_000)
    }

    fn flat_size(&self, body: &[Stmt], run: &Activation<'a>, depth: usize) -> Option<u64> {
        if depth > 20 {
            return None;
        }
        let mut size = 0_u64;
        for statement in body {
            size = size.saturating_add(match statement {
                Stmt::Loop(inner) => {
                    let trips = constant_trips(inner).or_else(|| self.known_trips(inner, run))?;
                    self.flat_size(&inner.body, run, depth + 1)?.max(1).saturating_mul(trips)
                }
                Stmt::If(_, then, otherwise) => self
                    .flat_size(then, run, depth)?
                    .saturating_add(self.flat_size(otherwise, run, depth)?),
                Stmt::Call(call) => {
                    let callee = &self.program.functions[call.function];
                    self.flat_size(&callee.body, run, depth + 1)?
                }
                _ => 1,
            });
        }
        Some(size)
    }

    /// The trips of a loop whose bounds are values that are constants now.
    fn known_trips(&self, item: &Loop, run: &Activation<'a>) -> Option<u64> {
        let value = |expr: &Expr| -> Option<i128> {
            match expr {
                Expr::Constant(Number::Int(value), _) => Some(*value),
                Expr::Read(access, _)
                    if access.index.is_empty() && !self.varying.contains(&access.object) =>
                {
                    let bound = run.bound.get(access.object)?.as_ref()?;
                    self.env.get(&(bound.storage, 0))?.whole()
                }
                Expr::Cast(inner, ..) => inner.constant(),
                _ => None,
            }
        };
        let (end, step) = (value(item.end.as_ref()?)?, item.step);
        // The counter's first value is set just before the loop.
        let start = match item.first {
            Some(first) => first,
            None => value(&item.start)?,
        };
        (step != 0).then_some(())?;
        let length = if step > 0 { end - start } else { start - end };
        u64::try_from(length.max(0))
            .ok()
            .map(|length| length.div_ceil(u64::try_from(step.unsigned_abs()).unwrap_or(1)))
    }

    /// The nest that becomes one pipeline, with its bounds and the options of its innermost loop.
    #[allow(clippy::type_complexity)]
    fn flattened(
        &mut self,
        item: &'a Loop,
        bounds: (Value, Option<Value>, Trip),
        options: &LoopOptions,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) -> Option<(Vec<&'a Loop>, Vec<(Value, Option<Value>, Trip)>, LoopOptions)> {
        let mut nest = vec![item];
        let mut all = vec![bounds];
        let mut outer = options.clone();
        loop {
            let last = *nest.last()?;
            if outer.unroll.is_some_and(|factor| factor != 1)
                || outer.pipeline == Some(true)
                || outer.flatten == Some(false)
                || last.counter.is_none()
                || last.leaves
                || all.last()?.2.is_open
                || last.condition.is_some()
            {
                return None;
            }
            let (before, inner) = match last.body.as_slice() {
                [Stmt::Loop(inner)] => (None, inner),
                [Stmt::Set(target, Expr::Constant(..)), Stmt::Loop(inner)]
                    if inner.counter == Some(target.object) =>
                {
                    (Some(&last.body[0]), inner)
                }
                _ => return None,
            };
            let inner_options = self.directives.of_loop(run.function, inner, self.settings.tool);
            if inner_options.flatten == Some(false) || inner.leaves || inner.counter.is_none() {
                return None;
            }
            // Bounds that depend on the loops around are not known before these run.
            let mut changing = BTreeSet::new();
            for around in &nest {
                changing.extend(around.counter);
                assigned_objects(&around.body, &mut changing);
            }
            changing.remove(&inner.counter.unwrap_or(ObjectId::MAX));
            if std::iter::once(&inner.start)
                .chain(&inner.end)
                .any(|bound| mentions(bound, &changing))
            {
                return None;
            }
            let is_pipeline = self.is_pipelined(inner, &inner_options, run);
            if inner_options.unroll.is_some_and(|factor| factor != 1) && !is_pipeline {
                return None;
            }
            let start = match before {
                Some(Stmt::Set(_, value)) => self.value(value, run, flow),
                _ => self.value(&inner.start, run, flow),
            };
            let end = inner.end.as_ref().map(|end| self.value(end, run, flow));
            let trip = self.trip_of(inner, start, end, &inner_options, run);
            trip.whole()?;
            // Bounds that depend on the counter around are not known before it runs.
            let fixed = [Some(start), end]
                .into_iter()
                .flatten()
                .all(|value| matches!(value, Value::Constant(_)));
            if !fixed {
                return None;
            }
            nest.push(inner);
            all.push((start, end, trip));
            if is_pipeline {
                return Some((nest, all, inner_options));
            }
            outer = inner_options;
        }
    }

    /// The counter of a loop as a node, with its range.
    fn add_counter(
        &mut self,
        item: &Loop,
        (start, end, trip): (Value, Option<Value>, Trip),
        step: i128,
        run: &mut Activation<'a>,
        flow: &Flow,
    ) -> u32 {
        let step = i64::try_from(step).unwrap_or(0);
        let own = i64::try_from(item.step).unwrap_or(0);
        let own_factor = if own == 0 { 1 } else { (step / own).max(1) };
        let bounds = match (self.linear(start), end.and_then(|end| self.linear(end))) {
            (Some(start), Some(end)) => Some((start, end)),
            _ => None,
        };
        // The symbol is the number of the iteration, from zero.
        let range = (!trip.is_open && trip.most < 1e15).then(|| {
            #[allow(clippy::cast_possible_truncation)]
            let most = trip.most as i64;
            (0, (most.div_euclid(own_factor) - 1 + i64::from(most % own_factor != 0)).max(0))
        });
        let first = self.linear(start);
        self.counters.push(Counter { range, step, trip, bounds });
        let number = u32::try_from(self.counters.len() - 1).unwrap_or(u32::MAX);
        if let Some(counter) = item.counter {
            let bound = self.bind(run, counter);
            let ty = self.storages[bound.storage].ty;
            let mut node = Self::blank(Op::Counter, ty, flow, item.place);
            let symbol = Linear::symbol(Symbol::Counter(number));
            if step != 0 {
                node.linear = first.and_then(|first| symbol.scaled(step)?.plus(&first));
            }
            if let Some((low, high)) = node.linear.as_ref().and_then(|linear| self.range(linear)) {
                let most = low.unsigned_abs().max(high.unsigned_abs());
                let bits = 64 - most.leading_zeros() + u32::from(low < 0);
                node.width = u16::try_from(bits.max(1)).unwrap_or(64).min(ty.bits());
            }
            let id = self.push(node);
            self.set_scalar((bound.storage, 0), Value::Node(id));
        }
        number
    }

    /// After the loop the counter has its end value.
    fn leave_counter(
        &mut self,
        item: &Loop,
        end: Option<Value>,
        run: &mut Activation<'a>,
        flow: &Flow,
    ) {
        let Some(counter) = item.counter else { return };
        let bound = self.bind(run, counter);
        let ty = self.storages[bound.storage].ty;
        let value = match end {
            Some(value @ Value::Constant(_)) if item.step.abs() == 1 => value,
            _ => self.input(ty, flow, item.place),
        };
        self.set_scalar((bound.storage, 0), value);
    }

    /// Every iteration one after another in the flow around.
    fn unroll(
        &mut self,
        item: &'a Loop,
        start: Value,
        end: Option<Value>,
        count: u64,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let Some(counter) = item.counter else { return };
        let bound = self.bind(run, counter);
        let ty = self.storages[bound.storage].ty;
        let (guard, stays) = (flow.guard, flow.stays);
        let mut value = start;
        for at in 0..count {
            if self.full {
                break;
            }
            if item.step != 0 {
                let by = Value::Constant(Number::Int(item.step * i128::from(at)));
                value = self.binary(Binary::Add, [start, by], ty, ty, flow, item.place);
            } else if at > 0
                && let Some(next) = &item.next
            {
                value = self.value(next, run, flow);
            }
            self.set_scalar((bound.storage, 0), value);
            self.statements(&item.body, run, flow);
            if std::mem::take(&mut flow.left) && !item.leaves {
                continue;
            }
            if !item.leaves {
                (flow.guard, flow.stays) = (guard, stays);
            }
        }
        (flow.guard, flow.stays) = (guard, stays);
        self.leave_counter(item, end, run, flow);
    }

    /// The storages of scalars and register arrays that a body may change.
    fn assigned(&mut self, body: &[Stmt], run: &mut Activation<'a>) -> BTreeSet<usize> {
        let mut objects = BTreeSet::new();
        assigned_objects(body, &mut objects);
        let mut storages = BTreeSet::new();
        for object in objects {
            let local = run.bound.get(object).is_some_and(Option::is_none);
            if local {
                // It is not in use yet: the body sets it before it reads it, or it has no value.
                continue;
            }
            let bound = self.bind(run, object);
            if self.is_register(bound.storage) {
                storages.insert(bound.storage);
            }
        }
        // Statics and globals that functions change.
        let kept: Vec<usize> = (0..self.storages.len())
            .filter(|at| {
                self.storages[*at].is_static
                    && self.is_register(*at)
                    && !self.storages[*at].is_constant
            })
            .collect();
        if calls(body) {
            storages.extend(kept);
        }
        storages
    }

    /// Forgets the values of what a loop changes; reads in it are carried or from outside.
    fn forget(&mut self, storages: &BTreeSet<usize>) {
        let keys: Vec<(usize, u64)> =
            self.env.keys().filter(|key| storages.contains(&key.0)).copied().collect();
        for key in keys {
            let old = self.env.remove(&key);
            if self.journaling > 0 {
                self.journal.push((key, old));
            }
        }
    }

    fn note_open(&mut self, item: &Loop, trip: Trip) {
        if trip.is_open {
            let reason = format!("data decide how often the loop `{}` runs", item.label);
            self.note_unknown(item.place, reason);
        }
    }

    fn pipelined_loop(
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
        for (item, bound) in nest.iter().zip(bounds) {
            self.note_open(item, bound.2);
        }
        let saved = (std::mem::take(&mut self.known), std::mem::take(&mut self.memory));
        let touched = std::mem::take(&mut self.touched);
        let calls_after = std::mem::take(&mut self.calls_after);
        let block = self.begin_block();
        let mut inner = Flow::new(block, true);
        let mut counters = Vec::new();
        let trip = bounds.last().map_or(Trip::UNKNOWN, |bound| bound.2);
        let factor = match (options.unroll, trip.whole()) {
            (Some(factor), Some(count)) if factor > 1 => factor.min(count.max(1)),
            (Some(factor), None) if factor > 1 => factor,
            _ => 1,
        };
        let assigned = self.assigned(&innermost.body, run);
        self.forget(&assigned);
        let factor_step = i128::from(factor) * innermost.step;
        for (at, item) in nest.iter().enumerate() {
            let step = if at + 1 == nest.len() { factor_step } else { item.step };
            let number = self.add_counter(item, bounds[at], step, run, &inner);
            counters.push(number);
        }
        #[allow(clippy::cast_precision_loss)]
        let scale = |count: f64| (count / factor as f64).ceil();
        let last = counters.len() - 1;
        let own = self.counters[counters[last] as usize].trip;
        self.counters[counters[last] as usize].trip = Trip {
            least: scale(own.least),
            most: scale(own.most),
            mean: if factor > 1 { scale(own.mean) } else { own.mean },
            ..own
        };
        self.carrying.push((assigned.clone(), Vec::new()));
        self.run_body(innermost, factor, run, &mut inner);
        let (_, reads) = self.carrying.pop().unwrap_or_default();
        let mut carried = Vec::new();
        for (key, node) in reads {
            if let Some(Value::Node(from)) = self.env.get(&key)
                && *from != node
            {
                self.kept.insert(*from);
                carried.push(crate::graph::CarriedEdge {
                    from: *from,
                    to: node,
                    distance: 1,
                    is_value: true,
                });
            }
        }
        self.note_stores(block);
        self.balance(block);
        let (loads_out, stores_out) = self.promote(block, &counters, &mut carried);
        let free: Vec<String> = options.no_dependence.iter().flatten().cloned().collect();
        self.carry_memory(block, &counters, &free, &mut carried);
        if innermost.leaves || innermost.condition.is_some() {
            self.carry_exit(block, &mut carried);
        }
        let outcome =
            self.schedule_pipeline(block, options.ii, &carried, trip.most, innermost.place);
        let mut total = Trip { is_given: true, ..Trip::exactly(1.0) };
        for counter in &counters {
            let trip = self.counters[*counter as usize].trip;
            total = Trip {
                least: total.least * trip.least,
                most: total.most * trip.most,
                mean: total.mean * trip.mean,
                is_open: total.is_open || trip.is_open,
                is_given: total.is_given && (trip.is_given || trip.whole().is_some()),
            };
        }
        let cycles = pipeline_cycles(total, &outcome);
        self.add_answer(nest, total, &outcome, cycles, run);
        let mut inner_touched = std::mem::replace(&mut self.touched, touched);
        // What stays in a register for the whole loop is read and written around it.
        let moved: BTreeSet<usize> = loads_out
            .iter()
            .chain(&stores_out)
            .filter_map(|id| Some(self.graph.node(*id).access.as_ref()?.storage))
            .collect();
        inner_touched.retain(|touch| !moved.contains(&touch.0));
        (self.known, self.memory) = saved;
        self.calls_after = calls_after;
        let done = Pipelined {
            name: format!("{}_Pipeline_{}", run.function.name, innermost.label),
            cycles,
            usage: outcome.usage,
            touched: inner_touched,
            assigned,
            moved: (loads_out, stores_out),
            alone,
            place: innermost.place,
        };
        self.leave_pipeline(done, flow);
        for (item, bound) in nest.iter().zip(bounds) {
            self.leave_counter(item, bound.1, run, flow);
        }
    }

    /// Puts a pipelined loop into the flow around: as a module of its own, or as what its function does.
    fn leave_pipeline(&mut self, done: Pipelined, flow: &mut Flow) {
        let (loads, stores) = &done.moved;
        let mut changed = Vec::new();
        for key in self.env.keys().filter(|key| done.assigned.contains(&key.0)) {
            changed.push(*key);
        }
        changed.sort_unstable();
        let alone = done.alone && loads.is_empty() && stores.is_empty();
        self.move_out(loads, stores, true, flow);
        if self.settings.tool >= (2021, 1) && !alone {
            let latency = done.cycles.map(|cycles| if cycles > 0.0 { cycles + 2.0 } else { 1.0 });
            let module =
                self.make_module(done.name, latency, latency, &done.touched, done.usage, 1);
            self.add_call(module, &changed, flow, done.place);
        } else {
            self.touched.extend(done.touched);
            self.usage.join(&done.usage);
            flow.pieces.push(Piece::Loop(done.cycles.map(|cycles| cycles + 1.0)));
            flow.block = self.begin_block();
            flow.pieces.push(Piece::Block(flow.block));
            for key in changed {
                let ty = self.storages[key.0].ty;
                let value = self.input(ty, flow, done.place);
                self.set_scalar(key, value);
            }
        }
        self.move_out(loads, stores, false, flow);
    }

    /// Loads before a loop, or stores after it, of elements that it keeps in registers.
    fn move_out(&mut self, loads: &[u32], stores: &[u32], before: bool, flow: &Flow) {
        let moved = if before { loads } else { stores };
        for id in moved {
            let from = self.graph.node(*id).clone();
            let ty = from.ty;
            let mut node =
                Self::blank(if before { Op::Load } else { Op::Store }, ty, flow, from.place);
            node.access.clone_from(&from.access);
            if before {
                node.guard = flow.guard;
            }
            let calls: Vec<u32> = self.graph.blocks[flow.block as usize]
                .iter()
                .copied()
                .filter(|other| matches!(self.graph.node(*other).op, Op::Call(_)))
                .collect();
            if !before && let Some(call) = calls.last() {
                node.after.push((*call, 0));
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
            let id = self.push(node);
            self.kept.insert(id);
            if before {
                self.pending.push(id);
            }
        }
    }

    /// Whether a block waits for a module.
    fn has_call(&self, block: u32) -> bool {
        let mut nodes = self.graph.blocks[block as usize].iter();
        nodes.any(|id| matches!(self.graph.node(*id).op, Op::Call(_)))
    }

    /// Keeps in mind which elements a block stores.
    fn note_stores(&mut self, block: u32) {
        self.stored = self.graph.blocks[block as usize]
            .iter()
            .filter(|id| self.graph.node(**id).op == Op::Store)
            .map(|id| self.key_of_access(*id))
            .collect();
    }

    fn run_body(&mut self, item: &'a Loop, factor: u64, run: &mut Activation<'a>, flow: &mut Flow) {
        let counter = item.counter.map(|counter| self.bind(run, counter).storage);
        let base = counter.and_then(|storage| self.env.get(&(storage, 0)).copied());
        for at in 0..factor {
            if let (Some(storage), Some(base), true) = (counter, base, at > 0) {
                let ty = self.storages[storage].ty;
                let by = Value::Constant(Number::Int(item.step * i128::from(at)));
                let value = self.binary(Binary::Add, [base, by], ty, ty, flow, item.place);
                self.set_scalar((storage, 0), value);
            }
            if let Some(condition) = &item.condition {
                let value = self.value(condition, run, flow);
                if let Value::Node(node) = value {
                    self.kept.insert(node);
                    self.exit_nodes.push(node);
                }
            }
            self.statements(&item.body, run, flow);
            flow.left = false;
        }
        if let (Some(storage), Some(base)) = (counter, base) {
            self.set_scalar((storage, 0), base);
        }
    }

    /// The next iteration waits for the test of this one.
    fn carry_exit(&mut self, block: u32, carried: &mut Vec<crate::graph::CarriedEdge>) {
        let tests: Vec<u32> = std::mem::take(&mut self.exit_nodes);
        let first = self.graph.blocks[block as usize]
            .iter()
            .copied()
            .find(|id| matches!(self.graph.node(*id).op, Op::Load | Op::Carried | Op::Pop));
        if let Some(first) = first {
            for test in tests {
                if self.graph.node(test).block == block && test != first {
                    carried.push(crate::graph::CarriedEdge {
                        from: test,
                        to: first,
                        distance: 1,
                        is_value: true,
                    });
                }
            }
        }
    }

    fn add_answer(
        &mut self,
        nest: &[&Loop],
        trip: Trip,
        outcome: &Outcome,
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
            ii: Some(outcome.ii),
            held_by: Some(outcome.held_by.clone()),
            depth: outcome.depth as f64,
            cycles,
            nest: self.nest,
        });
    }

    /// One iteration after another.
    fn plain_loop(
        &mut self,
        item: &'a Loop,
        bounds: (Value, Option<Value>, Trip),
        options: &LoopOptions,
        run: &mut Activation<'a>,
        flow: &mut Flow,
    ) {
        let trip = bounds.2;
        self.note_open(item, trip);
        let factor = match (options.unroll, trip.whole()) {
            (Some(factor), Some(count)) if factor > 1 => factor.min(count.max(1)),
            (Some(factor), None) if factor > 1 => factor,
            _ => 1,
        };
        let answer = self.loops.len();
        self.loops.push(LoopAnswer {
            label: item.label.clone(),
            function: run.function.name.clone(),
            place: item.place,
            trip: None,
            ii: None,
            held_by: None::<HeldBy>,
            depth: 0.0,
            cycles: Span::exactly(0.0),
            nest: self.nest,
        });
        self.nest += 1;
        let assigned = self.assigned(&item.body, run);
        self.forget(&assigned);
        let block = self.begin_block();
        let mut inner = Flow::new(block, false);
        let step = item.step * i128::from(factor);
        let number = self.add_counter(item, bounds, step, run, &inner);
        #[allow(clippy::cast_precision_loss)]
        let scale = |count: f64| if factor > 1 { (count / factor as f64).ceil() } else { count };
        let trip = Trip {
            least: scale(trip.least),
            most: scale(trip.most),
            mean: scale(trip.mean),
            ..trip
        };
        self.counters[number as usize].trip = trip;
        self.carrying.push((assigned.clone(), Vec::new()));
        self.run_body(item, factor, run, &mut inner);
        self.exit_nodes.clear();
        self.carrying.pop();
        let (loads_out, stores_out) = match inner.pieces.as_slice() {
            [Piece::Block(only)] => {
                let mut carried = Vec::new();
                self.promote(*only, &[number], &mut carried)
            }
            _ => (Vec::new(), Vec::new()),
        };
        let mut iteration = self.compose(&inner.pieces);
        if let [Piece::Block(only)] = inner.pieces.as_slice()
            && !self.has_call(*only)
        {
            // The step of the counter and the test have a state of their own.
            iteration = iteration.map(|states| states + 1.0);
        }
        self.nest -= 1;
        let states = loop_states(trip, iteration);
        if let Some(answer) = self.loops.get_mut(answer) {
            answer.trip = (!trip.is_open).then_some((trip.least, trip.most, trip.mean));
            answer.depth = iteration.worst;
            answer.cycles = states;
        }
        self.move_out(&loads_out, &[], true, flow);
        flow.pieces.push(Piece::Loop(states));
        flow.block = self.begin_block();
        flow.pieces.push(Piece::Block(flow.block));
        self.move_out(&[], &stores_out, false, flow);
        let changed: Vec<(usize, u64)> =
            self.env.keys().filter(|key| assigned.contains(&key.0)).copied().collect();
        for key in changed {
            let ty = self.storages[key.0].ty;
            let value = self.input(ty, flow, item.place);
            self.set_scalar(key, value);
        }
        self.leave_counter(item, bounds.1, run, flow);
    }
}

/// `trips * iteration`, with the trips that the loops around give.
fn loop_states(trip: Trip, iteration: Span) -> Span {
    Span {
        best: trip.least * iteration.best,
        worst: trip.most * iteration.worst,
        expected: trip.mean * iteration.expected,
        reported: trip.reported() * iteration.reported,
        is_open: trip.is_open || iteration.is_open,
    }
}

/// `(trips - 1) * II + max(depth - 1, 1)`.
#[allow(clippy::cast_precision_loss)]
fn pipeline_cycles(trip: Trip, outcome: &Outcome) -> Span {
    let cycles = |trips: f64| {
        if trips <= 0.0 {
            return 0.0;
        }
        (trips - 1.0).max(0.0) * outcome.ii as f64 + (outcome.depth as f64 - 1.0).max(1.0)
    };
    Span {
        best: cycles(trip.least),
        worst: cycles(trip.most),
        expected: cycles(trip.mean),
        reported: cycles(trip.reported()),
        is_open: trip.is_open,
    }
}

/// The trips of a loop with constant bounds.
pub(crate) fn constant_trips(item: &Loop) -> Option<u64> {
    let end = item.end.as_ref()?.constant()?;
    let start = match &item.start {
        Expr::Constant(Number::Int(value), _) => *value,
        _ => item.first?,
    };
    let length = if item.step > 0 { end - start } else { start - end };
    (item.step != 0).then_some(())?;
    let step = item.step.unsigned_abs();
    Some(u64::try_from(length.max(0)).ok()?.div_ceil(u64::try_from(step).ok()?))
}

/// Whether an expression reads one of these objects.
fn mentions(expr: &Expr, objects: &BTreeSet<ObjectId>) -> bool {
    match expr {
        Expr::Constant(..) | Expr::Unknown(_) => false,
        Expr::Read(access, _) | Expr::Pop(access, _) => {
            objects.contains(&access.object)
                || access.index.iter().any(|index| mentions(index, objects))
        }
        Expr::Unary(_, inner, ..) | Expr::Cast(inner, ..) => mentions(inner, objects),
        Expr::Binary(_, left, right, ..) => mentions(left, objects) || mentions(right, objects),
        Expr::Select(test, yes, no, ..) => {
            [test, yes, no].into_iter().any(|part| mentions(part, objects))
        }
        Expr::Math(_, inputs, ..) => inputs.iter().any(|input| mentions(input, objects)),
    }
}

fn has_loop(body: &[Stmt]) -> bool {
    !super::function::has_no_loop(body)
}

fn calls(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Call(_) => true,
        Stmt::If(_, then, otherwise) => calls(then) || calls(otherwise),
        Stmt::Loop(item) => calls(&item.body),
        _ => false,
    })
}

fn assigned_objects(body: &[Stmt], objects: &mut BTreeSet<ObjectId>) {
    for statement in body {
        match statement {
            Stmt::Set(target, _) => {
                objects.insert(target.object);
            }
            Stmt::If(_, then, otherwise) => {
                assigned_objects(then, objects);
                assigned_objects(otherwise, objects);
            }
            Stmt::Loop(item) => {
                objects.extend(item.counter);
                assigned_objects(&item.body, objects);
            }
            Stmt::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Object(access) = argument {
                        objects.insert(access.object);
                    }
                }
                objects.extend(call.result);
            }
            _ => {}
        }
    }
}
