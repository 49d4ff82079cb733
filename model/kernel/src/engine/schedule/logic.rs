//! LUT of operations that are not shared, as the tool's table of expressions has them.

use crate::engine::Engine;
use crate::graph::{NodeId, Op, Value};
use crate::operators::operand_type;
use derate_program::Binary;

impl Engine<'_> {
    /// LUT of an operation that has no unit of its own.
    pub(crate) fn logic_of(&self, id: NodeId) -> f64 {
        let node = self.graph.node(id);
        let width = f64::from(node.width);
        if operand_type(node).is_float() {
            return match node.op {
                Op::Select => width,
                Op::Unary(_) => 1.0,
                _ => 0.0,
            };
        }
        // A sum or a comparison has a carry chain: its width and seven more.
        let chain = |bits: f64| bits + 7.0;
        match node.op {
            // The step and the test of a counter.
            Op::Counter => chain(width) + self.comparison_lut(width),
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

    /// Reports up to 2022.2 have 8, 11, 13, 20 and 29 for 2, 8, 16, 32 and 64 bits; from 2023.2 on a carry chain.
    fn comparison_lut(&self, bits: f64) -> f64 {
        if self.settings.tool >= (2023, 1) { bits + 7.0 } else { 8.0 + 0.35 * bits }
    }

    fn is_wide(&self, value: Value) -> bool {
        self.width(value) > 18
    }
}
