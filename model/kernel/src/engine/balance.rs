//! Sums as trees: the tool reorders sums of whole numbers, and of floating point where it is allowed to.

mod heap;

use super::Engine;
use crate::graph::{BlockId, NodeId, Op, Value};
use derate_program::Binary;
use heap::Heap;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// The level of what an iteration before leaves: after all else.
const LATE: i64 = 1 << 40;

impl Engine<'_> {
    /// Turns chains of additions in a block into trees.
    pub(crate) fn balance(&mut self, block: BlockId) {
        let nodes = self.graph.blocks[block as usize].clone();
        let mut uses: HashMap<NodeId, u32> = HashMap::default();
        for id in self.live_nodes(block) {
            let node = self.graph.node(id);
            for input in node.inputs.iter().chain(&node.guard) {
                if let Value::Node(input) = input {
                    *uses.entry(*input).or_default() += 1;
                }
            }
        }
        let mut inner: HashSet<NodeId> = HashSet::default();
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
            && (self.settings.unsafe_math || !float)
    }

    /// When each value is ready, in cycles, all starting at once; carried values come last.
    fn levels(&self, nodes: &[NodeId]) -> HashMap<NodeId, i64> {
        let mut levels: HashMap<NodeId, i64> = HashMap::default();
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
                Op::Carried => LATE,
                Op::Load if self.is_stored(*id) => LATE,
                _ => i64::from(timing.latency) * 10 + i64::from(timing.after > 0.0),
            };
            // A choice between what is carried and another value is a value like others.
            let before = if node.op == Op::Select { before % LATE } else { before };
            levels.insert(*id, before + own);
        }
        levels
    }

    /// Whether the current block stores the element that a node reads.
    fn is_stored(&self, id: NodeId) -> bool {
        !self.stored.is_empty() && self.stored.contains(&self.key_of_access(id))
    }

    /// The element that a node accesses.
    pub(crate) fn key_of_access(&self, id: NodeId) -> (usize, Vec<crate::graph::Linear>) {
        let access = self.graph.node(id).access.as_ref();
        access.map(|access| (access.storage, access.index.clone())).unwrap_or_default()
    }

    /// Makes a tree of the leaves, which are there from the last to the first. The tool takes the two lowest subtrees
    /// from a heap and puts their sum back: which of equal ones it takes is the heap's doing. What is carried comes last.
    fn rebuild(&mut self, sums: &[NodeId], mut leaves: Vec<Value>, levels: &HashMap<NodeId, i64>) {
        leaves.reverse();
        let is_late = |leaf: &Value| {
            leaf.node().and_then(|id| levels.get(&id)).is_some_and(|level| *level >= LATE)
        };
        let (late, leaves): (Vec<Value>, Vec<Value>) = leaves.into_iter().partition(is_late);
        let mut heap = Heap::of_values(leaves);
        let mut late = late.into_iter();
        // The root keeps its number: what uses the sum stays as it is.
        for sum in sums {
            let next = heap.pop().or_else(|| late.next().map(|value| (0, value)));
            let Some((first, left)) = next else { return };
            let next = heap.pop().or_else(|| late.next().map(|value| (0, value)));
            let Some((second, right)) = next else { return };
            self.graph.node_mut(*sum).inputs = vec![left, right];
            heap.push((first.max(second) + 1, Value::Node(*sum)));
        }
    }

    /// Puts the nodes of a block into an order in which inputs come first.
    fn sort_block(&mut self, block: BlockId) {
        let nodes = self.graph.blocks[block as usize].clone();
        let members: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut waiting: HashMap<NodeId, usize> = HashMap::default();
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::default();
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
