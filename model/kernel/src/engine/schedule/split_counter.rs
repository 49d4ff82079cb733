//! Counters that are split into the subscripts of an array.

use crate::engine::Engine;
use crate::graph::{Linear, NodeId, Op, Symbol, Value};
use derate_program::Binary;
use rustc_hash::FxHashSet as HashSet;

impl Engine<'_> {
    /// Quotients and remainders of a counter by a length that are subscripts side by side, `a[i / n][i % n]` with `n` elements
    /// in a row, and nothing else: the element is the one that the counter counts, so nothing is divided. Copies of memory have
    /// them.
    pub(super) fn find_split_counters(&self, live: &[NodeId]) -> HashSet<NodeId> {
        let divided = |symbol: &Linear| {
            let [(Symbol::Opaque(id), 1)] = symbol.terms.as_slice() else { return None };
            let node = self.graph.node(*id);
            let Op::Binary(op @ (Binary::Div | Binary::Rem)) = node.op else { return None };
            let [Value::Node(of), by] = node.inputs.as_slice() else { return None };
            let is_counter = self.graph.node(*of).op == Op::Counter && symbol.constant == 0;
            Some((op, *of, by.whole().filter(|_| is_counter)?, *id))
        };
        let mut split = HashSet::default();
        for id in live {
            let node = self.graph.node(*id);
            let Some(access) = &node.access else { continue };
            let dims = &self.storages[access.storage].dims;
            for (at, pair) in access.index.windows(2).enumerate() {
                if let (Some(row), Some(column)) = (divided(&pair[0]), divided(&pair[1]))
                    && (row.0, column.0) == (Binary::Div, Binary::Rem)
                    && (row.1, row.2) == (column.1, column.2)
                    && dims.get(at + 1).is_some_and(|length| i128::from(*length) == row.2)
                {
                    split.extend([row.3, column.3]);
                }
            }
        }
        if split.is_empty() {
            return split;
        }
        for id in live {
            let node = self.graph.node(*id);
            let values = match node.op {
                Op::Load => 0,
                Op::Store => 1,
                _ => node.inputs.len(),
            };
            let used = node.inputs.iter().take(values).chain(&node.guard);
            for other in used.filter_map(|value| value.node()) {
                split.remove(&other);
            }
        }
        split
    }
}
