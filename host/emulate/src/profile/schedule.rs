//! When each step begins: as soon as those that it follows have ended.

use std::collections::{BTreeMap, BTreeSet};

/// Who used each buffer before.
#[derive(Debug, Default)]
pub(super) struct Users {
    /// The last that wrote, and those that have read since.
    of: BTreeMap<u64, (Option<usize>, Vec<usize>)>,
}

impl Users {
    /// Notes that a step uses a buffer, and adds those that it follows.
    pub(super) fn add_use(
        &mut self,
        step: usize,
        (buffer, writes): (u64, bool),
        follows: &mut Vec<usize>,
    ) {
        let (writer, readers) = self.of.entry(buffer).or_default();
        follows.extend(writer.filter(|one| *one != step));
        if writes {
            follows.extend(readers.iter().filter(|one| **one != step));
            readers.clear();
            *writer = Some(step);
        } else {
            readers.push(step);
        }
    }
}

/// The start of each step: the latest end of those that it follows. Steps have durations, and what they follow.
pub(super) fn schedule_steps(durations: &[f64], follows: &[Vec<usize>]) -> Vec<f64> {
    let mut starts = vec![0.0_f64; durations.len()];
    let mut missing: Vec<usize> = follows.iter().map(Vec::len).collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); durations.len()];
    for (step, before) in follows.iter().enumerate() {
        for one in before {
            if let Some(list) = after.get_mut(*one) {
                list.push(step);
            }
        }
    }
    let mut ready: BTreeSet<usize> =
        missing.iter().enumerate().filter(|(_, count)| **count == 0).map(|(at, _)| at).collect();
    while let Some(step) = ready.pop_first() {
        let at = |all: &[f64], step: usize| all.get(step).copied().unwrap_or_default();
        let end = at(&starts, step) + at(durations, step);
        for &next in after.get(step).into_iter().flatten() {
            let (Some(start), Some(count)) = (starts.get_mut(next), missing.get_mut(next)) else {
                continue;
            };
            *start = start.max(end);
            *count -= 1;
            if *count == 0 {
                ready.insert(next);
            }
        }
    }
    starts
}
