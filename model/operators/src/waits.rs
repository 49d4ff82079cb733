//! States in which a block waits for modules that it calls.
//!
//! A call takes two states: one in which the module starts, and one that lasts until the module is done. What else is in that
//! state waits with it: a report of 2022.1 has two loops side by side, of 15,014 and 20,012 cycles, and the loop behind the
//! shorter one starts after both.

use std::collections::BTreeMap;

/// How many cycles longer than one each state lasts.
#[derive(Debug, Default)]
pub struct Waits(BTreeMap<i64, i64>);

impl Waits {
    /// A call from a state on that takes so many cycles after it. Returns the state in which it ends.
    pub fn call(&mut self, start: i64, cycles: i64) -> i64 {
        let end = start + cycles.clamp(0, 1);
        let longer = self.0.entry(end).or_default();
        *longer = (*longer).max(cycles - (end - start));
        end
    }

    /// The cycle in which a state begins.
    #[must_use]
    pub fn cycles_before(&self, state: i64) -> i64 {
        self.0.range(..state).fold(state, |cycles, (_, longer)| cycles.saturating_add(*longer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_in_the_same_state_waits_for_the_longest() {
        let mut waits = Waits::default();
        assert_eq!((waits.call(0, 100), waits.call(0, 300), waits.call(2, 50)), (1, 1, 3));
        assert_eq!([0, 1, 2, 3, 4].map(|state| waits.cycles_before(state)), [0, 1, 301, 302, 352]);
    }

    #[test]
    fn a_call_of_no_cycles_is_in_one_state() {
        let mut waits = Waits::default();
        assert_eq!(waits.call(5, 0), 5);
        assert_eq!(waits.cycles_before(9), 9);
    }
}
