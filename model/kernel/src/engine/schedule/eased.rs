//! Recurrences for which the tool gives up what it else keeps free of a cycle.
//!
//! From 2023.2 on an interval comes before the clock, at slow clocks at least: reports at 10 ns have the bare latencies of
//! floating-point operators that follow one another on a recurrence (8 cycles for one multiplication of 1 and two
//! subtractions of 3 cycles), and one cycle for a checksum of eight shifts and choices.

use super::work::Work;
use crate::engine::Engine;
use crate::graph::{CarriedEdge, NodeId, Op, Value};
use crate::operators::operand_type;
use derate_hls::is_vivado;
use derate_program::{Binary, Scalar};
use std::collections::BTreeSet;

/// The first version of which this is known.
const VERSION: (u16, u16) = (2023, 2);
/// The shortest period in ns at which it is known.
const SLOW_CLOCK: f64 = 9.0;
/// From this version on the last sum of a chain has a cycle of its own.
const KEEPS_LAST_SUM: (u16, u16) = (2022, 1);
/// Sums before the last that are looked at.
const LONGEST_CHAIN: usize = 256;
/// Recurrences that are looked at.
const RECURRENCES: usize = 128;

impl Engine<'_> {
    /// Marks the operations on recurrences that need more than `target` cycles otherwise.
    pub(super) fn ease(&self, work: &mut Work, carried: &[CarriedEdge], target: u64) {
        if self.settings.tool < VERSION || self.settings.clock_ns < SLOW_CLOCK {
            return;
        }
        for edge in carried.iter().take(RECURRENCES) {
            if self.recurrence_interval(work, std::slice::from_ref(edge)).0 <= target {
                continue;
            }
            let way: BTreeSet<usize> = super::fast::way(work, &[edge]).into_iter().collect();
            let is_memory = |at: &usize| self.graph.node(work.live[*at]).access.is_some();
            // What memory answers is there late in its cycle: only operators behind others are sure to follow at once.
            let in_memory = way.iter().any(is_memory);
            let follows = |at: &usize| {
                let mut before = work.before[*at].iter().map(|(before, _)| before);
                !in_memory
                    || self.is_operator(work, *at)
                        && before.any(|one| way.contains(one) && !is_memory(one))
            };
            let following: Vec<usize> = way.iter().copied().filter(follows).collect();
            work.following.extend(following);
        }
    }

    /// Whether the last of several sums goes round without a cycle of its own: for `u` copies of `s += x` in `float`, reports of 2021.1
    /// have interval `4 u - 1`, and those of 2022.1 and 2023.1 `4 u`. Of Vivado HLS none is known.
    pub(super) fn ends_chain_of_sums(&self, edge: &CarriedEdge) -> bool {
        let tool = self.settings.tool;
        let keeps = is_vivado(tool) || tool >= KEEPS_LAST_SUM;
        if keeps || self.reused.contains_key(&edge.to) || !self.is_float_sum(edge.from) {
            return false;
        }
        let adds_carried = |at: NodeId| self.graph.node(at).inputs.contains(&Value::Node(edge.to));
        if adds_carried(edge.from) {
            return false;
        }
        let mut seen = BTreeSet::from([edge.from]);
        let mut open = vec![edge.from];
        while let Some(at) = open.pop().filter(|_| seen.len() <= LONGEST_CHAIN) {
            let inputs = self.graph.node(at).inputs.iter().filter_map(|input| input.node());
            let sums: Vec<NodeId> = inputs.filter(|input| self.is_float_sum(*input)).collect();
            if sums.iter().any(|sum| adds_carried(*sum)) {
                return true;
            }
            open.extend(sums.into_iter().filter(|sum| seen.insert(*sum)));
        }
        false
    }

    fn is_float_sum(&self, at: NodeId) -> bool {
        let node = self.graph.node(at);
        matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && node.ty == Scalar::Float
    }

    /// A floating-point operator of some cycles.
    fn is_operator(&self, work: &Work, at: usize) -> bool {
        let node = self.graph.node(work.live[at]);
        let is_float = matches!(node.op, Op::Binary(_)) && operand_type(node).is_float();
        is_float && work.timing[at].latency > 0
    }
}
