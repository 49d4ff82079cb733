//! LUT and FF: how often each thing that costs some is there, times what it costs.

use crate::area::Weights;
use crate::engine::{Engine, Usage};
use crate::graph::Implementation;
use crate::operators::Unit;
use derate_program::ObjectKind;

/// How often each thing is there that costs LUT or FF.
#[derive(Clone, Debug, Default)]
pub(super) struct Logic {
    usage: Usage,
    modules: f64,
    ports: f64,
    scalars: f64,
    buses: f64,
    /// In words of 32 bits.
    reads: f64,
    operands: f64,
}

/// LUT of a choice between this many inputs, as the tool's table of multiplexers has them.
fn choice(inputs: f64) -> f64 {
    if inputs < 2.0 { 0.0 } else { 9.0 + 5.4 * (inputs - 2.0) }
}

#[allow(clippy::cast_precision_loss)]
impl Logic {
    pub(super) fn of_engine(engine: &Engine<'_>, usage: Usage) -> Self {
        let mut logic = Self { modules: engine.usage.count_modules() as f64, ..Self::default() };
        for (at, storage) in engine.storages.iter().enumerate() {
            if storage.kind == ObjectKind::Scalar {
                logic.scalars += f64::from(u8::from(storage.is_top));
                continue;
            }
            let asked = usage.accesses.get(&at).cloned().unwrap_or_default();
            if asked.reads + asked.writes > 0.0
                && storage.implementation != Implementation::Registers
            {
                logic.reads += asked.reads * f64::from(storage.ty.bits()) / 32.0;
                logic.ports += f64::from(u8::from(storage.is_top));
                logic.buses += f64::from(u8::from(storage.implementation == Implementation::Bus));
            }
        }
        for (unit, count) in &usage.units {
            let bound = usage.bound.get(unit).copied().unwrap_or(0) as f64;
            let sides = match unit {
                Unit::IntMul(..) | Unit::IntDiv(_) => 0.0,
                Unit::FloatConvert => 1.0,
                _ => 2.0,
            };
            logic.operands += sides * *count as f64 * choice(bound / (*count).max(1) as f64);
        }
        logic.usage = usage;
        logic
    }

    /// What all of it costs.
    pub(super) fn cost(&self, weights: &Weights) -> f64 {
        let usage = &self.usage;
        let units: f64 =
            usage.units.iter().map(|(unit, count)| unit_cost(*unit, *count as f64, weights)).sum();
        units
            + weights.start
            + weights.expression * usage.expressions
            + weights.carried * usage.carried
            + weights.choice * usage.choices
            + weights.module * self.modules
            + weights.pipeline * usage.pipelines
            + weights.port * self.ports
            + weights.scalar * self.scalars
            + weights.read * self.reads
            + weights.register * usage.registers
            + weights.delay * usage.delays
            + weights.shift * usage.shifts
            + weights.state * usage.states
            + weights.operand * self.operands
            + weights.bus * self.buses
    }
}

fn unit_cost(unit: Unit, count: f64, weights: &Weights) -> f64 {
    let by_width = |bits: u16, costs: [f64; 3]| match bits {
        ..=16 => costs[0],
        17..=32 => costs[1],
        _ => costs[2],
    };
    let each = match unit {
        Unit::FloatAdd(bits) => by_width(bits, [weights.add16, weights.add32, weights.add64]),
        Unit::FloatMul(bits) => by_width(bits, [weights.mul16, weights.mul32, weights.mul64]),
        Unit::FloatDiv(bits) => by_width(bits, [weights.div32, weights.div32, weights.div64]),
        Unit::FloatCompare(bits) => {
            by_width(bits, [weights.compare32, weights.compare32, weights.compare64])
        }
        Unit::FloatConvert => weights.convert,
        Unit::Math(_, bits) => by_width(bits, [weights.math32, weights.math32, weights.math64]),
        // The tool shares a divider before it has many.
        Unit::IntDiv(bits) => return weights.divider * f64::from(bits) * count.min(4.0),
        Unit::IntMul(..) => 0.0,
    };
    each * count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_costs_what_the_table_of_multiplexers_says() {
        assert!(choice(1.0).abs() < 1e-9);
        assert!((choice(2.0) - 9.0).abs() < 1e-9);
        // Reports have 14 or 15.
        assert!((choice(3.0) - 14.4).abs() < 1e-9);
    }
}
