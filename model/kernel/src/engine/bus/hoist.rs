//! Elements behind a bus that no iteration moves on from: they are read once before the loop, and written once after.

use crate::engine::Engine;
use crate::graph::{BlockId, CarriedEdge, Linear, NodeId, Op, Symbol, Value};
use std::collections::BTreeMap;

/// Loads that are done before a loop, and stores after it.
pub(crate) type Moved = (Vec<NodeId>, Vec<NodeId>);

impl Engine<'_> {
    /// Keeps such elements in registers for a loop with these counters.
    pub(crate) fn hoist_bus_accesses(
        &mut self,
        block: BlockId,
        counters: &[u32],
        carried: &mut Vec<CarriedEdge>,
    ) -> Moved {
        let mut storages: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            let Some(access) = node.access.as_ref().filter(|_| !node.dead) else { continue };
            if self.storages[access.storage].bus.is_some()
                && matches!(node.op, Op::Load | Op::Store)
            {
                storages.entry(access.storage).or_default().push(*id);
            }
        }
        let mut moved = Moved::default();
        for nodes in storages.into_values() {
            if nodes.iter().all(|id| self.stays(*id, block, counters)) {
                self.hoist(nodes, carried, &mut moved);
            }
        }
        moved
    }

    /// Whether an access is to the same element in each iteration, and happens in each.
    fn stays(&self, id: NodeId, block: BlockId, counters: &[u32]) -> bool {
        let node = self.graph.node(id);
        let fixed = |part: &Linear| {
            part.terms.iter().all(|(symbol, _)| match symbol {
                Symbol::Counter(own) => !counters.contains(own),
                Symbol::Opaque(node) => self.graph.node(*node).block != block,
            })
        };
        let index = if node.op == Op::Store { &node.inputs[1..] } else { &node.inputs[..] };
        let known = index.iter().all(|value| self.linear(*value).is_some());
        let access = node.access.as_ref();
        node.guard.is_none() && known && access.is_some_and(|access| access.index.iter().all(fixed))
    }

    fn hoist(&mut self, nodes: Vec<NodeId>, carried: &mut Vec<CarriedEdge>, moved: &mut Moved) {
        let mut elements: BTreeMap<Vec<Linear>, (Vec<NodeId>, Vec<NodeId>)> = BTreeMap::new();
        for id in nodes {
            let node = self.graph.node(id);
            let Some(access) = &node.access else { continue };
            let element = elements.entry(access.index.clone()).or_default();
            if node.op == Op::Store { &mut element.1 } else { &mut element.0 }.push(id);
        }
        for (loads, stores) in elements.into_values() {
            let value = stores.last().and_then(|store| self.graph.node(*store).inputs.first());
            let value = value.copied().and_then(Value::node);
            for load in &loads {
                let node = self.graph.node_mut(*load);
                node.op = if stores.is_empty() { Op::Input } else { Op::Carried };
                node.inputs.clear();
                if let Some(from) = value {
                    carried.push(CarriedEdge { from, to: *load, distance: 1, is_value: true });
                }
            }
            self.kept.extend(value);
            for store in &stores {
                self.graph.node_mut(*store).dead = true;
            }
            moved.0.extend(loads.first());
            moved.1.extend(stores.last());
        }
    }
}
