//! Whether two accesses may be of the same element, by what their indices have in common.

use super::Engine;
use crate::graph::{BlockId, Linear, NodeId, Symbol, common_divisor};

/// For each dimension: by what a difference of two indices must be divided to be no difference; 0 is by nothing.
#[derive(Debug)]
pub(crate) struct Meeting(Vec<u64>);

impl Meeting {
    /// Of indices with these terms, whatever their constants are.
    pub(crate) fn of(own: &[Linear], other: &[Linear]) -> Self {
        let part = |(own, other): (&Linear, &Linear)| {
            own.minus(other).map_or(1, |difference| {
                difference
                    .terms
                    .iter()
                    .fold(0, |all, term| common_divisor(all, term.1.unsigned_abs()))
            })
        };
        Self(own.iter().zip(other).map(part).collect())
    }

    /// Whether the elements may be the same.
    pub(crate) fn may_meet(&self, own: &[Linear], other: &[Linear]) -> bool {
        self.0.iter().zip(own.iter().zip(other)).all(|(divisor, (own, other))| {
            let difference = own.constant.wrapping_sub(other.constant);
            if *divisor == 0 { difference == 0 } else { difference.unsigned_abs() % divisor == 0 }
        })
    }
}

/// When a later iteration may be at the element that one writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Met {
    Never,
    /// Not before so many iterations.
    After(u64),
    /// Nothing is known.
    Anywhere,
}

/// A meeting farther away does not hold an interval.
const FARTHEST: i64 = 4096;

impl Engine<'_> {
    /// Whether the element of a node may be this one.
    pub(crate) fn may_meet(&self, meeting: &Meeting, index: &[Linear], node: NodeId) -> bool {
        let access = self.graph.node(node).access.as_ref();
        access.is_none_or(|access| meeting.may_meet(index, &access.index))
    }

    /// The first later iteration of a loop whose index may be what this iteration writes. Values within a block differ from
    /// iteration to iteration.
    pub(crate) fn first_meeting(
        &self,
        (written, read): (&Linear, &Linear),
        counter: u32,
        others: &[u32],
        block: BlockId,
    ) -> Met {
        let step = written.factor(Symbol::Counter(counter));
        if step != read.factor(Symbol::Counter(counter)) {
            return Met::Anywhere;
        }
        let mut divisor = 0;
        let mut rest = written.constant;
        rest = rest.wrapping_sub(read.constant);
        for (sum, sign) in [(written, 1), (read, -1)] {
            for (symbol, factor) in &sum.terms {
                let varies = match symbol {
                    Symbol::Counter(other) => others.contains(other),
                    Symbol::Opaque(node) => self.graph.node(*node).block == block,
                };
                let other = if sign == 1 { read } else { written };
                if varies || *symbol != Symbol::Counter(counter) && other.factor(*symbol) != *factor
                {
                    divisor = common_divisor(divisor, factor.unsigned_abs());
                }
            }
        }
        if divisor <= 1 {
            return Met::Anywhere;
        }
        let trip = self.counters[counter as usize].trip;
        let divisor = i64::try_from(divisor).unwrap_or(1);
        #[allow(clippy::cast_possible_truncation)]
        let last = if trip.is_open { divisor } else { (trip.most as i64 - 1).min(divisor) };
        let meets = |distance: &i64| {
            rest.wrapping_sub(step.wrapping_mul(*distance)).rem_euclid(divisor) == 0
        };
        let last = last.min(FARTHEST);
        if !others.is_empty() {
            // Where a loop around goes on, this one may begin anew.
            return if (-last..=last).any(|distance| meets(&distance)) {
                Met::Anywhere
            } else {
                Met::Never
            };
        }
        let first = (1..=last).find(meets);
        first.map_or(Met::Never, |distance| Met::After(distance.unsigned_abs()))
    }
}
