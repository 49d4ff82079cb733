//! The latency of a design under one schedule: sums over the cycles of its groups.

use derate_render::Formula;

use super::cell::or_unknown;
use super::cycles::Cycles;
use super::followed::Followed;

/// A scenario's formulas and its cycles.
pub(crate) struct Latencies<'a> {
    pub(super) followed: &'a Followed<'a>,
    pub(super) cycles: &'a Cycles,
}

// Parts by their place among those that run.
impl Latencies<'_> {
    /// The place of a part in the estimate.
    fn find_place(&self, at: usize) -> Option<usize> {
        let parts = self.followed.scenario.parts.iter().enumerate();
        parts.filter(|(_, part)| part.runs).map(|(place, _)| place).nth(at)
    }

    /// Milliseconds of a part; after the last, of the whole inference.
    pub(crate) fn part_time(&self, at: usize) -> Option<Formula> {
        match self.find_place(at) {
            Some(place) => self.cycles.of_part(place),
            None => Some(self.cycles.sum_all()),
        }
    }

    /// Milliseconds of the whole inference.
    pub(crate) fn whole_time(&self) -> Formula {
        self.cycles.sum_all()
    }

    /// The call that starts all parts, in ms.
    pub(crate) fn host_call(&self) -> Option<Formula> {
        self.cycles.host_call()
    }

    /// A term in ms: of a part, or of the whole.
    pub(crate) fn term_time(&self, part: Option<usize>, term: usize) -> Option<Formula> {
        match part {
            Some(at) => self.cycles.term_of(self.find_place(at)?, term),
            None => self.cycles.sum_term(term),
        }
    }

    /// Latency over roofline time of the whole inference.
    pub(crate) fn find_gap(&self) -> Formula {
        or_unknown(self.whole_time() / self.followed.inference_time())
    }
}
