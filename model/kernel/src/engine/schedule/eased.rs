//! Recurrences for which the tool gives up what it else keeps free of a cycle.
//!
//! From 2023.2 on an interval comes before the clock, at slow clocks at least: reports at 10 ns have the bare latencies of
//! floating-point operators that follow one another on a recurrence (8 cycles for one multiplication of 1 and two
//! subtractions of 3 cycles), and one cycle for a checksum of eight shifts and choices.

use super::work::Work;
use crate::engine::Engine;
use crate::graph::{CarriedEdge, Node, Op, Value};
use crate::operators::operand_type;
use derate_program::{Binary, Scalar};
use std::collections::BTreeSet;

/// The first version of which this is known.
const VERSION: (u16, u16) = (2023, 2);
/// The shortest period in ns at which it is known.
const SLOW_CLOCK: f64 = 9.0;
/// From this version on the last sum of a chain has a cycle of its own.
const KEEPS_LAST_SUM: (u16, u16) = (2022, 1);
/// Sums of a chain that are looked at.
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
    /// have interval `4 u - 1`, and those of 2022.1 and 2023.1 `4 u`.
    pub(super) fn ends_chain_of_sums(&self, edge: &CarriedEdge) -> bool {
        let mut at = edge.from;
        if self.settings.tool >= KEEPS_LAST_SUM || self.reused.contains_key(&edge.to) {
            return false;
        }
        let is_sum = |node: &Node| {
            matches!(node.op, Op::Binary(Binary::Add | Binary::Sub)) && node.ty == Scalar::Float
        };
        for sums in 0..LONGEST_CHAIN {
            let node = self.graph.node(at);
            if !is_sum(node) {
                return false;
            }
            if node.inputs.contains(&Value::Node(edge.to)) {
                return sums > 0;
            }
            let mut before = node.inputs.iter().filter_map(|input| input.node());
            match before.find(|input| is_sum(self.graph.node(*input))) {
                Some(sum) => at = sum,
                None => return false,
            }
        }
        false
    }

    /// A floating-point operator of some cycles.
    fn is_operator(&self, work: &Work, at: usize) -> bool {
        let node = self.graph.node(work.live[at]);
        let is_float = matches!(node.op, Op::Binary(_)) && operand_type(node).is_float();
        is_float && work.timing[at].latency > 0
    }
}
