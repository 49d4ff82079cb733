//! Operations that no iteration of a loop changes: they are done once before it.

use super::{Engine, Flow};
use crate::graph::{BlockId, CarriedEdge, Node, NodeId, Op, Value};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeSet;

/// Operations that a loop takes as values from before it.
#[derive(Debug, Default)]
pub(crate) struct MovedOperations {
    /// What each of them was, in the order in which they are computed.
    list: Vec<(NodeId, Node)>,
    /// Those of them, and of the loads that are done before the loop, that nothing in the loop uses.
    inner: HashSet<NodeId>,
}

impl MovedOperations {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The registers that a loop does not change: those that were there before it, but for the ones that its body assigns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unchanged<'s> {
    /// Storages that were there before the loop.
    pub(crate) storages: usize,
    pub(crate) assigned: &'s BTreeSet<usize>,
}

impl Unchanged<'_> {
    fn has(&self, storage: usize) -> bool {
        storage < self.storages && !self.assigned.contains(&storage)
    }
}

impl Engine<'_> {
    /// Makes values from outside of the operations of a block on loads that are done before the loop, if their other operands
    /// are from outside, too: values of other blocks, and registers that the loop does not change.
    ///
    /// The loop is looked at as it is after loops in it are unrolled: in `for j: for k: s[j] += a * x[k] * y[k][j]` with the
    /// inner loop unrolled, `a * x[k]` is the same for each `j`.
    pub(crate) fn take_out_invariants(
        &mut self,
        (block, nest): (BlockId, usize),
        loads: &[NodeId],
        unchanged: Unchanged<'_>,
        carried: &[CarriedEdge],
    ) -> MovedOperations {
        // In a nest the loads change with the loops around; only what is done with loads is taken out.
        if nest > 1 || loads.is_empty() {
            return MovedOperations::default();
        }
        let called = self.list_written_by_calls(block);
        let is_input = |id: &NodeId| {
            let node = self.graph.node(*id);
            let is_called = node.access.as_ref().is_some_and(|one| called.contains(&one.storage));
            node.op == Op::Input && !is_called
        };
        let registers = self.env.all().filter(|(key, _)| unchanged.has(key.0));
        let registers = registers.filter_map(|(_, value)| value.node());
        let mut fixed: HashSet<NodeId> =
            loads.iter().copied().chain(registers).filter(is_input).collect();
        let mut read: HashSet<NodeId> = loads.iter().copied().collect();
        let linked: HashSet<NodeId> =
            carried.iter().flat_map(|edge| [edge.from, edge.to]).collect();
        let mut list = Vec::new();
        for id in self.graph.blocks[block as usize].clone() {
            let inputs = &self.graph.node(id).inputs;
            let is_read =
                inputs.iter().filter_map(|value| value.node()).any(|one| read.contains(&one));
            if linked.contains(&id) || !is_read || !self.is_invariant(id, &fixed) {
                continue;
            }
            read.insert(id);
            let node = self.graph.node_mut(id);
            let blank = Node { op: Op::Input, inputs: Vec::new(), ..node.clone() };
            list.push((id, std::mem::replace(node, blank)));
            fixed.insert(id);
        }
        if list.is_empty() {
            return MovedOperations::default();
        }
        let mut inner: HashSet<NodeId> =
            list.iter().map(|(id, _)| *id).chain(loads.iter().copied()).collect();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            for used in node.inputs.iter().chain(&node.guard).filter_map(|value| value.node()) {
                inner.remove(&used);
            }
        }
        for edge in carried {
            inner.remove(&edge.from);
        }
        MovedOperations { list, inner }
    }

    /// The storages that modules of a block write: what is read of them may change in each iteration.
    pub(super) fn list_written_by_calls(&self, block: BlockId) -> BTreeSet<usize> {
        let nodes = self.graph.blocks[block as usize].iter();
        let modules = nodes.filter_map(|id| match self.graph.node(*id).op {
            Op::Call(module) => Some(&self.modules[module as usize]),
            _ => None,
        });
        modules.flat_map(|module| &module.writes).copied().collect()
    }

    /// Whether an operation has its operands from outside of its block, or from what is known to be fixed in it.
    fn is_invariant(&self, id: NodeId, fixed: &HashSet<NodeId>) -> bool {
        let node = self.graph.node(id);
        let is_pure = matches!(
            node.op,
            Op::Binary(_) | Op::Unary(_) | Op::Select | Op::Convert | Op::Math(_)
        );
        let is_outside =
            |from: NodeId| fixed.contains(&from) || self.graph.node(from).block != node.block;
        is_pure
            && node.ty.is_float()
            && !node.dead
            && node.after.is_empty()
            && node.guard.is_none()
            && node.inputs.iter().filter_map(|value| value.node()).all(is_outside)
    }

    /// Does such operations before the loop; `values` has the loads that are done there.
    pub(crate) fn do_before(
        &mut self,
        moved: &MovedOperations,
        mut values: HashMap<NodeId, Value>,
        flow: &Flow,
    ) {
        if moved.is_empty() {
            return;
        }
        for (id, from) in &moved.list {
            let mut node = Self::blank(from.op, from.ty, flow, from.place);
            (node.operand, node.binding, node.width) = (from.operand, from.binding, from.width);
            let value_of = |value: &Value| {
                value.node().and_then(|from| values.get(&from).copied()).unwrap_or(*value)
            };
            node.inputs = from.inputs.iter().map(value_of).collect();
            let value = self.pure(node);
            if let Value::Node(value) = value {
                self.kept.insert(value);
                self.pending.push(value);
            }
            values.insert(*id, value);
        }
        let is_inner = |id: &NodeId| moved.inner.contains(id);
        let (inner, used): (HashMap<NodeId, Value>, HashMap<NodeId, Value>) =
            values.into_iter().partition(|(id, _)| is_inner(id));
        let nodes = |values: HashMap<NodeId, Value>| -> HashSet<NodeId> {
            values.into_values().filter_map(Value::node).collect()
        };
        let (inner, used) = (nodes(inner), nodes(used));
        self.pending.retain(|id| used.contains(id) || !inner.contains(id));
    }
}
