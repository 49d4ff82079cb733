//! The operations of a block, with all that a pipeline's schedule asks of them.

use super::address::Address;
use super::place;
use super::reach::Reach;
use crate::engine::Engine;
use crate::graph::{BlockId, NodeId, Op, Value};
use crate::operators::{Unit, unit};
use derate_operators::Timing;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::cell::{Cell, RefCell};

/// The nodes with all that scheduling needs.
pub(super) struct Work {
    pub(super) live: Vec<NodeId>,
    pub(super) timing: Vec<Timing>,
    pub(super) units: Vec<Option<Unit>>,
    /// Those that have a faster operator.
    pub(super) fast: HashSet<usize>,
    /// Those of them whose result the next iteration takes from a register.
    pub(super) kept: HashSet<usize>,
    /// Operations on recurrences that start as soon as the one before has its result.
    pub(super) following: HashSet<usize>,
    /// Inputs and order, as positions in `live`: the position, and cycles from its start, or `None` for its result.
    pub(super) before: Vec<Vec<(usize, Option<i64>)>>,
    pub(super) position: HashMap<NodeId, usize>,
    /// Addresses that are made of counters.
    pub(super) addresses: Vec<Option<Address>>,
    pub(super) moduli: place::Moduli,
    /// Operations that were placed so far.
    pub(super) placed: Cell<usize>,
    /// Where what is carried to the next iteration goes, and where it is from.
    pub(super) carried: Vec<(usize, usize)>,
    pub(super) reach: RefCell<Option<Reach>>,
}

impl Engine<'_> {
    pub(super) fn work(&self, block: BlockId) -> Work {
        let live = self.live_nodes(block);
        let position: HashMap<NodeId, usize> =
            live.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut timing = Vec::with_capacity(live.len());
        let mut units = Vec::with_capacity(live.len());
        let mut before = Vec::with_capacity(live.len());
        let mut addresses = Vec::with_capacity(live.len());
        let counters = self.counter_positions(&live);
        for (own, id) in live.iter().enumerate() {
            let node = self.graph.node(*id);
            let address = self.address_of(*id, block, &counters);
            // What makes an address by itself does not wait for the index as it is written.
            let is_needed = match (&address, node.op) {
                (None, _) => node.inputs.len(),
                (Some(_), Op::Store) => 1,
                (Some(_), _) => 0,
            };
            addresses.push(address);
            timing.push(self.node_timing(*id));
            units.push(unit(node, &|value| self.width(value)));
            let mut list = Vec::new();
            if let Some(counter) = self.compared_counter(node, &counters) {
                list.push((counter, None));
                before.push(list);
                continue;
            }
            for input in node.inputs.iter().take(is_needed).chain(&node.guard) {
                if let Value::Node(input) = input
                    && let Some(at) = position.get(input).filter(|at| **at < own)
                {
                    list.push((*at, None));
                }
            }
            for (other, gap) in &node.after {
                if let Some(at) = position.get(other).filter(|at| **at < own) {
                    list.push((*at, Some(*gap)));
                }
            }
            before.push(list);
        }
        let moduli = self.moduli(&live);
        Work {
            live,
            timing,
            units,
            fast: HashSet::default(),
            kept: HashSet::default(),
            following: HashSet::default(),
            before,
            position,
            addresses,
            moduli,
            placed: Cell::new(0),
            carried: Vec::new(),
            reach: RefCell::default(),
        }
    }
}
