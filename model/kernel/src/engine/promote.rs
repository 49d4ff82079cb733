//! Elements that stay in a register for the whole loop.

use super::Engine;
use crate::graph::{BlockId, CarriedEdge, Cut, Linear, NodeId, Op, REGISTERS, Symbol, Value};
use std::collections::BTreeMap;

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
        let called = self.list_written_by_calls(block);
        for id in &self.graph.blocks[block as usize] {
            let node = self.graph.node(*id);
            if let (false, Some(access)) = (node.dead, &node.access)
                && self.is_memory(access.storage)
                && !called.contains(&access.storage)
            {
                groups.entry(access.storage).or_default().push(*id);
            }
        }
        let (mut loads_out, mut stores_out) = (Vec::new(), Vec::new());
        // Moved out of a single loop, the loads of several elements need ports at once.
        let mut elements: Vec<Vec<NodeId>> = Vec::new();
        for (storage, nodes) in &groups {
            let index =
                |id: NodeId| self.graph.node(id).access.as_ref().map(|access| &access.index);
            let same = nodes.iter().all(|id| index(*id) == index(nodes[0]));
            if is_nest {
                // What no loop of the nest changes is read before it.
                loads_out.extend(self.read_before(nodes, nest));
            } else if !same {
                let moved = self.read_before(nodes, counters);
                let is_moved = !moved.is_empty();
                loads_out.extend(moved);
                let is_free = self.storages[*storage].ports.0 >= REGISTERS
                    || self.has_own_banks(*storage, nodes);
                if is_moved || !is_free {
                    continue;
                }
            }
            // In a nest only what is stored becomes a carried value.
            let is_stored = || nodes.iter().any(|id| self.graph.node(*id).op == Op::Store);
            if self.has_fixed_index(nodes[0], counters) && (!is_nest || is_stored()) {
                elements.extend(self.elements_of(nodes));
            }
        }
        for nodes in &elements {
            let guarded = nodes
                .iter()
                .rev()
                .find(|id| self.graph.node(**id).op == Op::Store)
                .is_some_and(|id| self.graph.node(*id).guard.is_some());
            if guarded {
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

    /// Whether each element that is accessed has a bank to itself, always the same one: `a[8 * i]`, `a[8 * i + 1]` of an array
    /// that is cut cyclically by eight. A report of 2019.1 keeps eight such sums in registers.
    fn has_own_banks(&self, storage: usize, nodes: &[NodeId]) -> bool {
        let storage = &self.storages[storage];
        let dims = storage.cuts.iter().zip(&storage.dims);
        let cuts: Vec<Cut> =
            dims.filter(|(cut, length)| cut.banks(**length) > 1).map(|(cut, _)| *cut).collect();
        let mut banks: BTreeMap<Vec<(u64, u64)>, &[Linear]> = BTreeMap::new();
        !cuts.is_empty()
            && nodes.iter().all(|id| {
                let Some(access) = &self.graph.node(*id).access else { return false };
                let bank = storage.bank(&access.index, &|_| None).0;
                let is_known = bank
                    .iter()
                    .zip(&cuts)
                    .all(|(part, cut)| matches!(cut, Cut::Cyclic(factor) if *factor == part.0));
                let index = access.index.as_slice();
                is_known && *banks.entry(bank).or_insert(index) == index
            })
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

    /// Whether no iteration changes the index of a node. It holds for all elements of [`Self::elements_of`] or for none: their
    /// indices differ in constants alone.
    fn has_fixed_index(&self, id: NodeId, counters: &[u32]) -> bool {
        let node = self.graph.node(id);
        let index = node.access.as_ref().map_or(&[][..], |access| access.index.as_slice());
        index.iter().flat_map(|part| &part.terms).all(|(symbol, _)| match symbol {
            Symbol::Counter(counter) => !counters.contains(counter),
            Symbol::Opaque(from) => self.graph.node(*from).block != node.block,
        })
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
}
