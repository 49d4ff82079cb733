//! When the counters of a flattened nest are there.
//!
//! One counter counts all iterations. Those of the loops begin anew, or count on, by comparisons and choices in each
//! iteration.

use crate::engine::Engine;
use crate::engine::schedule::place::Start;
use crate::graph::{Node, NodeId, Op, Symbol};
use derate_operators::Timing;
use derate_program::Binary;
use rustc_hash::FxHashMap as HashMap;

/// Where a counter is in a flattened nest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Level {
    /// Its loop is not a nest.
    #[default]
    Alone,
    /// It counts on where the loops in it begin anew.
    Outermost,
    /// Between others: its sum comes after its own new beginning.
    Between,
    /// The innermost of two.
    Innermost,
    /// The innermost of more: all around it may begin anew.
    Deepest,
}

impl Level {
    /// Of the loop at a place in a nest of so many.
    pub(crate) fn at(place: usize, count: usize) -> Self {
        match (place, count) {
            (_, 0 | 1) => Self::Alone,
            (0, _) => Self::Outermost,
            (_, 2) => Self::Innermost,
            (place, count) if place + 1 == count => Self::Deepest,
            _ => Self::Between,
        }
    }
}

impl Engine<'_> {
    /// Where a counter is in its nest.
    pub(super) fn counter_level(&self, node: &Node) -> Level {
        match node.linear.as_ref().and_then(|linear| linear.terms.first()) {
            Some((Symbol::Counter(number), _)) => self.counters[*number as usize].level,
            _ => Level::Alone,
        }
    }

    /// The timing of a counter.
    pub(super) fn counter_timing(&self, node: &Node) -> Timing {
        let level = self.counter_level(node);
        let compare = self.settings.comparator(node.width);
        let (select, gate) = (self.settings.delay("select"), self.settings.delay("logic"));
        let add = self.settings.adder(node.width);
        let chain: &[f64] = match level {
            Level::Alone => &[],
            Level::Outermost | Level::Innermost => &[compare, select],
            Level::Between => &[compare, select, add, gate, select],
            Level::Deepest => &[compare, gate, gate, gate, select],
        };
        let mut start = Start { cycle: 0, time: 0.0 };
        for delay in chain {
            start = start.then(*delay, self.settings.budget());
        }
        let latency = u32::try_from(start.cycle).unwrap_or(0);
        Timing { latency, before: 0.0, after: start.time }
    }

    /// The counter that a test for a number comes down to: `4 * i - 60 == 0` is `i == 15`.
    pub(super) fn compared_counter(
        &self,
        node: &Node,
        counters: &HashMap<Symbol, usize>,
    ) -> Option<usize> {
        if !matches!(node.op, Op::Binary(Binary::Equal | Binary::NotEqual)) {
            return None;
        }
        let [left, right] = node.inputs.as_slice() else { return None };
        let difference = self.linear(*left)?.minus(&self.linear(*right)?)?;
        match difference.terms.as_slice() {
            [(symbol, _)] => counters.get(symbol).copied(),
            _ => None,
        }
    }

    /// The counters of a schedule by their symbols, as positions.
    pub(super) fn counter_positions(&self, live: &[NodeId]) -> HashMap<Symbol, usize> {
        let symbol = |id: &NodeId| {
            let node = self.graph.node(*id);
            let linear = node.linear.as_ref().filter(|_| node.op == Op::Counter)?;
            linear.terms.first().map(|term| term.0)
        };
        live.iter().enumerate().filter_map(|(at, id)| Some((symbol(id)?, at))).collect()
    }
}
