//! Memory that an iteration leaves to later ones, and elements that stay in a register for the whole loop.

use super::Engine;
use super::meeting::Met;
use crate::graph::{BlockId, CarriedEdge, Linear, NodeId, Op, Symbol, Value};
use std::collections::BTreeMap;

/// Pairs of accesses that are compared in one block.
const PAIRS: usize = 400_000;

impl Engine<'_> {
    /// Turns elements that no iteration changes the index of into a carried value.
    /// Returns how many loads and stores are moved out of the loop.
    pub(crate) fn promote(
        &mut self,
        block: BlockId,
        nest: &[u32],
        carried: &mut Vec<CarriedEdge>,
    ) -> (Vec<NodeId>, Vec<NodeId>) {
        // In a nest the element changes with the loops around; it stays in a register for the innermost one.
        let counters = &nest[nest.len().saturating_sub(1)..];
        let is_nest = nest.len() > 1;
        let mut groups: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            if let (false, Some(access)) = (node.dead, &node.access)
                && self.is_memory(access.storage)
            {
                groups.entry(access.storage).or_default().push(*id);
            }
        }
        let (mut loads_out, mut stores_out) = (Vec::new(), Vec::new());
        // Moved out of a single loop, the loads of several elements need ports at once.
        let mut elements: Vec<Vec<NodeId>> = Vec::new();
        for (storage, nodes) in &groups {
            let key = self.key_of_access(nodes[0]);
            let same = nodes.iter().all(|id| self.key_of_access(*id) == key);
            if !is_nest && !same {
                let moved = self.read_before(nodes, counters);
                let is_moved = !moved.is_empty();
                loads_out.extend(moved);
                if is_moved || self.storages[*storage].ports.0 < 4096 {
                    continue;
                }
            }
            elements.extend(self.elements_of(nodes));
        }
        for nodes in &elements {
            let index = |id: NodeId| -> &[Linear] {
                self.graph.node(id).access.as_ref().map_or(&[], |access| access.index.as_slice())
            };
            let first = index(nodes[0]).to_vec();
            let fixed = first.iter().all(|part| {
                part.terms.iter().all(|(symbol, _)| match symbol {
                    Symbol::Counter(counter) => !counters.contains(counter),
                    Symbol::Opaque(node) => self.graph.node(*node).block != block,
                })
            });
            let guarded = nodes
                .iter()
                .rev()
                .find(|id| self.graph.node(**id).op == Op::Store)
                .is_some_and(|id| self.graph.node(*id).guard.is_some());
            if !fixed || guarded {
                continue;
            }
            let loads: Vec<NodeId> =
                nodes.iter().copied().filter(|id| self.graph.node(*id).op == Op::Load).collect();
            let stores: Vec<NodeId> =
                nodes.iter().copied().filter(|id| self.graph.node(*id).op == Op::Store).collect();
            if is_nest {
                if let ([load], [store]) = (loads.as_slice(), stores.as_slice()) {
                    let Some(value) = self.graph.node(*store).inputs.first().copied() else {
                        continue;
                    };
                    self.graph.node_mut(*load).op = Op::Carried;
                    if let Value::Node(from) = value {
                        carried.push(CarriedEdge { from, to: *load, distance: 1, is_value: true });
                    }
                }
                continue;
            }
            match (loads.as_slice(), stores.as_slice()) {
                // Read only: the value is there before the loop.
                ([load], []) => {
                    let node = self.graph.node_mut(*load);
                    node.op = Op::Input;
                    loads_out.push(*load);
                }
                ([load], [store]) => {
                    let Some(value) = self.graph.node(*store).inputs.first().copied() else {
                        continue;
                    };
                    self.graph.node_mut(*load).op = Op::Carried;
                    self.graph.node_mut(*load).inputs.clear();
                    self.graph.node_mut(*store).dead = true;
                    if let Value::Node(from) = value {
                        self.kept.insert(from);
                        carried.push(CarriedEdge { from, to: *load, distance: 1, is_value: true });
                    }
                    loads_out.push(*load);
                    stores_out.push(*store);
                }
                _ => {}
            }
        }
        (loads_out, stores_out)
    }

    /// Loads of a memory that nothing in the block writes, at an index that no iteration changes: they are done before.
    fn read_before(&mut self, nodes: &[NodeId], counters: &[u32]) -> Vec<NodeId> {
        let free = |id: &NodeId| {
            let node = self.graph.node(*id);
            let index = node.access.as_ref().map_or(&[][..], |access| access.index.as_slice());
            let terms = index.iter().flat_map(|part| &part.terms);
            let mut symbols = terms.map(|(symbol, _)| symbol);
            node.guard.is_none()
                && symbols.all(|symbol| match symbol {
                    Symbol::Counter(own) => !counters.contains(own),
                    Symbol::Opaque(from) => self.graph.node(*from).block != node.block,
                })
        };
        if nodes.iter().any(|id| self.graph.node(*id).op != Op::Load) {
            return Vec::new();
        }
        let moved: Vec<NodeId> = nodes.iter().copied().filter(|id| free(id)).collect();
        for id in &moved {
            self.graph.node_mut(*id).op = Op::Input;
        }
        moved
    }

    /// The accesses by element, if all of them are to elements that surely differ or are the same.
    fn elements_of(&self, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut elements: BTreeMap<&[Linear], Vec<NodeId>> = BTreeMap::new();
        for id in nodes {
            if let Some(access) = &self.graph.node(*id).access {
                elements.entry(access.index.as_slice()).or_default().push(*id);
            }
        }
        let like = |a: &[Linear], b: &[Linear]| {
            a.iter().zip(b).all(|(left, right)| left.terms == right.terms)
        };
        let mut shapes = elements.keys();
        let first = shapes.next().copied().unwrap_or_default();
        if shapes.all(|other| like(first, other)) {
            elements.into_values().collect()
        } else {
            Vec::new()
        }
    }

    /// Dependences of loads on stores of iterations before.
    pub(crate) fn carry_memory(
        &self,
        block: BlockId,
        counters: &[u32],
        free: &[String],
        carried: &mut Vec<CarriedEdge>,
    ) {
        let mut groups: BTreeMap<usize, (Vec<NodeId>, Vec<NodeId>)> = BTreeMap::new();
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            let Some(access) = &node.access else { continue };
            if node.dead || free.contains(&self.storages[access.storage].name) {
                continue;
            }
            let group = groups.entry(access.storage).or_default();
            match node.op {
                Op::Load => group.0.push(*id),
                Op::Store => group.1.push(*id),
                _ => {}
            }
        }
        let mut pairs = 0;
        for (loads, stores) in groups.values() {
            for store in stores {
                for load in loads {
                    pairs += 1;
                    if pairs > PAIRS {
                        return;
                    }
                    if let Some(distance) = self.distance(*store, *load, counters) {
                        let edge =
                            CarriedEdge { from: *store, to: *load, distance, is_value: false };
                        carried.push(edge);
                    }
                }
            }
        }
    }

    /// Iterations from a store to the load of the same element.
    fn distance(&self, store: NodeId, load: NodeId, counters: &[u32]) -> Option<u64> {
        let block = self.graph.node(store).block;
        let store = self.graph.node(store).access.as_ref()?;
        let load = self.graph.node(load).access.as_ref()?;
        // For each counter of the nest: by how much it differs, if that is settled.
        let mut differs: Vec<Option<i64>> = vec![None; counters.len()];
        let mut apart = 1;
        for (written, read) in store.index.iter().zip(&load.index) {
            let Some(difference) = written.minus(read) else { continue };
            let own = |linear: &Linear| -> Vec<(usize, i64)> {
                counters
                    .iter()
                    .enumerate()
                    .map(|(at, counter)| (at, linear.factor(Symbol::Counter(*counter))))
                    .filter(|term| term.1 != 0)
                    .collect()
            };
            let varies = |linear: &Linear| {
                linear.terms.iter().any(|(symbol, _)| match symbol {
                    Symbol::Counter(_) => false,
                    Symbol::Opaque(node) => self.graph.node(*node).block == block,
                })
            };
            if !difference.is_constant() || varies(written) {
                if let Some((low, high)) = self.range(&difference)
                    && (low > 0 || high < 0)
                    && (own(written).is_empty() || own(read).is_empty())
                {
                    return None;
                }
                let (last, around) = counters.split_last()?;
                match self.first_meeting((written, read), *last, around, block) {
                    Met::Never => return None,
                    Met::After(least) => apart = apart.max(least),
                    Met::Anywhere => {}
                }
                // The dimension says nothing else.
                continue;
            }
            match own(written).as_slice() {
                [] => {
                    if difference.constant != 0 {
                        return None;
                    }
                }
                [(at, factor)] => {
                    let unit = *factor;
                    if unit == 0 || difference.constant % unit != 0 {
                        return None;
                    }
                    let by = difference.constant / unit;
                    match differs[*at] {
                        Some(other) if other != by => return None,
                        _ => differs[*at] = Some(by),
                    }
                }
                _ => {
                    if difference.constant != 0 {
                        return Some(1);
                    }
                    for (at, _) in own(written) {
                        differs[at] = differs[at].or(Some(0));
                    }
                }
            }
        }
        let distance = self.flat_distance(&differs, counters)?.max(apart);
        let storage = &self.storages[store.storage];
        // Through a choice of banks the tool loses how far away the element is, not that it is met again. A choice that is
        // the same for both, and for the whole innermost loop, does no harm.
        let by =
            (store.index == load.index).then(|| counters.last().map(|at| Symbol::Counter(*at)));
        let late = |index: &[Linear]| storage.is_chosen_late(index, by.flatten());
        let is_lost = late(&store.index) && late(&load.index);
        Some(if is_lost { 1 } else { distance })
    }

    /// The least positive number of iterations of the nest with these differences.
    fn flat_distance(&self, differs: &[Option<i64>], counters: &[u32]) -> Option<u64> {
        let mut inside = vec![1.0; counters.len()];
        for at in (0..counters.len().saturating_sub(1)).rev() {
            inside[at] =
                inside[at + 1] * self.counters[counters[at + 1] as usize].trip.most.max(1.0);
        }
        let mut total = 0.0;
        let mut free = None;
        for (at, by) in differs.iter().enumerate() {
            match by {
                #[allow(clippy::cast_precision_loss)]
                Some(by) => total += *by as f64 * inside[at],
                None if self.counters[counters[at] as usize].trip.most > 1.0 => free = Some(at),
                None => {}
            }
        }
        if total <= 0.0 {
            // The innermost counter that is free makes it positive.
            total += inside[free?];
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (total > 0.0).then_some(total as u64)
    }
}
