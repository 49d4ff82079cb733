//! Functions that an earlier design of the same program had scheduled under the same conditions: their schedule is taken again.
//!
//! A search changes one directive at a time, and most functions of a design stay as they were. What a function's schedule
//! depends on is kept with it as a [`Question`] and compared in full; nothing that is not in there is looked at. A function is
//! scheduled anew where its arguments are computed values, or where it has effects beyond those of [`Recalled`].

use super::bank_update::StorageDim;
use super::ways::Way;
use super::{Activation, Counter, Engine, Module, Scheduled};
use crate::answer::{BurstAnswer, LoopAnswer, RegionAnswer};
use crate::graph::{LocalArray, MemoryAccess, NodeId, Op, Storage, Symbol, Value};
use derate_hls::TclDirective;
use derate_program::{Function, Number, ObjectId, Place, Program, Scalar, Stmt, Unknown};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Functions that are kept; when there are more, the cache is emptied.
const MOST: usize = 4096;

/// The schedules of the functions of one program, under one [`Settings`](crate::Settings).
#[derive(Debug, Default)]
pub struct ScheduleCache {
    known: HashMap<(usize, usize, usize, usize), Vec<Arc<Recalled>>>,
    count: usize,
    hits: usize,
}

/// A cache that designs share which are scheduled at the same time. It changes by whole schedules, so a thread that panicked
/// left nothing half done in it.
fn lock(cache: &Mutex<ScheduleCache>) -> MutexGuard<'_, ScheduleCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScheduleCache {
    /// How many schedules were taken from it.
    #[must_use]
    pub fn hits(&self) -> usize {
        self.hits
    }

    fn find(&mut self, question: &Question) -> Option<Arc<Recalled>> {
        let list = self.known.get(&question.numbers)?;
        let found = list.iter().find(|one| one.question == *question)?;
        self.hits += 1;
        Some(Arc::clone(found))
    }

    fn keep(&mut self, recalled: Recalled) {
        if self.count >= MOST {
            *self = Self::default();
        }
        let list = self.known.entry(recalled.question.numbers).or_default();
        // Designs that are scheduled at once may ask the same.
        if list.iter().all(|one| one.question != recalled.question) {
            list.push(Arc::new(recalled));
            self.count += 1;
        }
    }
}

/// All that the schedule of a function depends on.
#[derive(Debug, PartialEq)]
pub(super) struct Question {
    /// The function, and how many storages, counters and modules there are before it.
    numbers: (usize, usize, usize, usize),
    /// The directives of the function and of those that it calls.
    directives: Vec<TclDirective>,
    /// Which storage each of its objects is, and the subscripts before its own.
    bound: Vec<Option<(usize, Vec<OutsideValue>)>>,
    /// The storages that it can reach.
    storages: Vec<(usize, Storage)>,
    /// What is known of their values.
    values: Vec<((usize, u64), OutsideValue)>,
    around: Vec<(u32, Counter)>,
    stack: Vec<usize>,
    nest: (usize, usize),
    unknown: Vec<Unknown>,
    bursts: Vec<(usize, Vec<BurstAnswer>)>,
    completed: BTreeSet<StorageDim>,
    scalars: BTreeSet<LocalArray>,
    /// How many loops are around each condition that it is under.
    ways: Vec<usize>,
}

/// A value from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OutsideValue {
    Constant(Number),
    /// A counter of a loop around: its place among the others, its number, its type and its width.
    Counter(usize, u32, Scalar, u16),
    /// Anything: its place among the others, its type and its width.
    Input(usize, Scalar, u16),
}

/// A schedule, and what it left behind.
#[derive(Debug)]
pub(super) struct Recalled {
    question: Question,
    scheduled: Scheduled,
    /// The reachable storages as it left them, and its own.
    storages: Vec<(usize, Storage)>,
    own: Vec<Storage>,
    /// The objects that got one of its own.
    bound: Vec<(ObjectId, usize)>,
    counters: Vec<Counter>,
    modules: Vec<Module>,
    loops: Vec<LoopAnswer>,
    regions: Vec<RegionAnswer>,
    bursts: Vec<(usize, Vec<BurstAnswer>)>,
    /// One access for each place and direction of a bus.
    accesses: Vec<(Op, MemoryAccess, Place, Scalar)>,
    /// Storages that a call in its last block wrote.
    written: Vec<usize>,
    varying: BTreeSet<ObjectId>,
    bank_updates: BTreeSet<StorageDim>,
    nodes: usize,
}

/// What there was before a function.
pub(super) struct Before {
    question: Question,
    loops: usize,
    regions: usize,
    globals: usize,
    /// Nodes of the graph, from which on those of the function are.
    nodes: usize,
    /// Nodes with those that were not made again.
    counted: usize,
}

impl<'a> Engine<'a> {
    /// What the schedule of a function depends on; `None` where it is not known.
    pub(super) fn record_question(&self, function: usize, run: &Activation<'a>) -> Option<Before> {
        self.cache.as_ref()?;
        if self.full || self.opened || self.bindings.is_any || !self.stored.is_empty() {
            return None;
        }
        let mut reached: BTreeSet<usize> = self.global_storages.values().copied().collect();
        reached.extend(run.bound.iter().flatten().map(|bound| bound.storage));
        // A loop that calls a function forgets the values of all statics: see `Engine::assigned`.
        reached.extend((0..self.storages.len()).filter(|at| self.storages[*at].is_static));
        let values: Vec<((usize, u64), Value)> = self.env.within(&reached).collect();
        let prefixes = run.bound.iter().flatten().flat_map(|bound| &bound.prefix);
        let all = values.iter().map(|(_, value)| value).chain(prefixes);
        let mut nodes: Vec<NodeId> = all.filter_map(|value| value.node()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let known = |value: &Value| self.recognise_value(*value, &nodes);
        let bound = run.bound.iter().map(|bound| {
            let Some(bound) = bound else { return Some(None) };
            let prefix: Option<Vec<OutsideValue>> = bound.prefix.iter().map(known).collect();
            Some(Some((bound.storage, prefix?)))
        });
        let question = Question {
            numbers: (function, self.storages.len(), self.counters.len(), self.modules.len()),
            directives: self.directives_within(run.function),
            bound: bound.collect::<Option<_>>()?,
            storages: reached.into_iter().map(|at| (at, self.storages[at].clone())).collect(),
            values: values
                .iter()
                .map(|(key, value)| Some((*key, known(value)?)))
                .collect::<Option<_>>()?,
            around: self
                .around
                .iter()
                .map(|number| (*number, self.counters[*number as usize].clone()))
                .collect(),
            stack: self.stack.clone(),
            nest: (self.nest, self.refused),
            unknown: self.unknown.clone(),
            bursts: self.list_bursts(),
            completed: self.completed.clone(),
            scalars: self.scalars.clone(),
            ways: self.ways.iter().map(Way::loops_of_open).collect::<Option<_>>()?,
        };
        Some(Before {
            question,
            loops: self.loops.len(),
            regions: self.regions.len(),
            globals: self.global_storages.len(),
            nodes: self.graph.nodes.len(),
            counted: self.graph.nodes.len() + self.skipped,
        })
    }

    fn recognise_value(&self, value: Value, nodes: &[NodeId]) -> Option<OutsideValue> {
        let id = match value {
            Value::Constant(number) => return Some(OutsideValue::Constant(number)),
            Value::Node(id) => id,
        };
        let node = self.graph.node(id);
        let place = nodes.binary_search(&id).ok()?;
        let terms = node.linear.as_ref().map(|linear| (linear.constant, linear.terms.as_slice()));
        match (node.op, terms) {
            (Op::Input, None) => Some(OutsideValue::Input(place, node.ty, node.width)),
            (Op::Input, Some((0, [(Symbol::Opaque(own), 1)]))) if *own == id => {
                Some(OutsideValue::Input(place, node.ty, node.width))
            }
            (Op::Counter, Some((0, [(Symbol::Counter(number), 1)])))
                if self.around.contains(number) =>
            {
                Some(OutsideValue::Counter(place, *number, node.ty, node.width))
            }
            _ => None,
        }
    }

    fn list_bursts(&self) -> Vec<(usize, Vec<BurstAnswer>)> {
        let notes = self.burst_notes.iter();
        let mut bursts: Vec<_> = notes.map(|(port, notes)| (*port, notes.clone())).collect();
        bursts.sort_unstable_by_key(|(port, _)| *port);
        bursts
    }

    fn directives_within(&self, function: &Function) -> Vec<TclDirective> {
        let mut names = vec![function.name.as_str()];
        list_callees(self.program, &function.body, &mut names);
        let own = self.directives.list.iter();
        own.filter(|one| names.contains(&one.function.as_str())).cloned().collect()
    }

    /// The schedule of a function as it was; what it left behind is there again.
    pub(super) fn recall_schedule(
        &mut self,
        before: &Before,
        run: &mut Activation<'a>,
    ) -> Option<Scheduled> {
        let recalled = lock(self.cache?).find(&before.question)?;
        if self.graph.nodes.len() + self.skipped + recalled.nodes >= super::NODES {
            return None;
        }
        let made = self.graph.nodes.len();
        for (at, storage) in &recalled.storages {
            self.storages[*at] = storage.clone();
        }
        self.storages.extend(recalled.own.iter().cloned());
        for (object, storage) in &recalled.bound {
            run.bound[*object] = Some(super::Bound { storage: *storage, prefix: Vec::new() });
        }
        self.counters.extend(recalled.counters.iter().cloned());
        self.modules.extend(recalled.modules.iter().cloned());
        self.loops.extend(recalled.loops.iter().cloned());
        self.regions.extend(recalled.regions.iter().cloned());
        self.burst_notes = recalled.bursts.iter().cloned().collect();
        self.varying.clone_from(&recalled.varying);
        self.bank_updates.extend(&recalled.bank_updates);
        self.alone = false;
        let block = self.begin_block();
        let flow = super::Flow::new(block, false);
        for (op, access, place, ty) in &recalled.accesses {
            let mut node = Self::blank(*op, *ty, &flow, *place);
            node.access = Some(access.clone());
            self.graph.add(node);
        }
        if !recalled.written.is_empty() {
            let written =
                self.graph.add(Self::blank(Op::Input, Scalar::INT, &flow, Place::default()));
            self.calls_after.extend(recalled.written.iter().map(|storage| (*storage, written)));
        }
        let again = self.graph.nodes.len() - made;
        self.skipped += recalled.nodes.saturating_sub(again);
        Some(recalled.scheduled.clone())
    }

    /// Keeps the schedule of a function, unless it did more than can be recalled.
    pub(super) fn remember_schedule(
        &mut self,
        before: Before,
        run: &Activation<'a>,
        scheduled: &Scheduled,
    ) {
        let Some(cache) = &self.cache else { return };
        let question = before.question;
        let (_, storages, counters, modules) = question.numbers;
        let own = &self.storages[storages..];
        let is_plain = !self.full
            && !self.opened
            && self.unknown == question.unknown
            && self.global_storages.len() == before.globals
            && scheduled.traffic.is_empty()
            && own.iter().all(|one| !one.is_static)
            && self.stored.is_empty()
            && self.around.iter().eq(question.around.iter().map(|one| &one.0));
        if !is_plain {
            return;
        }
        let mut accesses: Vec<(Op, MemoryAccess, Place, Scalar)> = Vec::new();
        for node in &self.graph.nodes[before.nodes..] {
            let Some(access) = node.access.as_ref().filter(|_| !node.dead) else { continue };
            let has_bus = self.storages[access.storage].bus.is_some();
            if !has_bus || !matches!(node.op, Op::Load | Op::Store) {
                continue;
            }
            if access.storage >= storages {
                return;
            }
            let is_known = accesses.iter().any(|(op, other, place, _)| {
                *op == node.op && *place == node.place && other.storage == access.storage
            });
            if !is_known {
                accesses.push((node.op, access.clone(), node.place, node.ty));
            }
        }
        let bound = run.bound.iter().enumerate().filter_map(|(object, bound)| {
            let bound = bound.as_ref()?;
            question.bound[object].is_none().then_some((object, bound.storage))
        });
        let mut written: Vec<usize> = self.calls_after.keys().copied().collect();
        written.sort_unstable();
        let recalled = Recalled {
            scheduled: scheduled.clone(),
            storages: question
                .storages
                .iter()
                .map(|(at, _)| (*at, self.storages[*at].clone()))
                .collect(),
            own: own.to_vec(),
            bound: bound.collect(),
            counters: self.counters[counters..].to_vec(),
            modules: self.modules[modules..].to_vec(),
            loops: self.loops[before.loops..].to_vec(),
            regions: self.regions[before.regions..].to_vec(),
            bursts: self.list_bursts(),
            accesses,
            written,
            varying: self.varying.clone(),
            bank_updates: self.bank_updates.clone(),
            nodes: self.graph.nodes.len() + self.skipped - before.counted,
            question,
        };
        lock(cache).keep(recalled);
    }
}

/// The functions that statements call, with those that these call.
fn list_callees<'a>(program: &'a Program, body: &'a [Stmt], names: &mut Vec<&'a str>) {
    for stmt in body {
        match stmt {
            Stmt::Loop(item) => list_callees(program, &item.body, names),
            Stmt::If(_, then, otherwise) => {
                list_callees(program, then, names);
                list_callees(program, otherwise, names);
            }
            Stmt::Call(call) => {
                let Some(callee) = program.functions.get(call.function) else { continue };
                if !names.contains(&callee.name.as_str()) {
                    names.push(&callee.name);
                    list_callees(program, &callee.body, names);
                }
            }
            _ => {}
        }
    }
}
