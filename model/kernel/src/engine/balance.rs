//! Sums as trees: the tool reorders sums of whole numbers, and of floating point where it is allowed to.

use super::Engine;
use crate::graph::{BlockId, NodeId, Op, Value};
use derate_program::{Binary, Scalar};
use std::collections::{BTreeMap, HashMap, HashSet};

impl Engine<'_> {
    /// Turns chains of additions in a block into trees.
    pub(crate) fn balance(&mut self, block: BlockId) {
        let nodes = self.graph.blocks[block as usize].clone();
        let mut uses: HashMap<NodeId, u32> = HashMap::new();
        for id in &nodes {
            let node = self.graph.node(*id);
            if node.dead {
                continue;
            }
            for input in node.inputs.iter().chain(&node.guard) {
                if let Value::Node(input) = input {
                    *uses.entry(*input).or_default() += 1;
                }
            }
        }
        let mut inner: HashSet<NodeId> = HashSet::new();
        let mut chains: Vec<(NodeId, Vec<NodeId>, Vec<Value>)> = Vec::new();
        for root in nodes.iter().rev() {
            if inner.contains(root) || !self.is_sum(*root) {
                continue;
            }
            let (mut sums, mut leaves) = (vec![*root], Vec::new());
            let mut open = self.graph.node(*root).inputs.clone();
            while let Some(value) = open.pop() {
                match value {
                    Value::Node(id)
                        if self.is_sum(id)
                            && self.graph.node(id).block == block
                            && self.graph.node(id).ty == self.graph.node(*root).ty
                            && uses.get(&id) == Some(&1)
                            && !self.kept.contains(&id)
                            && sums.len() < 4096 =>
                    {
                        inner.insert(id);
                        sums.push(id);
                        open.extend(self.graph.node(id).inputs.iter().copied());
                    }
                    leaf => leaves.push(leaf),
                }
            }
            if leaves.len() > 2 {
                chains.push((*root, sums, leaves));
            }
        }
        if chains.is_empty() {
            return;
        }
        let levels = self.levels(&nodes);
        let place: HashMap<NodeId, usize> =
            nodes.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        for (_, mut sums, leaves) in chains {
            sums.sort_unstable_by_key(|id| place[id]);
            self.rebuild(&sums, leaves, &levels);
        }
        self.sort_block(block);
    }

    fn is_sum(&self, id: NodeId) -> bool {
        let node = self.graph.node(id);
        let float = node.ty.is_float();
        !node.dead
            && node.op == Op::Binary(Binary::Add)
            && node.operand.is_none_or(|operand| operand == node.ty)
            && (self.settings.unsafe_math && float || matches!(node.ty, Scalar::Int { .. }))
    }

    /// When each value is ready, in cycles, all starting at once; carried values come last.
    fn levels(&self, nodes: &[NodeId]) -> HashMap<NodeId, i64> {
        let mut levels: HashMap<NodeId, i64> = HashMap::new();
        for id in nodes {
            let node = self.graph.node(*id);
            let before = node
                .inputs
                .iter()
                .filter_map(|input| levels.get(&input.node()?).copied())
                .max()
                .unwrap_or(0);
            let timing = self.node_timing(*id);
            let own = match node.op {
                Op::Carried => 1 << 40,
                Op::Load if self.stored.contains(&self.key_of_access(*id)) => 1 << 40,
                _ => i64::from(timing.latency) * 10 + i64::from(timing.after > 0.0),
            };
            // A choice between what is carried and another value is a value like others.
            let before = if node.op == Op::Select { before % (1 << 40) } else { before };
            levels.insert(*id, before + own);
        }
        levels
    }

    /// A text for the element that a node accesses.
    pub(crate) fn key_of_access(&self, id: NodeId) -> (usize, Vec<crate::graph::Linear>) {
        let access = self.graph.node(id).access.as_ref();
        access.map(|access| (access.storage, access.index.clone())).unwrap_or_default()
    }

    fn rebuild(&mut self, sums: &[NodeId], leaves: Vec<Value>, levels: &HashMap<NodeId, i64>) {
        let latency = i64::from(self.node_timing(sums[0]).latency) * 10 + 1;
        let mut queue: BTreeMap<(i64, usize), Value> = BTreeMap::new();
        for (at, leaf) in leaves.into_iter().enumerate() {
            let level = leaf.node().and_then(|id| levels.get(&id).copied()).unwrap_or(0);
            queue.insert((level, at), leaf);
        }
        let mut at = queue.len();
        // The root keeps its number: what uses the sum stays as it is.
        for sum in sums {
            let Some((first, left)) = queue.pop_first() else { return };
            let Some((second, right)) = queue.pop_first() else { return };
            self.graph.node_mut(*sum).inputs = vec![left, right];
            at += 1;
            queue.insert((first.0.max(second.0) + latency, at), Value::Node(*sum));
        }
    }

    /// Puts the nodes of a block into an order in which inputs come first.
    fn sort_block(&mut self, block: BlockId) {
        let nodes = self.graph.blocks[block as usize].clone();
        let members: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut waiting: HashMap<NodeId, usize> = HashMap::new();
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for id in &nodes {
            let node = self.graph.node(*id);
            let inputs = node.inputs.iter().chain(&node.guard).filter_map(|input| input.node());
            let before = inputs.chain(node.after.iter().map(|after| after.0));
            let mut count = 0;
            for input in before.filter(|input| members.contains(input)) {
                users.entry(input).or_default().push(*id);
                count += 1;
            }
            waiting.insert(*id, count);
        }
        let mut ready: std::collections::BTreeSet<NodeId> =
            nodes.iter().copied().filter(|id| waiting[id] == 0).collect();
        let mut sorted = Vec::with_capacity(nodes.len());
        while let Some(id) = ready.pop_first() {
            sorted.push(id);
            for user in users.remove(&id).unwrap_or_default() {
                if let Some(count) = waiting.get_mut(&user) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(user);
                    }
                }
            }
        }
        if sorted.len() == nodes.len() {
            self.graph.blocks[block as usize] = sorted;
        }
    }
}
