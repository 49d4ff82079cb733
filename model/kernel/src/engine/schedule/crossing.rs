//! Registers of values that one block of a function leaves to another.

use crate::engine::Engine;
use crate::graph::{NodeId, Op, Value};

impl Engine<'_> {
    /// A loop looks at its bounds each time: what they are computed of is kept as long as it runs.
    pub(crate) fn keep_bounds(&mut self, bounds: impl IntoIterator<Item = Value>) {
        self.usage.from_outside.extend(bounds.into_iter().filter_map(Value::node));
    }

    /// Counts the values that a block reads of another one of the function whose first node this is: what was loaded, what a
    /// loop or a call left. Each has one register, however many blocks read it. Addresses and sums of counters are made anew
    /// where they are needed, or are among the weights of counters.
    pub(crate) fn count_crossing(&mut self, first: NodeId) {
        let mut values = std::mem::take(&mut self.usage.from_outside);
        let mut kept = std::mem::take(&mut self.usage.kept);
        values.sort_unstable();
        values.dedup();
        kept.sort_unstable();
        let is_left = |id: &NodeId| {
            let is_source = matches!(self.graph.node(*id).op, Op::Input | Op::Load);
            is_source && *id >= first && kept.binary_search(id).is_err()
        };
        let bits = values.iter().filter(|id| is_left(id));
        let bits: f64 = bits.map(|id| f64::from(self.graph.node(*id).width)).sum();
        self.usage.crossing += bits;
    }
}
