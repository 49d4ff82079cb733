//! Where nodes are if one of them starts at 0 and all else is ready.

use super::Slot;
use super::place::{self, Start};
use super::work::Work;
use crate::engine::Engine;

impl Engine<'_> {
    /// Places what is behind a node that starts at 0, up to the position `last`; `slots` is made anew, in the memory that it has.
    pub(super) fn follow(
        &self,
        work: &Work,
        target: usize,
        last: usize,
        slots: &mut Vec<Option<Slot>>,
    ) {
        slots.clear();
        slots.resize(last + 1, None);
        let start = Start { cycle: 0, time: 0.0 };
        slots[target] = Some(place::finish(start, work.timing[target]));
        for at in target + 1..=last {
            let mut earliest: Option<Start> = None;
            for (before, gap) in &work.before[at] {
                let Some(slot) = slots.get(*before).and_then(Option::as_ref) else { continue };
                let ready = match gap {
                    None => Start { cycle: slot.end, time: slot.time },
                    Some(gap) => Start { cycle: slot.start + gap, time: 0.0 },
                };
                earliest = Some(earliest.map_or(ready, |earliest| earliest.later(ready)));
            }
            if let Some(earliest) = earliest {
                let start = self.fit_into_cycle(work, at, earliest);
                slots[at] = Some(place::finish(start, work.timing[at]));
            }
        }
    }
}
