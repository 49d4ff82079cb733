//! LUT of operations that are not shared, as the tool's table of expressions has them.

use super::counter::Level;
use crate::engine::Engine;
use crate::graph::{Node, NodeId, Op, Value};
use crate::operators::operand_type;
use derate_program::Binary;

/// What a counter is built of.
pub(super) struct CounterArea {
    pub(super) lut: f64,
    /// Choices between two.
    pub(super) choices: f64,
    /// Bits of registers.
    pub(super) bits: f64,
}

impl Engine<'_> {
    /// LUT of an operation that has no unit of its own.
    pub(crate) fn logic_of(&self, id: NodeId) -> f64 {
        let node = self.graph.node(id);
        let width = f64::from(node.width);
        if operand_type(node).is_float() {
            return match node.op {
                Op::Select => width,
                Op::Unary(_) => 1.0,
                Op::Binary(Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual) => {
                    self.number_tests_lut(node)
                }
                _ => 0.0,
            };
        }
        // A sum or a comparison has a carry chain: its width and seven more.
        let chain = |bits: f64| bits + 7.0;
        match node.op {
            Op::Select | Op::Unary(_) | Op::Binary(Binary::And | Binary::Or | Binary::Xor) => {
                width.max(2.0)
            }
            Op::Binary(Binary::Add | Binary::Sub) => chain(width),
            Op::Binary(Binary::Equal | Binary::NotEqual | Binary::Less | Binary::LessEqual) => {
                let bits = node.inputs.iter().map(|input| self.width(*input)).max().unwrap_or(1);
                self.comparison_lut(f64::from(bits))
            }
            Op::Binary(Binary::ShiftLeft | Binary::ShiftRight) => {
                if node.inputs.get(1).is_some_and(|by| by.whole().is_some()) {
                    0.0
                } else {
                    width * 3.2
                }
            }
            Op::Binary(Binary::Mul) => match node.inputs.iter().find_map(|input| input.whole()) {
                Some(value) if value.unsigned_abs().count_ones() <= 1 => 0.0,
                Some(_) if !node.inputs.iter().any(|input| self.is_wide(*input)) => chain(width),
                _ => 0.0,
            },
            _ => 0.0,
        }
    }

    /// What a counter is built of. In a flattened nest, one more counts the iterations of each loop with those in it.
    pub(super) fn counter_area(
        &self,
        node: &Node,
        live: &[NodeId],
        is_pipelined: bool,
    ) -> CounterArea {
        let bits = self.counted_bits(node);
        let chain = |bits: f64| bits + 7.0;
        let step = chain(bits);
        // A bound has a sign.
        let test = self.comparison_lut(bits + 1.0);
        let level = self.counter_level(node);
        if !is_pipelined || level == Level::Alone {
            let choices = if is_pipelined { 2.0 } else { 1.0 };
            return CounterArea { lut: step + test, choices, bits };
        }
        let nodes = || live.iter().map(|id| self.graph.node(*id));
        let counters = || nodes().filter(|node| node.op == Op::Counter);
        let inner =
            |own: &&Node| level == Level::Outermost || self.counter_level(own) != Level::Outermost;
        let all: f64 = counters().filter(inner).map(|node| self.counted_bits(node)).sum();
        match level {
            Level::Outermost => CounterArea {
                lut: step + bits + chain(all) + self.comparison_lut(all + 1.0),
                choices: 3.0,
                bits: bits + all,
            },
            Level::Between => CounterArea {
                lut: step + 2.0 * bits + chain(all) + all + self.comparison_lut(all + 1.0),
                choices: 2.0,
                bits: bits + all,
            },
            _ => CounterArea { lut: step + test + bits, choices: 1.0, bits },
        }
    }

    /// Bits of a counter: it also has the value that ends the loop.
    fn counted_bits(&self, node: &Node) -> f64 {
        let reached = node.linear.as_ref().and_then(|linear| {
            let (low, high) = self.range(linear)?;
            let step = linear.terms.first().map_or(1, |term| term.1.unsigned_abs());
            let most = low.unsigned_abs().max(high.unsigned_abs()).saturating_add(step);
            Some(f64::from(u64::BITS - most.leading_zeros() + u32::from(low < 0)))
        });
        reached.map_or(f64::from(node.width), |bits| bits.min(f64::from(node.ty.bits())))
    }

    /// A comparison of floating point is false for what is not a number: exponent and mantissa of both sides are looked at, and
    /// these tests are not shared as the comparison is.
    fn number_tests_lut(&self, node: &Node) -> f64 {
        let (exponent, mantissa) = match operand_type(node).bits() {
            ..=16 => (5.0, 10.0),
            17..=32 => (8.0, 23.0),
            _ => (11.0, 52.0),
        };
        let sides = node.inputs.iter().filter(|input| !matches!(input, Value::Constant(_)));
        let each = self.comparison_lut(exponent) + self.comparison_lut(mantissa) + 2.0;
        #[allow(clippy::cast_precision_loss)]
        let sides = sides.count() as f64;
        sides * each + 2.0
    }

    /// Reports up to 2022.2 have 8, 11, 13, 20 and 29 for 2, 8, 16, 32 and 64 bits; from 2023.2 on a carry chain.
    fn comparison_lut(&self, bits: f64) -> f64 {
        if self.settings.tool >= (2023, 1) { bits + 7.0 } else { 8.0 + 0.35 * bits }
    }

    fn is_wide(&self, value: Value) -> bool {
        self.width(value) > 18
    }
}
