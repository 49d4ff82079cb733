//! Operators of blocks that are not pipelined: what has time waits for an operator that is free.

use super::{Slots, Usage};
use crate::engine::Engine;
use crate::graph::{NodeId, Value};
use crate::operators::{Unit, unit};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// Multipliers that the tool gives to products of one chain of sums, however many there are. Reports of 2022.1 for chains
/// of eight and sixteen products in three kernels have five or six.
const CHAIN: u64 = 5;

impl Engine<'_> {
    /// Products that a chain of sums takes one after another share operators.
    pub(super) fn share_late(&self, live: &[NodeId], slots: Slots<'_>, usage: &mut Usage) {
        let is_product = |unit: &Unit| matches!(unit, Unit::FloatMul(_));
        if !usage.units.iter().any(|(unit, count)| is_product(unit) && *count > 1) {
            return;
        }
        // The last cycle in which each node may start without making the block longer.
        let mut latest: HashMap<NodeId, i64> = HashMap::default();
        for id in live.iter().rev() {
            let Some(slot) = slots(*id) else { continue };
            let own = latest.get(id).copied().unwrap_or(i64::MAX);
            let node = self.graph.node(*id);
            // What nothing waits for stays where it is.
            let start = if own == i64::MAX { slot.start } else { own - (slot.end - slot.start) };
            latest.insert(*id, start);
            for input in node.inputs.iter().chain(&node.guard) {
                if let Value::Node(input) = input
                    && let Some(before) = slots(*input)
                {
                    // As far apart as they are, or in the cycle before.
                    let gap = i64::from(slot.start > before.end);
                    let limit = latest.entry(*input).or_insert(i64::MAX);
                    *limit = (*limit).min(start - gap);
                }
            }
        }
        let mut late: BTreeMap<(Unit, i64), u64> = BTreeMap::new();
        for id in live {
            let node = self.graph.node(*id);
            if let Some(unit) = unit(node, &|value| self.width(value)).filter(is_product)
                && let Some(start) = latest.get(id)
            {
                *late.entry((unit, *start)).or_default() += 1;
            }
        }
        let mut needed: BTreeMap<Unit, u64> = BTreeMap::new();
        for ((unit, _), count) in late {
            let most = needed.entry(unit).or_default();
            *most = (*most).max(count);
        }
        for (unit, count) in needed {
            if let Some(own) = usage.units.get_mut(&unit) {
                // One chain keeps some of its operators; chains side by side take one each.
                *own = (*own).min(if count == 1 { CHAIN } else { count });
            }
        }
    }
}
