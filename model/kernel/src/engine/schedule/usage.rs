//! What a module is built of: operators, registers and logic.

use super::Slot;
use crate::engine::Engine;
use crate::graph::{NodeId, Op, Value};
use crate::ir::Binary;
use crate::operators::{Unit, operand_type, unit};
use std::collections::{BTreeMap, HashMap};

/// What a module and those in it are built of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    /// Operators that are shared between states.
    pub(crate) units: BTreeMap<Unit, u64>,
    /// Bits that are kept between states.
    pub(crate) registers: f64,
    /// LUT of logic that is not shared.
    pub(crate) logic: f64,
    /// States, for the state machine.
    pub(crate) states: f64,
    /// The modules in it, by name.
    pub(crate) modules: BTreeMap<String, Usage>,
}

impl Usage {
    /// Another block of the same module: operators are shared, logic is not.
    pub(crate) fn join(&mut self, other: &Self) {
        for (unit, count) in &other.units {
            let own = self.units.entry(*unit).or_default();
            *own = (*own).max(*count);
        }
        self.registers += other.registers;
        self.logic += other.logic;
        self.states += other.states;
        for (name, usage) in &other.modules {
            self.modules.insert(name.clone(), usage.clone());
        }
    }

    /// All modules together.
    pub(crate) fn total(&self) -> Self {
        let mut total = Self { modules: BTreeMap::new(), ..self.clone() };
        for module in self.modules.values() {
            let module = module.total();
            for (unit, count) in &module.units {
                *total.units.entry(*unit).or_default() += count;
            }
            total.registers += module.registers;
            total.logic += module.logic;
            total.states += module.states;
        }
        total
    }
}

impl Engine<'_> {
    /// Counts a block that is not pipelined.
    pub(crate) fn count_block(&mut self, live: &[NodeId], slots: &HashMap<NodeId, Slot>) {
        let usage = self.usage_of(live, slots, None);
        self.usage.join(&usage);
    }

    /// What nodes need where they were put; with an interval, cycles repeat.
    pub(crate) fn usage_of(
        &self,
        live: &[NodeId],
        slots: &HashMap<NodeId, Slot>,
        interval: Option<i64>,
    ) -> Usage {
        let mut usage = Usage::default();
        let mut busy: BTreeMap<(Unit, i64), u64> = BTreeMap::new();
        let mut last: HashMap<NodeId, i64> = HashMap::new();
        let mut length = 0;
        for id in live {
            let node = self.graph.node(*id);
            let Some(slot) = slots.get(id) else { continue };
            length = length.max(slot.end + 1);
            for input in node.inputs.iter().chain(&node.guard) {
                if let Value::Node(input) = input {
                    let used = last.entry(*input).or_default();
                    *used = (*used).max(slot.start);
                }
            }
            if let Some(unit) = unit(node, &|value| self.width(value)) {
                let cycle = interval.map_or(slot.start, |ii| slot.start.rem_euclid(ii));
                *busy.entry((unit, cycle)).or_default() += 1;
            }
            usage.logic += self.logic_of(*id);
            if let Op::Call(module) = node.op {
                let module = &self.modules[module as usize];
                usage.modules.insert(module.name.clone(), module.usage.clone());
            }
        }
        for ((unit, _), count) in busy {
            let most = usage.units.entry(unit).or_default();
            *most = (*most).max(count);
        }
        for id in live {
            let node = self.graph.node(*id);
            let (Some(slot), Some(used)) = (slots.get(id), last.get(id)) else { continue };
            let cycles = (used - slot.end).max(0);
            if cycles > 0 && !matches!(node.op, Op::Input) {
                #[allow(clippy::cast_precision_loss)]
                let copies = match interval {
                    Some(ii) => (cycles as f64 / ii as f64).ceil(),
                    None => 1.0,
                };
                usage.registers += f64::from(node.width) * copies.min(64.0);
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let states = length as f64;
        usage.states = states.min(4096.0);
        usage
    }

    fn logic_of(&self, id: NodeId) -> f64 {
        let node = self.graph.node(id);
        let width = f64::from(node.width);
        if operand_type(node).is_float() {
            return match node.op {
                Op::Select => width / 2.0,
                Op::Unary(_) => 1.0,
                _ => 0.0,
            };
        }
        match node.op {
            Op::Select
            | Op::Binary(Binary::Add | Binary::Sub | Binary::And | Binary::Or | Binary::Xor) => {
                width
            }
            Op::Binary(Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual) => {
                let bits = node.inputs.iter().map(|input| self.width(*input)).max().unwrap_or(1);
                f64::from(bits) / 2.0 + 2.0
            }
            Op::Binary(Binary::ShiftLeft | Binary::ShiftRight) => {
                if node.inputs.get(1).is_some_and(|by| by.whole().is_some()) {
                    0.0
                } else {
                    width * 2.5
                }
            }
            Op::Binary(Binary::Mul) => {
                let constant = node.inputs.iter().find_map(|input| input.whole());
                match constant {
                    Some(value) if value.unsigned_abs().count_ones() <= 1 => 0.0,
                    Some(_) => width,
                    None => 0.0,
                }
            }
            Op::Unary(_) => width / 2.0,
            _ => 0.0,
        }
    }
}
