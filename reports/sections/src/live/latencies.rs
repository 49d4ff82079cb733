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
    fn place(&self, at: usize) -> Option<usize> {
        let parts = self.followed.scenario.parts.iter().enumerate();
        parts.filter(|(_, part)| part.runs).map(|(place, _)| place).nth(at)
    }

    /// Milliseconds of a part; after the last, of the whole inference.
    pub(crate) fn of(&self, at: usize) -> Option<Formula> {
        match self.place(at) {
            Some(place) => self.cycles.of_part(place),
            None => Some(self.cycles.all()),
        }
    }

    /// Milliseconds of the whole inference.
    pub(crate) fn all(&self) -> Formula {
        self.cycles.all()
    }

    /// The call that starts all parts, in ms.
    pub(crate) fn host_call(&self) -> Option<Formula> {
        self.cycles.host_call()
    }

    /// A term in ms: of a part, or of the whole.
    pub(crate) fn term(&self, part: Option<usize>, term: usize) -> Option<Formula> {
        match part {
            Some(at) => self.cycles.term_of(self.place(at)?, term),
            None => self.cycles.term(term),
        }
    }

    /// Latency over roofline time of the whole inference.
    pub(crate) fn gap(&self) -> Formula {
        or_unknown(self.all() / self.followed.inference())
    }
}
