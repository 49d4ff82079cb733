//! Steps along one axis at a time, from a design to one that no such step makes better.

use crate::{Progress, Search, Space};

/// Starts beside the given one, where the space is too large to be looked at whole.
const STARTS: u64 = 64;

/// Goes from `start` to a design that no change of one axis improves, then from other designs of the space, until `goes_on`
/// says no. What is found is offered to the search. Starts come from a generator that is always seeded alike.
pub fn descend<S: Space>(
    search: &mut Search<'_, S>,
    start: Vec<usize>,
    mut goes_on: impl FnMut(&Progress) -> bool,
) {
    let lengths: Vec<usize> = search.lengths();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |length: usize| {
        // Knuth's constants of MMIX.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % length.max(1)
    };
    let mut point = start;
    for _ in 0..STARTS {
        if !step_down(search, &lengths, &mut point, &mut goes_on) {
            return;
        }
        point = lengths.iter().map(|length| next(*length)).collect();
    }
}

fn with_value(point: &[usize], axis: usize, value: usize) -> Vec<usize> {
    let mut other = point.to_vec();
    other[axis] = value;
    other
}

/// False where it was stopped.
fn step_down<S: Space>(
    search: &mut Search<'_, S>,
    lengths: &[usize],
    point: &mut [usize],
    goes_on: &mut impl FnMut(&Progress) -> bool,
) -> bool {
    let mut best = search.offer(point);
    loop {
        let mut improved = false;
        for axis in 0..lengths.len() {
            let others: Vec<usize> =
                (0..lengths[axis]).filter(|value| *value != point[axis]).collect();
            for (at, value) in others.iter().copied().enumerate() {
                if at % search.batch() == 0 {
                    let ahead = others[at..].iter().take(search.batch());
                    search.prepare(ahead.map(|value| with_value(point, axis, *value)).collect());
                }
                let before = std::mem::replace(&mut point[axis], value);
                let rank = search.offer(point);
                if rank < best {
                    (best, improved) = (rank, true);
                } else {
                    point[axis] = before;
                }
                if !goes_on(&search.progress()) {
                    return false;
                }
            }
        }
        if !improved {
            return true;
        }
    }
}
