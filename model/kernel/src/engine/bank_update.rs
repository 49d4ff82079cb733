//! Elements that a loop updates in banks of one element each.

use super::Engine;
use crate::graph::{CarriedEdge, Linear, MemoryAccess, NodeId, Op, Symbol, Value};
use derate_program::Binary;
use std::collections::BTreeSet;

/// The version whose reports have it. Those of earlier ones have it in some kernels and not in others.
const SEEN: (u16, u16) = (2025, 1);

/// A storage, and a dimension of it.
pub(crate) type StorageDim = (usize, usize);

impl Engine<'_> {
    /// The dimensions of updates that the tool cuts into a bank for each element: these updates wait for each other.
    pub(crate) fn list_slowed(&self) -> BTreeSet<StorageDim> {
        if self.full || self.bank_updates.is_empty() {
            return BTreeSet::new();
        }
        self.list_completed().intersection(&self.bank_updates).copied().collect()
    }

    /// Dimensions that the tool cuts by itself into a bank for each of their elements, by what the blocks ask for.
    fn list_completed(&self) -> BTreeSet<StorageDim> {
        let usage = self.usage.total();
        let mut completed = BTreeSet::new();
        for (at, asked) in &usage.accesses {
            let storage = &self.storages[*at];
            if !storage.is_cut_by_tool(self.settings.tool) {
                continue;
            }
            let dims = storage.dims.iter().zip(&asked.banks).enumerate();
            let whole = dims.filter(|(_, (length, banks))| **length > 1 && banks >= length);
            completed.extend(whole.map(|(dim, _)| (*at, dim)));
        }
        completed
    }

    /// The dependence of an update of elements whose bank changes from one iteration to the next, and whose place in the bank
    /// does not. Where each element of that dimension has a bank, the tool sees that the next iteration reads the place that this one
    /// writes, in each bank that may be meant: it does not see that it is another bank. In reports of 2025.1 a loop over
    /// `a[i][j] = a[i][j] - x` has an interval of 6 where another loop makes the tool cut `a` into all its columns, and of 1
    /// where the loop itself goes on by 16 columns, or updates under a condition.
    pub(crate) fn find_bank_update(
        &mut self,
        store: NodeId,
        load: NodeId,
        counters: &[u32],
    ) -> Option<CarriedEdge> {
        let dim = self.updated_dim(store, load, counters)?;
        self.bank_updates.insert(dim);
        let edge = match self.updated_sum(store, load) {
            Some(from) => CarriedEdge { from, to: load, distance: 1, is_value: true },
            None => CarriedEdge { from: store, to: load, distance: 1, is_value: false },
        };
        self.completed.contains(&dim).then_some(edge)
    }

    /// The sum that a store writes, if the load is one of its operands: it goes to the next iteration as that of a scalar does,
    /// past the memory.
    fn updated_sum(&self, store: NodeId, load: NodeId) -> Option<NodeId> {
        let sum = self.graph.node(store).inputs.first()?.node()?;
        let node = self.graph.node(sum);
        let is_sum = matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && node.ty.is_float();
        (is_sum && node.inputs.contains(&Value::Node(load))).then_some(sum)
    }

    fn updated_dim(&self, store: NodeId, load: NodeId, counters: &[u32]) -> Option<StorageDim> {
        let (written, read) = (self.access_of(store)?, self.access_of(load)?);
        let storage = &self.storages[written.storage];
        let is_cut = storage.is_cut_by_tool(self.settings.tool) && self.settings.tool >= SEEN;
        let is_certain = self.graph.node(store).guard.is_none();
        if written.storage != read.storage || !is_cut || !is_certain {
            return None;
        }
        let is_long = |at: &&u32| self.counters[**at as usize].trip.most > 1.0;
        let innermost = Symbol::Counter(*counters.iter().rfind(is_long)?);
        let block = self.graph.node(store).block;
        let is_fixed = |index: &Linear| {
            index.terms.iter().all(|(symbol, _)| match symbol {
                Symbol::Opaque(node) => self.graph.node(*node).block != block,
                Symbol::Counter(_) => *symbol != innermost,
            })
        };
        let is_short = |at: &u32| self.counters[*at as usize].trip.most <= 2.0;
        let goes_on = |step: i64| step.abs() == 1 || counters.last().is_some_and(is_short);
        let mut varying = None;
        for (at, (own, other)) in written.index.iter().zip(&read.index).enumerate() {
            let step = own.factor(innermost);
            let same = step != 0 && other.factor(innermost) == step;
            if same && goes_on(step) && varying.is_none() {
                varying = Some((written.storage, at));
            } else if own != other || !is_fixed(own) {
                return None;
            }
        }
        // In banks of one word, a choice of the bank is a choice of the element.
        varying.filter(|_| storage.dims.iter().filter(|length| **length > 1).count() > 1)
    }

    fn access_of(&self, id: NodeId) -> Option<&MemoryAccess> {
        let node = self.graph.node(id);
        node.access.as_ref().filter(|_| !node.dead && matches!(node.op, Op::Load | Op::Store))
    }
}
