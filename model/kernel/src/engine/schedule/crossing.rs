//! Registers of values that one block of a function leaves to another.

use crate::engine::Engine;
use crate::graph::{NodeId, Op, Value};

impl Engine<'_> {
    /// A loop looks at its bounds each time: what they are computed of is kept as long as it runs.
    pub(crate) fn keep_bounds(&mut self, bounds: impl IntoIterator<Item = Value>) {
        self.usage.from_outside.extend(bounds.into_iter().filter_map(Value::node));
    }

    /// Notes that the nodes from this one on are of a function that was called.
    pub(crate) fn note_called(&mut self, from: NodeId) {
        // A function has those that it calls within.
        self.called.retain(|range| range.start < from);
        self.called.push(from..self.graph.next_id());
    }

    /// Whether a node is of a function that was called: what it computes has its registers there.
    pub(crate) fn is_called(&self, id: NodeId) -> bool {
        let before = self.called.partition_point(|range| range.start <= id);
        before.checked_sub(1).is_some_and(|at| self.called[at].contains(&id))
    }

    /// Counts the values that a block loads and another one of the function whose first node this is reads. Each has one register,
    /// however many blocks read it. Addresses and sums of counters are made anew where they are needed, or are among the weights
    /// of counters; what a loop or a call leaves is there, and a function that is recalled does not say what it left.
    pub(crate) fn count_crossing(&mut self, first: NodeId) {
        let mut values = std::mem::take(&mut self.usage.from_outside);
        let mut kept = std::mem::take(&mut self.usage.kept);
        values.sort_unstable();
        values.dedup();
        kept.sort_unstable();
        let is_left = |id: &NodeId| {
            let is_source = self.graph.node(*id).op == Op::Load;
            is_source && *id >= first && !self.is_called(*id) && kept.binary_search(id).is_err()
        };
        let bits = values.iter().filter(|id| is_left(id));
        let bits: f64 = bits.map(|id| f64::from(self.graph.node(*id).width)).sum();
        self.usage.crossing += bits;
    }
}
