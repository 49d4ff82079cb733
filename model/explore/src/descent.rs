//! Steps along one axis at a time, from a design to one that no such step makes better.

use crate::{Progress, Search, Space};

/// Starts beside the given one, where the space is too large to be looked at whole.
const STARTS: u64 = 1000;
/// Axes that a start changes of the best design so far.
const KICKED: usize = 3;
/// Every so many starts one is taken from the whole space.
const AFAR: u64 = 8;
/// Values in one direction that may be no better before the direction is left.
const MISSES: usize = 2;
/// Values in one direction that are looked at before the other direction.
const TOGETHER: usize = 2;

/// Goes from `start` to a design that no step along one axis improves, then from designs near the best one, and some of the whole
/// space, until `goes_on` says no. A step goes from the present value up and down until values are no better. What is found is offered
/// to the search. Starts come from a generator that is always seeded alike.
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
    for started in 1..=STARTS {
        if !step_down(search, &lengths, &mut point, &mut goes_on) {
            return;
        }
        match search.best() {
            Some(best) if started % AFAR != 0 => {
                point.clone_from(&best.point);
                for _ in 0..KICKED.min(lengths.len()) {
                    let axis = next(lengths.len());
                    point[axis] = next(lengths[axis]);
                }
            }
            _ => point = lengths.iter().map(|length| next(*length)).collect(),
        }
    }
}

fn with_value(point: &[usize], axis: usize, value: usize) -> Vec<usize> {
    let mut other = point.to_vec();
    other[axis] = value;
    other
}

/// The values of an axis on one side of the present one, the nearest first.
struct Side {
    values: Vec<usize>,
    misses: usize,
}

impl Side {
    fn new(mut values: Vec<usize>) -> Self {
        // The next is the last.
        values.reverse();
        Self { values, misses: 0 }
    }

    /// The next values, where more of them are of use.
    fn list_next(&self, most: usize) -> impl Iterator<Item = usize> + '_ {
        let most = if self.misses >= MISSES { 0 } else { most };
        self.values.iter().rev().take(most).copied()
    }

    /// The same, which are then looked at.
    fn take_next(&mut self) -> Vec<usize> {
        let next: Vec<usize> = self.list_next(TOGETHER).collect();
        self.values.truncate(self.values.len() - next.len());
        next
    }
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
        for (axis, length) in lengths.iter().copied().enumerate() {
            let own = point[axis];
            let mut sides = [(own + 1..length).collect(), (0..own).rev().collect()].map(Side::new);
            loop {
                // Many cores look further ahead than is asked for.
                let most = (search.batch() / sides.len()).max(TOGETHER);
                let ahead = sides.iter().flat_map(|side| side.list_next(most));
                search.prepare(ahead.map(|value| with_value(point, axis, value)).collect());
                let next = sides.each_mut().map(Side::take_next);
                if next.iter().all(Vec::is_empty) {
                    break;
                }
                for (side, values) in sides.iter_mut().zip(next) {
                    for value in values {
                        let rank = search.offer(&with_value(point, axis, value));
                        if rank < best {
                            (best, side.misses, improved) = (rank, 0, true);
                            point[axis] = value;
                        } else {
                            side.misses += 1;
                        }
                        if !goes_on(&search.progress()) {
                            return false;
                        }
                    }
                }
            }
        }
        if !improved {
            return true;
        }
    }
}
