//! LUT and FF: how often each thing is there that costs some.

use super::memory::banks_of;
use super::multiplexer::multiplexer_lut;
use crate::area::Weights;
use crate::engine::{Accesses, Engine, REUSES, Usage};
use crate::graph::{AccessForm, Implementation, IndexValues, Storage};
use crate::operators::Unit;
use crate::settings::Settings;
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
    pub(super) fn counts(&self) -> Vec<(&'static str, f64)> {
        let usage = &self.usage;
        // A loop that is all there is needs no states around it.
        let is_alone = self.modules < 0.5 && (0.5..1.5).contains(&usage.pipelines);
        let idle = if is_alone { 2.0 } else { 0.0 };
        let mut counts = vec![
            ("start", 1.0),
            ("expression", usage.expressions),
            ("carried", usage.carried),
            ("pair", usage.choices),
            ("state_input", (usage.state_inputs - idle).max(0.0)),
            ("shared", self.shared),
            ("choice", self.choices),
            ("reuse_lut", self.reuses.0),
            ("reuse_ff", self.reuses.1),
            ("element", self.elements),
            ("operand", self.operands),
            ("module", self.modules),
            ("pipeline", usage.pipelines),
            ("overlap", usage.overlaps),
            ("state", usage.states),
            ("scalar", self.scalars),
            ("bus", self.buses),
            ("register", usage.registers),
            ("delay", usage.delays),
            ("shift", usage.shifts),
            ("unit_lut", self.unit_lut),
            ("unit_ff", self.unit_ff),
        ];
        let units = usage.units.iter();
        counts.extend(units.filter_map(|(unit, count)| {
            let (name, each) = unit_weight(*unit)?;
            Some((name, each * *count as f64))
        }));
        counts
    }

    /// What all of it costs.
    pub(super) fn cost(&self, weights: &Weights) -> f64 {
        self.counts().iter().map(|(name, count)| weights.of(name) * count).sum()
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

/// The weight of an operator beside the table's LUT and FF, and how many of it one is.
fn unit_weight(unit: Unit) -> Option<(&'static str, f64)> {
    Some(match unit {
        Unit::FloatDiv(33..) => ("divide64", 1.0),
        Unit::FloatCompare(_) => ("compare", 1.0),
        Unit::FloatConvert => ("convert", 1.0),
        Unit::LogicIntMul(wide, narrow) => {
            // Assumed: one row of adders for each bit of the narrower operand.
            ("unit_lut", f64::from(wide) * f64::from(narrow))
        }
        Unit::FloatAdd(_)
        | Unit::FastAdd(_)
        | Unit::FloatDiv(_)
        | Unit::FloatMul(_)
        | Unit::FullDspMul(_)
        | Unit::LogicMul(_)
        | Unit::Math(..)
        | Unit::IntMul(..)
        | Unit::MulAdd(..)
        | Unit::IntDiv(_)
        | Unit::StagedDiv(_) => return None,
    })
}

/// LUT and FF of an operator.
fn unit_area(unit: Unit, settings: &Settings) -> (f64, f64) {
    let (kind, bits) = match unit {
        // Reports from 2021.1 on have 238 LUT and 394 FF for 32 bits, and 353 and 586 for 48.
        Unit::IntDiv(bits) => return (7.4 * f64::from(bits), 12.2 * f64::from(bits)),
        // Reports from 2019.2 on have 1,738 LUT and 2,283 FF for 32 bits, 4,814 and 6,301 for 54, and 106 and 189 for 8.
        Unit::StagedDiv(bits) => {
            let bits = f64::from(bits);
            return (1.66 * bits * bits, 2.1 * bits * bits + 3.3 * bits);
        }
        Unit::IntMul(wide, narrow) => return multiplier_area(wide, narrow, settings),
        Unit::FloatAdd(bits) => ("add", bits),
        Unit::FastAdd(bits) => ("fast_add", bits),
        Unit::FloatMul(bits) | Unit::FullDspMul(bits) => ("mul", bits),
        Unit::LogicMul(bits) => ("logic_mul", bits),
        Unit::FloatDiv(bits) => ("div", bits),
        Unit::FloatCompare(bits) => ("cmp", bits),
        Unit::Math(name, bits) => (name, bits),
        Unit::FloatConvert | Unit::MulAdd(..) | Unit::LogicIntMul(..) => return (0.0, 0.0),
    };
    settings.unit_area(kind, bits)
}

/// LUT and FF of a multiplier of whole numbers. Reports of 2020.1 to 2024.1 have in one cycle 5 LUT up to 18 bits, 20 up to 32,
/// 45 for 64, and 41 for 8 bits without a slice; with registers 49 and 165 FF for 32 bits, and 178 and 361 for 64.
fn multiplier_area(wide: u16, narrow: u16, settings: &Settings) -> (f64, f64) {
    let stages = settings.multiplier(wide, narrow).latency;
    let (wide, narrow) = (f64::from(wide), f64::from(narrow));
    match stages {
        0 if wide * narrow <= 64.0 => (0.64 * wide * narrow, 0.0),
        0 if wide <= 18.0 => (5.0, 0.0),
        0 if wide <= 35.0 => (20.0, 0.0),
        0 => (45.0, 0.0),
        _ if wide <= 35.0 => (49.0, 165.0),
        _ => (178.0, 361.0),
    }
}
