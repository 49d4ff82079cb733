//! What a module is built of: operators, registers, ports, states.

use super::Slots;
use crate::engine::Engine;
use crate::graph::{AccessForm, Linear, Node, NodeId, Op, Value};
use crate::operators::{Unit, unit};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Iterations of a pipeline from which on a value is kept in a shift register.
const SHIFTED: f64 = 3.0;

/// What a module and those in it are built of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// Operators that are shared between states.
    pub(crate) units: BTreeMap<Unit, u64>,
    /// Operations that these operators do.
    pub(crate) bound: BTreeMap<Unit, u64>,
    /// LUT of logic that is not shared.
    pub(crate) expressions: f64,
    /// Bits that are kept between states.
    pub(crate) registers: f64,
    /// Values that go round a loop: each chooses between its first value and the next.
    pub(crate) carried: f64,
    /// Choices between two that counters and the control of pipelines make.
    pub(crate) choices: f64,
    /// Inputs of the choices of the next state.
    pub(crate) state_inputs: f64,
    /// States of the state machine.
    pub(crate) states: f64,
    /// Iterations that pipelines have in hand at once.
    pub(crate) overlaps: f64,
    /// Pipelines.
    pub(crate) pipelines: f64,
    /// What is asked of each storage.
    pub(crate) accesses: BTreeMap<usize, Accesses>,
    /// Values that are kept in shift registers.
    pub(crate) delays: f64,
    /// Bits of words in which an access finds its lane by a shift.
    pub(crate) shifts: f64,
    /// Values of other blocks that its blocks use, until their function is done.
    pub(crate) from_outside: Vec<NodeId>,
    /// Values that are counted among the registers of their own block, until their function is done.
    pub(crate) kept: Vec<NodeId>,
    /// Bits that one block of a function leaves to another.
    pub(crate) crossing: f64,
    /// Bits of counters of loops that are not pipelined.
    pub(crate) outer_counters: f64,
    /// The modules in it, by name. What calls them has them too.
    pub(crate) modules: BTreeMap<String, Arc<Usage>>,
    /// Whether these modules run at the same time.
    pub(crate) is_parallel: bool,
}

/// What is asked of a storage.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accesses {
    /// At different times or places.
    pub(crate) reads: f64,
    pub(crate) writes: f64,
    /// In each dimension the banks that let the busiest block run.
    pub(crate) banks: Vec<u64>,
    /// How many there are of each form, and in how many blocks.
    pub(crate) forms: BTreeMap<AccessForm, (f64, f64)>,
}

impl Accesses {
    fn join(&mut self, other: &Self) {
        for (form, count) in &other.forms {
            let own = self.forms.entry(form.clone()).or_default();
            *own = (own.0 + count.0, own.1 + count.1);
        }
        self.reads += other.reads;
        self.writes += other.writes;
        self.banks.resize(self.banks.len().max(other.banks.len()), 1);
        for (own, banks) in self.banks.iter_mut().zip(&other.banks) {
            *own = (*own).max(*banks);
        }
    }
}

fn add<K: Ord + Copy>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, count) in from {
        *to.entry(*key).or_default() += count;
    }
}

impl Usage {
    /// Another block of the same module: operators are shared, logic is not.
    pub(crate) fn join(&mut self, other: &Self) {
        for (unit, count) in &other.units {
            let own = self.units.entry(*unit).or_default();
            *own = (*own).max(*count);
        }
        self.add_parts(other);
        self.from_outside.extend_from_slice(&other.from_outside);
        self.kept.extend_from_slice(&other.kept);
        for (name, usage) in &other.modules {
            self.modules.insert(name.clone(), Arc::clone(usage));
        }
    }

    fn add_parts(&mut self, other: &Self) {
        add(&mut self.bound, &other.bound);
        self.expressions += other.expressions;
        self.registers += other.registers;
        self.carried += other.carried;
        self.choices += other.choices;
        self.state_inputs += other.state_inputs;
        self.states += other.states;
        self.overlaps += other.overlaps;
        self.pipelines += other.pipelines;
        self.delays += other.delays;
        self.shifts += other.shifts;
        self.crossing += other.crossing;
        self.outer_counters += other.outer_counters;
        for (storage, accesses) in &other.accesses {
            self.accesses.entry(*storage).or_default().join(accesses);
        }
    }

    /// All modules together. Modules that take turns share the operators of floating point: their parent has them, and
    /// lends them out. Reports of 2022.1 and 2025.1 count as many as the module that needs most.
    pub(crate) fn total(&self) -> Self {
        let mut total = Self { modules: BTreeMap::new(), ..self.clone() };
        for module in self.modules.values() {
            let module = module.total();
            for (unit, count) in &module.units {
                let own = total.units.entry(*unit).or_default();
                *own = match unit {
                    Unit::IntMul(..)
                    | Unit::MulAdd(..)
                    | Unit::LogicIntMul(..)
                    | Unit::IntDiv(_)
                    | Unit::StagedDiv(_) => *own + count,
                    _ if self.is_parallel => *own + count,
                    _ => (*own).max(*count),
                };
            }
            total.add_parts(&module);
        }
        total
    }

    /// Counts the states of a block, or of a pipeline with this interval and so many stages.
    #[allow(clippy::cast_precision_loss)]
    fn count_states(&mut self, interval: Option<i64>, states: f64) {
        let Some(ii) = interval else {
            self.states = states;
            self.state_inputs = states;
            return;
        };
        self.states = (ii as f64).min(states) + 1.0;
        self.overlaps = (states / ii as f64).ceil();
        self.pipelines = 1.0;
        // Whether it is done; and, from the second iteration on, whether that one runs.
        self.choices += if self.overlaps > 1.0 { 2.0 } else { 1.0 };
        self.state_inputs = if ii > 1 { ii as f64 + 1.0 } else { 0.0 };
    }

    /// A process of a dataflow region: it runs beside the others.
    pub(crate) fn add_process(&mut self, process: Self) {
        self.is_parallel = true;
        self.modules.insert(format!("process {}", self.modules.len()), Arc::new(process));
    }

    /// How many modules are in it, at every depth.
    pub(crate) fn count_modules(&self) -> usize {
        self.modules.values().map(|module| 1 + module.count_modules()).sum()
    }
}

impl Engine<'_> {
    /// Counts a block that is not pipelined.
    pub(crate) fn count_block(&mut self, live: &[NodeId], slots: Slots<'_>) {
        let usage = self.usage_of(live, slots, None, &HashSet::default());
        self.usage.join(&usage);
    }

    /// What nodes need where they were put; with an interval, cycles repeat. Those in `fast` have the adder in logic.
    pub(crate) fn usage_of(
        &self,
        live: &[NodeId],
        slots: Slots<'_>,
        interval: Option<i64>,
        fast: &HashSet<NodeId>,
    ) -> Usage {
        let mut usage = Usage::default();
        let mut busy: HashMap<(Unit, i64), u64> = HashMap::default();
        let mut last: HashMap<NodeId, i64> = HashMap::default();
        let mut places = HashSet::default();
        last.reserve(live.len());
        places.reserve(live.len() / 2);
        let mut length = 0;
        let inner = self.nest_counters(live);
        let updated = self.updated_places(live);
        let added = self.find_added_products(live);
        let split = self.find_split_counters(live);
        // A call waits in one state, however long it takes.
        let mut cycles = BTreeSet::new();
        for id in live {
            let node = self.graph.node(*id);
            let Some(slot) = slots(*id) else { continue };
            length = length.max(slot.end + 1);
            let end = if matches!(node.op, Op::Call(_)) { slot.start + 1 } else { slot.end };
            if interval.is_none() {
                cycles.extend(slot.start..=end.min(slot.start.saturating_add(256)));
            }
            for input in node.inputs.iter().chain(&node.guard) {
                let Value::Node(input) = input else { continue };
                if self.graph.node(*input).block == node.block {
                    let used = last.entry(*input).or_default();
                    *used = (*used).max(slot.start);
                } else {
                    usage.from_outside.push(*input);
                }
            }
            if let Some(unit) =
                unit(node, &|value| self.width(value)).filter(|_| !split.contains(id))
            {
                let unit = match unit {
                    Unit::FloatAdd(bits) if fast.contains(id) => Unit::FastAdd(bits),
                    Unit::IntMul(wide, narrow) if added.contains(id) => Unit::MulAdd(wide, narrow),
                    // One that takes a new pair before the last quotient is there.
                    Unit::IntDiv(bits) if interval.is_some_and(|ii| ii < i64::from(bits)) => {
                        Unit::StagedDiv(bits)
                    }
                    other => other,
                };
                let cycle = interval.map_or(slot.start, |ii| slot.start.rem_euclid(ii));
                let count = busy.entry((unit, cycle)).or_default();
                *count += 1;
                let most = usage.units.entry(unit).or_default();
                *most = (*most).max(*count);
                *usage.bound.entry(unit).or_default() += 1;
            }
            usage.expressions += self.logic_of(*id);
            if let Op::Call(module) = node.op {
                let module = &self.modules[module as usize];
                usage.from_outside.extend_from_slice(&module.from_outside);
                usage.modules.insert(module.name.clone(), Arc::clone(&module.usage));
            }
            self.count_carried(node, live, interval.is_some(), &mut usage);
            if let Some(access) = &node.access
                && places.insert((access.storage, node.op == Op::Store, slot.start, &access.index))
            {
                let own = usage.accesses.entry(access.storage).or_default();
                let write = matches!(node.op, Op::Store | Op::Push);
                usage.shifts +=
                    self.storages[access.storage]
                        .shifted_bits(access, write, &|index| self.range(index));
                let values = self.count_values(&access.index, &inner);
                let place = (access.storage, access.index.as_slice());
                let update = write && interval.is_some() && updated.contains(&place);
                let form = AccessForm { steps: access.steps(), values, write, update };
                let form = own.forms.entry(form).or_insert((0.0, 1.0));
                form.0 += 1.0;
                match node.op {
                    Op::Store | Op::Push => own.writes += 1.0,
                    _ => own.reads += 1.0,
                }
            }
        }
        if interval.is_none() {
            self.share_late(live, slots, &mut usage);
        }
        match interval {
            None => self.count_registers(live, slots, &last, &mut usage),
            Some(ii) => {
                self.count_delays(live, slots, &last, ii, &mut usage);
                self.count_banks(live, &mut usage);
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let states = if interval.is_some() { length as f64 } else { cycles.len().max(1) as f64 };
        usage.count_states(interval, states);
        usage
    }

    /// Counts what goes round a loop.
    fn count_carried(&self, node: &Node, live: &[NodeId], is_pipelined: bool, usage: &mut Usage) {
        match node.op {
            Op::Carried => {
                usage.carried += 1.0;
                usage.registers += f64::from(node.width);
            }
            Op::Counter => {
                let own = self.counter_area(node, live, is_pipelined);
                usage.choices += own.choices;
                usage.registers += own.bits;
                usage.outer_counters += if is_pipelined { 0.0 } else { own.bits };
                usage.expressions += own.lut;
            }
            _ => {}
        }
    }

    /// Counts what keeps values in a pipeline with this interval.
    #[allow(clippy::cast_precision_loss)]
    fn count_delays(
        &self,
        live: &[NodeId],
        slots: Slots<'_>,
        last: &HashMap<NodeId, i64>,
        interval: i64,
        usage: &mut Usage,
    ) {
        for id in live {
            let node = self.graph.node(*id);
            let (Some(slot), Some(used)) = (slots(*id), last.get(id)) else { continue };
            let cycles = (used - slot.end).max(0);
            if cycles > 0 && !matches!(node.op, Op::Input) {
                let copies = (cycles as f64 / interval as f64).ceil();
                if copies < SHIFTED {
                    usage.registers += f64::from(node.width) * copies;
                } else {
                    // The first of them is a register by itself.
                    usage.registers += f64::from(node.width);
                    usage.delays += 1.0;
                }
            }
        }
    }

    /// The elements that a block reads and writes, of storages of which it reads no others: a register beside the memory keeps
    /// what was stored last only where nothing else is read after the store.
    fn updated_places(&self, live: &[NodeId]) -> HashSet<(usize, &[Linear])> {
        let places = |op: Op| {
            let nodes =
                live.iter().map(|id| self.graph.node(*id)).filter(move |node| node.op == op);
            let accesses = nodes.filter_map(|node| node.access.as_ref());
            accesses.map(|access| (access.storage, access.index.as_slice())).collect()
        };
        let mut written: HashSet<_> = places(Op::Store);
        if written.is_empty() {
            return written;
        }
        let read: HashSet<_> = places(Op::Load);
        let others: HashSet<usize> = read.difference(&written).map(|place| place.0).collect();
        written.retain(|place| read.contains(place) && !others.contains(&place.0));
        written
    }
}
