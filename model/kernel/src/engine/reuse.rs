//! A register beside a memory: what a pipeline stored last is taken from it, not read back.

use super::Engine;
use crate::graph::{BlockId, CarriedEdge, Implementation, NodeId, Op, Value};
use derate_operators::Timing;
use std::collections::BTreeMap;

/// From this version on the tool keeps the address and the value of the last store: RTL of 2022.2 has `reuse_addr_reg`,
/// `reuse_reg` and `reuse_select`.
pub(crate) const REUSES: (u16, u16) = (2022, 2);

impl Engine<'_> {
    /// The timing of a choice: it is in the cycle in which the memory answers.
    pub(super) fn choice_timing(&self, storage: usize) -> Timing {
        let read = match self.storages[storage].implementation {
            Implementation::Lutram => "load_lutram",
            Implementation::Uram => "load_uram",
            _ => "load_bram",
        };
        let select = self.settings.delay("select");
        Timing { latency: 0, before: select, after: self.settings.delay(read) + select }
    }

    /// Where the one store of a block may write what the next iteration reads, a choice between the memory and the register
    /// follows each of these reads. Memory itself has the value an iteration later.
    pub(super) fn reuse_stores(&mut self, block: BlockId, carried: &mut Vec<CarriedEdge>) {
        if self.settings.tool < REUSES {
            return;
        }
        let mut near: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
        for (at, edge) in carried.iter().enumerate() {
            if !edge.is_value && edge.distance == 1 {
                near.entry(edge.from).or_default().push(at);
            }
        }
        for (store, edges) in near {
            let Some(value) = self.reused_value(block, store) else { continue };
            for at in edges {
                let load = carried[at].to;
                let choice = self.choose_after(block, load);
                carried[at].distance = 2;
                // The value that is stored may be what the iteration before stored.
                let from = if value == load { choice } else { value };
                carried.push(CarriedEdge { from, to: choice, distance: 1, is_value: true });
            }
        }
    }

    /// What a store writes, if it is the only one to its memory in the block, and nothing reads it after it.
    fn reused_value(&self, block: BlockId, store: NodeId) -> Option<NodeId> {
        let node = self.graph.node(store);
        let number = node.access.as_ref()?.storage;
        let storage = &self.storages[number];
        let kept = matches!(storage.implementation, Implementation::Bus);
        if kept || node.guard.is_some() || node.op != Op::Store {
            return None;
        }
        let mut after = false;
        for id in &self.graph.blocks[block as usize] {
            let other = self.graph.node(*id);
            let same = other.access.as_ref().is_some_and(|access| access.storage == number);
            match other.op {
                Op::Store if same && !other.dead && *id != store => return None,
                Op::Load if same && !other.dead && after => return None,
                _ => {}
            }
            after |= *id == store;
        }
        node.inputs.first()?.node()
    }

    /// The choice after a load: all that used the load uses it.
    fn choose_after(&mut self, block: BlockId, load: NodeId) -> NodeId {
        let from = self.graph.node(load).clone();
        let mut node = from.clone();
        node.op = Op::Select;
        node.operand = None;
        node.inputs.clear();
        node.guard = None;
        node.after = vec![(load, i64::from(self.node_timing(load).latency))];
        node.access = None;
        let choice = self.graph.add_after(load, node);
        for id in self.graph.blocks[block as usize].clone() {
            if id == choice {
                continue;
            }
            let user = self.graph.node_mut(id);
            for input in user.inputs.iter_mut().chain(&mut user.guard) {
                if *input == Value::Node(load) {
                    *input = Value::Node(choice);
                }
            }
        }
        self.env.replace(Value::Node(load), Value::Node(choice));
        if let Some(access) = &from.access {
            self.reused.insert(choice, access.storage);
        }
        choice
    }
}
