//! Counters that wrap: `i = (i + 1) % n`.

use super::work::Work;
use crate::engine::Engine;
use crate::graph::{CarriedEdge, NodeId, Op, Value};
use derate_program::Binary;

/// Conversions that are followed.
const STEPS: usize = 4;

impl Engine<'_> {
    /// Gives the divider of such a counter the bits of the constant that it divides by: the compiler sees that the counter stays below
    /// it. Its start is taken to be below it, too. Without that, a divider has a cycle for each of 32 bits (`urem_32ns_16ns_16_36`), and
    /// with it few (`urem_5ns_4ns_3_9`).
    pub(super) fn narrow_wrapped(&self, work: &mut Work, carried: &[CarriedEdge]) {
        for edge in carried.iter().filter(|edge| edge.is_value) {
            let Some((at, bits)) = self.find_wrapped(edge) else { continue };
            let Some(position) = work.position.get(&at) else { continue };
            let timing = &mut work.timing[*position];
            timing.latency = timing.latency.min(bits + 3);
        }
    }

    /// The division of a counter that wraps, and the bits of its dividend.
    fn find_wrapped(&self, edge: &CarriedEdge) -> Option<(NodeId, u32)> {
        let at = self.behind_conversions(Value::Node(edge.from))?;
        let node = self.graph.node(at);
        let (Op::Binary(Binary::Rem), [above, by]) = (node.op, node.inputs.as_slice()) else {
            return None;
        };
        let by = by.whole().filter(|by| *by > 0)?;
        let above = self.behind_conversions(*above)?;
        let sum = self.graph.node(above);
        let step = match (sum.op, sum.inputs.as_slice()) {
            _ if above == edge.to => 0,
            (Op::Binary(Binary::Add), [one, other]) => {
                let is_it = |value: &Value| self.behind_conversions(*value) == Some(edge.to);
                if is_it(one) { other.whole()? } else { one.whole().filter(|_| is_it(other))? }
            }
            _ => return None,
        };
        // Below 0 an unsigned counter is large.
        if step < 0 {
            return None;
        }
        let most = u128::try_from(by.checked_add(step)?).ok()?;
        Some((at, u128::BITS - most.leading_zeros()))
    }

    /// What a value is converted from.
    pub(super) fn behind_conversions(&self, value: Value) -> Option<NodeId> {
        let mut at = value.node()?;
        for _ in 0..STEPS {
            let node = self.graph.node(at);
            match (node.op, node.inputs.as_slice()) {
                (Op::Convert, [inner]) => at = inner.node()?,
                _ => break,
            }
        }
        Some(at)
    }
}
