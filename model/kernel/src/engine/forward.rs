//! Values that a load has from a store before it in the same iteration.

use super::Engine;
use crate::graph::{BlockId, Op, Symbol};

impl Engine<'_> {
    /// What the innermost loop leaves at one element stays in a register: a load of it does not wait for the store before.
    pub(crate) fn forward_fixed(&mut self, block: BlockId, innermost: u32) {
        for id in self.graph.blocks[block as usize].clone() {
            let node = self.graph.node(id);
            let Some(access) = node.access.as_ref().filter(|_| node.op == Op::Load) else {
                continue;
            };
            let varies =
                access.index.iter().flat_map(|part| &part.terms).any(|(symbol, _)| match symbol {
                    Symbol::Counter(counter) => *counter == innermost,
                    Symbol::Opaque(node) => self.graph.node(*node).block == block,
                });
            if varies || node.after.is_empty() {
                continue;
            }
            let key = self.key_of_access(id);
            let after = node.after.iter().copied();
            let kept = after.filter(|before| self.key_of_access(before.0) != key).collect();
            self.graph.node_mut(id).after = kept;
        }
    }
}
