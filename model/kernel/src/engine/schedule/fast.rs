//! Faster adders where a recurrence keeps a pipeline from the interval that it was asked for.
//!
//! The tool tries for the interval that a directive names before it looks at the clock: it takes an adder in logic, with
//! fewer cycles, for the sums on the way of the recurrence. Loops that it pipelines unasked keep the usual adder.

use super::work::Work;
use crate::engine::Engine;
use crate::graph::CarriedEdge;
use crate::operators::Unit;
use std::collections::BTreeSet;

impl Engine<'_> {
    /// Takes the faster adder on recurrences that need more than `target` cycles.
    pub(super) fn hasten(&self, work: &mut Work, carried: &[CarriedEdge], target: u64) {
        let Some(fast) = self.settings.fast_add(32) else { return };
        let through = |edge: &CarriedEdge| {
            self.graph.node(edge.to).access.as_ref().map(|access| access.storage)
        };
        // One recurrence through a storage is like the others.
        let mut slow = BTreeSet::new();
        for edge in carried {
            let storage = through(edge);
            if !slow.contains(&storage)
                && self.recurrence_interval(work, std::slice::from_ref(edge)).0 > target
            {
                slow.insert(storage);
            }
        }
        let edges: Vec<&CarriedEdge> =
            carried.iter().filter(|edge| slow.contains(&through(edge))).collect();
        let on_way = way(work, &edges);
        for at in on_way {
            if matches!(work.units[at], Some(Unit::FloatAdd(32))) {
                work.timing[at] = fast;
                work.fast.insert(at);
            }
        }
    }
}

/// The nodes between targets and sources of edges.
pub(super) fn way(work: &Work, edges: &[&CarriedEdge]) -> Vec<usize> {
    let (mut after, mut before) = (vec![false; work.live.len()], vec![false; work.live.len()]);
    for edge in edges {
        if let (Some(from), Some(to)) = (work.position.get(&edge.from), work.position.get(&edge.to))
        {
            after[*to] = true;
            before[*from] = true;
        }
    }
    for at in 0..work.live.len() {
        after[at] |= work.before[at].iter().any(|(input, _)| after[*input]);
    }
    for at in (0..work.live.len()).rev() {
        if before[at] {
            for (input, _) in &work.before[at] {
                before[*input] = true;
            }
        }
    }
    (0..work.live.len()).filter(|at| after[*at] && before[*at]).collect()
}
