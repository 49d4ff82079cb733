//! What happened to a storage in the block: loads, and stores with their values.

use crate::engine::meeting::Meeting;
use crate::graph::{Linear, NodeId, Symbol, Value};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// Loads that a store waits for.
const LOADS: usize = 64;

/// What happened to a storage in the block.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// By index: loads, and stores with their values.
    pub(super) events: HashMap<Vec<Linear>, Vec<Event>>,
    /// The indices without constants that were stored to, and the stores.
    pub(super) shapes: Vec<(Vec<Linear>, Vec<NodeId>)>,
    /// Where each of them is.
    places: HashMap<Vec<Linear>, usize>,
    /// Loads since the last store that may change them, by their indices without constants.
    pub(super) loads: BTreeMap<Vec<Linear>, HashMap<Vec<Linear>, NodeId>>,
    /// Older loads, of another way of a condition than the stores since: other stores wait for them too. No load has their value.
    passed: Vec<(Vec<Linear>, NodeId)>,
    /// Calls since the last store that read the storage.
    pub(super) readers: Vec<NodeId>,
    /// The copy of an unrolled body that a load is in.
    pub(super) copies: HashMap<NodeId, (u32, u64)>,
}

#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) node: NodeId,
    pub(super) value: Value,
    pub(super) guard: Option<Value>,
    /// Where it is in the order of the shapes that may be the same.
    pub(super) order: usize,
}

/// An index without its constants.
pub(super) fn shape(index: &[Linear]) -> Vec<Linear> {
    index.iter().map(|part| Linear { terms: part.terms.clone(), constant: 0 }).collect()
}

impl Log {
    /// The last store of an element, if nothing since then may have read or changed it elsewhere.
    pub(super) fn replaceable(&self, own: &[Linear], index: &[Linear]) -> Option<Event> {
        let last = self.events.get(index)?.last()?;
        let is_read = self.readers.iter().any(|call| *call > last.node)
            || self.loads.iter().any(|(shape, loads)| {
                let meeting = Meeting::of(own, shape);
                shape != own && loads.keys().any(|load| meeting.may_meet(index, load))
            });
        let is_unclear = self.shapes.iter().any(|(shape, _)| shape != own);
        (!is_read && !is_unclear).then(|| last.clone())
    }

    pub(super) fn keep_store(
        &mut self,
        index: Vec<Linear>,
        node: NodeId,
        value: Value,
        guard: Option<Value>,
    ) {
        let own = shape(&index);
        let event = Event { node, value, guard, order: node as usize };
        self.events.entry(index).or_default().push(event);
        let place = *self.places.entry(own).or_insert_with_key(|own| {
            self.shapes.push((own.clone(), Vec::new()));
            self.shapes.len() - 1
        });
        self.shapes[place].1.push(node);
    }

    /// Keeps in mind that a call reads the storage.
    pub(crate) fn read_by(&mut self, call: NodeId) {
        self.readers.push(call);
    }

    /// Whether the tool sees that a load is of the same element. Copies of a body count on from their counter in their
    /// own ways, and it does not compare these.
    pub(super) fn is_seen_equal(&self, known: NodeId, index: &[Linear], copy: (u32, u64)) -> bool {
        let counter = Symbol::Counter(copy.0);
        self.copies.get(&known).is_none_or(|own| *own == copy)
            || index.iter().all(|part| part.factor(counter) == 0)
    }

    pub(super) fn keep_load(&mut self, index: Vec<Linear>, node: NodeId) {
        self.loads.entry(shape(&index)).or_default().insert(index, node);
    }

    pub(super) fn load(&self, index: &[Linear]) -> Option<NodeId> {
        self.loads.get(&shape(index))?.get(index).copied()
    }

    /// The loads that a store waits for, as it may change what they read; none is known any more. Those of another way stay in mind.
    pub(super) fn take_loads(
        &mut self,
        own: &[Linear],
        index: &[Linear],
        is_other_way: impl Fn(NodeId) -> bool,
    ) -> Vec<NodeId> {
        let mut met: Vec<(Vec<Linear>, NodeId)> = Vec::new();
        let kept = self.loads.remove(own).map(|mut loads| {
            met.extend(loads.remove_entry(index));
            loads
        });
        for (shape, loads) in std::mem::take(&mut self.loads) {
            let meeting = Meeting::of(own, &shape);
            let (changed, apart): (HashMap<_, _>, HashMap<_, _>) =
                loads.into_iter().partition(|load| meeting.may_meet(index, &load.0));
            let mut changed: Vec<_> = changed.into_iter().collect();
            changed.sort_unstable_by_key(|load| std::cmp::Reverse(load.1));
            met.extend(changed.into_iter().take(LOADS.saturating_sub(met.len())));
            if !apart.is_empty() {
                self.loads.insert(shape, apart);
            }
        }
        if let Some(kept) = kept {
            self.loads.insert(own.to_vec(), kept);
        }
        let may_change = |load: &[Linear]| {
            let other = shape(load);
            if other == own {
                load == index
            } else {
                Meeting::of(own, &other).may_meet(index, load)
            }
        };
        let passed = std::mem::take(&mut self.passed).into_iter();
        let (changed, apart): (Vec<_>, Vec<_>) = passed.partition(|load| may_change(&load.0));
        let (other, taken): (Vec<_>, Vec<_>) =
            changed.into_iter().chain(met).partition(|load| is_other_way(load.1));
        self.passed = apart.into_iter().chain(other).collect();
        self.passed.drain(..self.passed.len().saturating_sub(LOADS));
        taken.into_iter().map(|load| load.1).collect()
    }
}
