//! A store before a loop and the store at the end of its iterations that become one, at the start of an iteration.

use crate::engine::reuse::REUSES;
use crate::engine::{Engine, Flow};
use crate::graph::{BlockId, CarriedEdge, NodeId, Op, Symbol, Value};
use rustc_hash::FxHashMap as HashMap;

impl Engine<'_> {
    /// Joins the store of a fixed element in a loop with that before the loop, where the loop reads other elements, too: the
    /// element cannot stay in a register alone. The value goes round in a register, each iteration first stores it, and then
    /// reads the others. RTL of 2022.2 has `storemerge` registers for it. Returns the load that the register replaces.
    pub(super) fn merge_stores(
        &mut self,
        block: BlockId,
        counter: u32,
        flow: &Flow,
        carried: &mut Vec<CarriedEdge>,
    ) -> Option<NodeId> {
        if self.settings.tool < REUSES {
            return None;
        }
        let (load, store, others) = self.fixed_pair(block, counter)?;
        self.known_element(load, flow, &mut HashMap::default())?;
        let stored = self.graph.node(store).inputs.first()?.node()?;
        let node = self.graph.node_mut(load);
        node.op = Op::Carried;
        node.inputs.clear();
        self.kept.insert(stored);
        // It is chosen between what is stored before the loop and what an iteration leaves.
        self.restarted.insert(load);
        carried.push(CarriedEdge { from: stored, to: load, distance: 1, is_value: true });
        if let Some(value) = self.graph.node_mut(store).inputs.first_mut() {
            *value = Value::Node(load);
        }
        self.graph.node_mut(store).after.clear();
        self.graph.move_after(load, store);
        for other in others {
            self.graph.node_mut(other).after.push((store, 1));
        }
        Some(load)
    }

    /// The load and the store of the only element of a memory that a block stores to, which no iteration changes, and the
    /// loads of other elements of it.
    fn fixed_pair(&self, block: BlockId, counter: u32) -> Option<(NodeId, NodeId, Vec<NodeId>)> {
        let nodes = &self.graph.blocks[block as usize];
        let is_store = |id: &NodeId| {
            let node = self.graph.node(*id);
            node.op == Op::Store && !node.dead
        };
        let mut stores = nodes.iter().copied().filter(is_store);
        let store = stores.next()?;
        if stores.next().is_some() || self.graph.node(store).guard.is_some() {
            return None;
        }
        let access = self.graph.node(store).access.as_ref()?;
        let is_fixed = access.index.iter().flat_map(|part| &part.terms).all(|term| match term.0 {
            Symbol::Counter(own) => own != counter,
            Symbol::Opaque(from) => self.graph.node(from).block != block,
        });
        if !is_fixed || !self.is_memory(access.storage) {
            return None;
        }
        let (mut same, mut others) = (None, Vec::new());
        for id in nodes {
            let node = self.graph.node(*id);
            let Some(own) = &node.access else { continue };
            if node.op != Op::Load || node.dead || own.storage != access.storage {
                continue;
            }
            if own.index == access.index {
                same = same.or(Some(*id));
            } else {
                others.push(*id);
            }
        }
        same.filter(|_| !others.is_empty()).map(|same| (same, store, others))
    }

    /// After such a loop the element is known: it is what the loop left.
    pub(super) fn note_left_element(&mut self, load: NodeId, flow: &Flow) {
        let from = self.graph.node(load).clone();
        let call = self.graph.blocks[flow.block as usize]
            .iter()
            .rev()
            .copied()
            .find(|id| matches!(self.graph.node(*id).op, Op::Call(_)));
        let mut left = Self::blank(Op::Input, from.ty, flow, from.place);
        left.after.extend(call.map(|call| (call, 0)));
        let left = self.push(left);
        if let Some(access) = from.access {
            self.note_known_element(access.storage, access.index, left);
        }
    }
}
