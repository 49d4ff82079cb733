//! Registers that keep values between states.

use super::{Slot, Usage};
use crate::engine::Engine;
use crate::graph::{NodeId, Op};
use crate::operators::{Unit, unit};
use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeMap;

/// States in which kept bits become more or fewer.
type Changes = Vec<(i64, f64)>;

impl Engine<'_> {
    /// Counts the registers of a block that is not pipelined; `last` has the state in which a value is used last.
    ///
    /// An operator that several operations share keeps its result in one register, which is free for the next result after
    /// its last use: there are as many registers as values are kept at once. In reports of 2025.1 each of 40 copies of an
    /// unrolled body adds 19,000 FF for its own module, and none for its 118 sums and products on shared operators.
    pub(super) fn count_registers(
        &self,
        live: &[NodeId],
        slots: &HashMap<NodeId, Slot>,
        last: &HashMap<NodeId, i64>,
        usage: &mut Usage,
    ) {
        let calls = self.list_waiting(live, slots);
        // By the unit, or by the memory.
        let mut changes: BTreeMap<(Option<Unit>, usize), Changes> = BTreeMap::new();
        for id in live {
            let node = self.graph.node(*id);
            let (Some(slot), Some(used)) = (slots.get(id), last.get(id)) else { continue };
            if *used <= slot.end || node.op == Op::Input {
                continue;
            }
            usage.kept.push(*id);
            let width = f64::from(node.width);
            let waits = calls.get(id).copied();
            let (from, to) = waits.unwrap_or((slot.end, *used));
            let memory = node.access.as_ref().map(|access| access.storage);
            let source = match unit(node, &|value| self.width(value)) {
                Some(unit) => Some((Some(unit), 0)),
                None => memory.filter(|_| waits.is_some()).map(|memory| (None, memory)),
            };
            match source {
                Some(source) => {
                    let own = changes.entry(source).or_default();
                    own.extend([(from, width), (to, -width)]);
                }
                None => usage.registers += width,
            }
        }
        for mut own in changes.into_values() {
            // Where one value ends in the state in which another begins, both take the same register.
            own.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let (mut kept, mut most) = (0.0, 0.0);
            for (_, change) in own {
                kept += change;
                most = f64::max(most, kept);
            }
            usage.registers += most;
        }
    }

    /// Values that only one call takes, with the states in which it runs: each is computed just before its call. In reports of
    /// 2025.1 each of ten copies of a loop with 70 such loads and products has registers for none of them.
    fn list_waiting(
        &self,
        live: &[NodeId],
        slots: &HashMap<NodeId, Slot>,
    ) -> HashMap<NodeId, (i64, i64)> {
        let mut users: HashMap<NodeId, Option<(i64, i64)>> = HashMap::default();
        for id in live.iter().rev() {
            let node = self.graph.node(*id);
            let Some(slot) = slots.get(id) else { continue };
            let is_call = matches!(node.op, Op::Call(_));
            // What is computed for such a value alone waits with it.
            let own = if is_call {
                Some((slot.start, slot.end))
            } else {
                users.get(id).copied().flatten().map(|(start, _)| (start - 1, start))
            };
            for input in node.inputs.iter().chain(&node.guard).filter_map(|value| value.node()) {
                users.entry(input).and_modify(|known| *known = None).or_insert(own);
            }
        }
        users.into_iter().filter_map(|(id, call)| Some((id, call?))).collect()
    }
}
