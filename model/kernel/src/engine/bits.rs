//! Some bits of a number, written and read: wires, where it is known which bits they are.

use super::{Engine, Flow};
use crate::graph::{Op, Value};
use derate_program::{Binary, Number, Place, Scalar};

/// Writes that are looked at for a read.
const WRITTEN: usize = 256;

impl Engine<'_> {
    /// A number after some of its bits are written: the number before, what is written, the lowest bit, how many bits.
    pub(super) fn insert_bits(
        &mut self,
        inputs: &[Value],
        ty: Scalar,
        flow: &Flow,
        place: Place,
    ) -> Option<Value> {
        let [old, part, low, width] = inputs else { return None };
        let bits = |value: &Value| u16::try_from(value.whole()?).ok();
        let range = bits(low).zip(bits(width));
        if let Some((0, width)) = range
            && width >= ty.bits()
        {
            let written = Scalar::Int { bits: width, signed: false };
            return Some(self.convert(*part, written, ty, flow, place));
        }
        // Bits beyond the number are none.
        let range = range.filter(|(low, width)| low.saturating_add(*width) <= ty.bits());
        let mut node = Self::blank(Op::Insert(range), ty, flow, place);
        node.inputs = vec![*old, *part];
        node.inputs.extend(Some(*low).filter(|_| range.is_none()));
        Some(self.pure(node))
    }

    /// Bits of a number some of which were written: what was written to these bits, or the number before others were written.
    pub(super) fn written_bits(
        &mut self,
        value: Value,
        (from, to): (Scalar, Scalar),
        flow: &Flow,
        place: Place,
    ) -> Option<Value> {
        let Scalar::Int { bits, signed: false } = to else { return None };
        let node = self.graph.node(value.node()?);
        let (whole, low) = match (node.op, node.inputs.as_slice()) {
            (Op::Binary(Binary::ShiftRight), [whole, by]) => {
                (*whole, u16::try_from(by.whole()?).ok()?)
            }
            (Op::Insert(_), _) => (value, 0),
            _ => return None,
        };
        // Above the number is its sign, which is a bit that may be written.
        if from.is_signed() && low.saturating_add(bits) > from.bits() {
            return None;
        }
        let mut before = whole;
        for _ in 0..WRITTEN {
            let Value::Node(id) = before else { break };
            let node = self.graph.node(id);
            let Op::Insert(Some((first, width))) = node.op else { break };
            if (first, width) == (low, bits) {
                return Some(node.inputs[1]);
            }
            let ends = |first: u16, width: u16| u32::from(first) + u32::from(width);
            if ends(first, width) > low.into() && ends(low, bits) > first.into() {
                break;
            }
            before = node.inputs[0];
        }
        (before != whole).then(|| {
            let by = Value::Constant(Number::Int(low.into()));
            let shifted = self.binary(Binary::ShiftRight, [before, by], from, from, flow, place);
            self.convert(shifted, from, to, flow, place)
        })
    }
}
