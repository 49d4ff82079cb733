//! LUT and FF: how often each thing is there that costs some.

use super::memory::banks_of;
use crate::engine::{Accesses, Engine, REUSES, Usage};
use crate::graph::{AccessForm, Implementation, IndexValues, Storage};
use crate::operators::Unit;
use derate_operators::Settings;
use derate_operators::multiplexer_lut;
use derate_operators::{Counted, Weights};
use derate_program::ObjectKind;

/// From this version on reports have one choice for each register that a block may write at an index of the run. Older reports
/// with such arrays were not seen.
const KEEPS: (u16, u16) = (2025, 1);

/// How often each thing is there that costs LUT or FF.
#[derive(Clone, Debug, Default)]
pub(super) struct Logic {
    usage: Usage,
    modules: f64,
    /// Ports of memories that several accesses share.
    shared: f64,
    scalars: f64,
    buses: f64,
    /// LUT of choices of what a shared operator gets.
    operands: f64,
    /// LUT of choices of what elements in registers keep.
    elements: f64,
    /// LUT of choices between banks.
    choices: f64,
    /// LUT and FF of registers beside banks: what was stored last is taken from them, not read back.
    reuses: (f64, f64),
    /// Of the table of operators.
    unit_lut: f64,
    unit_ff: f64,
}

#[allow(clippy::cast_precision_loss)]
impl Logic {
    pub(super) fn of_engine(engine: &Engine<'_>, usage: Usage) -> Self {
        let mut logic = Self { modules: engine.usage.count_modules() as f64, ..Self::default() };
        for (at, storage) in engine.storages.iter().enumerate() {
            if storage.kind == ObjectKind::Scalar {
                logic.scalars += f64::from(u8::from(storage.is_top));
            } else if let Some(asked) = usage.accesses.get(&at) {
                logic.add_storage(storage, asked, engine.settings.tool);
            }
        }
        for (unit, count) in &usage.units {
            let bound = usage.bound.get(unit).copied().unwrap_or(0) as f64;
            let sides = match unit {
                Unit::IntMul(..)
                | Unit::MulAdd(..)
                | Unit::LogicIntMul(..)
                | Unit::IntDiv(_)
                | Unit::StagedDiv(_) => 0.0,
                Unit::FloatConvert => 1.0,
                _ => 2.0,
            };
            let count = *count as f64;
            logic.operands += sides * count * multiplexer_lut(bound / count.max(1.0));
            let (lut, ff) = unit_area(*unit, engine.settings);
            logic.unit_lut += lut * count;
            logic.unit_ff += ff * count;
        }
        logic.usage = usage;
        logic
    }

    /// What chooses among banks, and what comes to each of their ports.
    fn add_storage(&mut self, storage: &Storage, asked: &Accesses, tool: (u16, u16)) {
        if asked.reads + asked.writes <= 0.0 || storage.kind == ObjectKind::Stream {
            return;
        }
        if storage.implementation == Implementation::Bus {
            self.buses += 1.0;
            return;
        }
        let banks = banks_of(storage, &asked.banks);
        let all = banks.iter().fold(1.0, |all: f64, own| all * *own as f64).max(1.0);
        let words = storage.elements() as f64 / all;
        let (mut inputs, mut written, mut late) = (0.0, 0.0, 0.0);
        // One value of two: its bits, and two multiplexers of two inputs, in the module and in the one around it.
        let bits = f64::from(storage.ty.bits());
        let kept = bits + 2.0 * multiplexer_lut(2.0);
        for (form, (count, blocks)) in &asked.forms {
            let by_dimension = storage.ways(&banks, form);
            let ways = by_dimension.iter().fold(1.0, |all: f64, own| all * *own as f64);
            let reached = count * ways;
            // Where the bank is the element of a dimension, accesses of a block have the same address in all banks; they
            // reach no more banks than each has to choose from.
            let own = if ways > 1.0 && !form.write { reached.min(blocks * all) } else { reached };
            inputs += own;
            if form.update && ways > 1.0 && words > 1.0 && tool >= REUSES {
                // It takes the counters around for any number, too.
                let any = AccessForm { values: IndexValues::new(), ..form.clone() };
                let ways = storage.ways(&banks, &any);
                let ways = ways.iter().fold(1.0, |all: f64, own| all * *own as f64);
                let banks = (count * ways).min(blocks * all);
                self.reuses = (self.reuses.0 + banks * kept, self.reuses.1 + banks * bits);
            }
            if form.write && ways > 1.0 && words <= 1.0 && tool >= KEEPS {
                // Each register keeps what it has, or takes what is written.
                late += own.min(blocks * all);
            } else if form.write {
                written += own;
            } else if words > 1.0 {
                // An element of an array in registers is not chosen by a switch.
                self.choices += choices_lut(*count, *blocks, &banks, &by_dimension);
            }
        }
        if words <= 1.0 || storage.implementation == Implementation::Registers {
            self.elements += all * multiplexer_lut(1.0 + written / all) + late * kept;
            return;
        }
        let ports = all * f64::from(storage.ports.2.clamp(1, 2)).min((inputs / all).max(1.0));
        self.shared += ports * (inputs / ports - 1.0).clamp(0.0, 1.0);
    }

    /// How often each is there, by the name of its weight.
    pub(super) fn counts(&self) -> Vec<(Counted, f64)> {
        let usage = &self.usage;
        // A loop that is all there is needs no states around it.
        let is_alone = self.modules < 0.5 && (0.5..1.5).contains(&usage.pipelines);
        let idle = if is_alone { 2.0 } else { 0.0 };
        let mut counts = vec![
            (Counted::Start, 1.0),
            (Counted::Expression, usage.expressions),
            (Counted::Carried, usage.carried),
            (Counted::Pair, usage.choices),
            (Counted::StateInput, (usage.state_inputs - idle).max(0.0)),
            (Counted::Shared, self.shared),
            (Counted::Choice, self.choices),
            (Counted::ReuseLut, self.reuses.0),
            (Counted::ReuseFf, self.reuses.1),
            (Counted::Element, self.elements),
            (Counted::Operand, self.operands),
            (Counted::Module, self.modules),
            (Counted::Pipeline, usage.pipelines),
            (Counted::Overlap, usage.overlaps),
            (Counted::State, usage.states),
            (Counted::Scalar, self.scalars),
            (Counted::Bus, self.buses),
            (Counted::Register, usage.registers),
            (Counted::Delay, usage.delays),
            (Counted::Shift, usage.shifts),
            (Counted::Crossing, usage.crossing),
            (Counted::OuterCounter, usage.outer_counters),
            (Counted::UnitLut, self.unit_lut),
            (Counted::UnitFf, self.unit_ff),
        ];
        let units = usage.units.iter();
        counts.extend(units.filter_map(|(unit, count)| Some((unit_weight(*unit)?, *count as f64))));
        counts
    }

    /// What all of it costs.
    pub(super) fn cost(&self, weights: &Weights) -> f64 {
        self.counts().iter().map(|(counted, count)| weights.of(*counted) * count).sum()
    }
}

/// LUT of the choices between banks of reads, one dimension after the other: those of a block that come to the same banks of
/// the dimensions before share the choices of the next.
#[allow(clippy::cast_precision_loss)]
fn choices_lut(count: f64, blocks: f64, banks: &[u64], ways: &[u64]) -> f64 {
    let (mut reads, mut most, mut lut) = (count, blocks, 0.0);
    for (own, ways) in banks.iter().zip(ways) {
        lut += reads * multiplexer_lut(*ways as f64);
        most *= *own as f64;
        reads = (reads * *ways as f64).min(most.max(count));
    }
    lut
}

/// The weight of an operator beside the table's LUT and FF.
fn unit_weight(unit: Unit) -> Option<Counted> {
    Some(match unit {
        Unit::FloatDiv(33..) => Counted::Divide64,
        Unit::FloatCompare(_) => Counted::Compare,
        Unit::FloatConvert => Counted::Convert,
        _ => return None,
    })
}

/// LUT and FF of an operator.
fn unit_area(unit: Unit, settings: &Settings) -> (f64, f64) {
    let (kind, bits) = match unit {
        Unit::IntDiv(bits) => return settings.area().whole.divider(bits),
        Unit::StagedDiv(bits) => return settings.area().whole.staged_divider(bits),
        Unit::IntMul(wide, narrow) => {
            let cycles = settings.multiplier(wide, narrow).latency;
            return settings.area().whole.multiplier(wide, narrow, cycles);
        }
        Unit::LogicIntMul(wide, narrow) => {
            return settings.area().whole.logic_multiplier(wide, narrow);
        }
        Unit::FloatAdd(bits) => ("add", bits),
        Unit::FastAdd(bits) => ("fast_add", bits),
        Unit::FloatMul(bits) | Unit::FullDspMul(bits) => ("mul", bits),
        Unit::LogicMul(bits) => ("logic_mul", bits),
        Unit::FloatDiv(bits) => ("div", bits),
        Unit::FloatCompare(bits) => ("cmp", bits),
        Unit::Math(name, bits) => (name, bits),
        Unit::FloatConvert | Unit::MulAdd(..) => return (0.0, 0.0),
    };
    settings.unit_area(kind, bits)
}
