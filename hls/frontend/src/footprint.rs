//! How many distinct elements a set of accesses touches.

use crate::linear::overflow_reason;
use crate::{AccessKind, Settled};
use std::collections::BTreeMap;

/// What a function touches of one of its parameters.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Footprint {
    /// How many different elements are touched.
    pub elements: u64,
    /// The first element that is touched; none if none is.
    pub first: Option<i128>,
    /// The last one.
    pub last: Option<i128>,
    /// Whether the elements are read, written, or both; none if none is touched.
    pub kind: Option<AccessKind>,
    /// How many times elements are read or written in all. None if a condition decides about some
    /// of the accesses, though they touch no element that others do not.
    pub touches: Option<u64>,
}

impl Footprint {
    /// Whether every element between the first and the last one is touched.
    pub fn is_dense(&self) -> bool {
        match (self.first, self.last) {
            (Some(first), Some(last)) => last - first + 1 == i128::from(self.elements),
            _ => true,
        }
    }
}

/// The elements of one access: `base + stride * 0..count` over every level. The strides grow, and
/// each is larger than all that lies below it reaches, so that no element is counted twice.
#[derive(Clone, Eq, PartialEq, Debug)]
pub(crate) struct Reach {
    base: i128,
    levels: Vec<(i128, i128)>,
}

/// Sets that follow no rule are counted one by one up to this size.
const LISTED: i128 = 1 << 18;

impl Reach {
    /// All sums of a base and one multiple below `count` of each stride.
    pub(crate) fn new(base: i128, strides: &[(i128, u64)]) -> Settled<Option<Self>> {
        let mut base = base;
        let mut wide: BTreeMap<i128, i128> = BTreeMap::new();
        for &(stride, count) in strides {
            if count == 0 {
                return Ok(None);
            }
            let more = i128::from(count) - 1;
            if stride < 0 {
                let down = stride.checked_mul(more).ok_or_else(overflow_reason)?;
                base = base.checked_add(down).ok_or_else(overflow_reason)?;
            }
            // Two loops of one stride reach as far as one with the iterations of both.
            let stride = stride.checked_abs().ok_or_else(overflow_reason)?;
            if stride != 0 && more != 0 {
                *wide.entry(stride).or_insert(1) += more;
            }
        }
        let mut reach = Self { base, levels: Vec::new() };
        for (stride, count) in wide {
            reach.add_level(stride, count)?;
        }
        Ok(Some(reach))
    }

    fn span(&self) -> Settled<i128> {
        self.levels.iter().try_fold(0_i128, |sum, &(stride, count)| {
            stride
                .checked_mul(count - 1)
                .and_then(|more| sum.checked_add(more))
                .ok_or_else(overflow_reason)
        })
    }

    fn add_level(&mut self, stride: i128, count: i128) -> Settled<()> {
        if let [(step, length)] = self.levels[..]
            && stride % step == 0
            && stride / step <= length
        {
            // Runs that touch or overlap make one run.
            let more = (stride / step).checked_mul(count - 1).ok_or_else(overflow_reason)?;
            self.levels = vec![(step, length.checked_add(more).ok_or_else(overflow_reason)?)];
        } else if stride > self.span()? {
            self.levels.push((stride, count));
        } else {
            return Err("its accesses overlap in a pattern that is not counted".into());
        }
        self.span().map(|_| ())
    }

    fn last(&self) -> Settled<i128> {
        self.base.checked_add(self.span()?).ok_or_else(overflow_reason)
    }

    fn count(&self) -> Settled<i128> {
        let counts = self.levels.iter().map(|&(_, count)| count);
        counts.into_iter().try_fold(1_i128, i128::checked_mul).ok_or_else(overflow_reason)
    }

    fn is_dense(&self) -> bool {
        matches!(self.levels[..], [] | [(1, _)])
    }

    fn list_elements(&self) -> Vec<i128> {
        let mut all = vec![self.base];
        for &(stride, count) in &self.levels {
            all =
                (0..count).flat_map(|turn| all.iter().map(move |at| at + stride * turn)).collect();
        }
        all
    }
}

/// How many elements several sets hold together, and the first and the last one.
pub(crate) fn unite_reaches(mut all: Vec<Reach>) -> Settled<Option<(i128, i128, i128)>> {
    all.sort_by(|one, other| (one.base, &one.levels).cmp(&(other.base, &other.levels)));
    all.dedup();
    let mut done: Vec<(i128, i128, i128)> = Vec::new();
    // Sets whose ranges meet.
    let mut group: Vec<Reach> = Vec::new();
    let mut end = None;
    for reach in all {
        let last = reach.last()?;
        if end.is_some_and(|end| reach.base > end) {
            done.push(unite_group(&std::mem::take(&mut group))?);
        }
        end = Some(end.map_or(last, |end: i128| end.max(last)));
        group.push(reach);
    }
    if !group.is_empty() {
        done.push(unite_group(&group)?);
    }
    let (Some(first), Some(last)) = (done.first(), done.last()) else { return Ok(None) };
    let total = done.iter().map(|one| one.2).try_fold(0_i128, i128::checked_add);
    Ok(Some((first.0, last.1, total.ok_or_else(overflow_reason)?)))
}

/// Sets whose ranges meet: first, last, and how many elements.
fn unite_group(group: &[Reach]) -> Settled<(i128, i128, i128)> {
    let first = group.iter().map(|one| one.base).min().unwrap_or(0);
    let mut last = first;
    for one in group {
        last = last.max(one.last()?);
    }
    if let [only] = group {
        return Ok((first, last, only.count()?));
    }
    // Dense runs that meet leave no gap; what lies within them adds nothing.
    let mut covered: Option<i128> = None;
    for one in group.iter().filter(|one| one.is_dense()) {
        if covered.map_or(one.base == first, |end| one.base <= end + 1) {
            covered = Some(covered.unwrap_or(first).max(one.last()?));
        }
    }
    if covered == Some(last) {
        return Ok((first, last, last - first + 1));
    }
    let mut points = 0_i128;
    for one in group {
        points = points.checked_add(one.count()?).ok_or_else(overflow_reason)?;
    }
    if points > LISTED {
        return Err("its accesses overlap in a pattern that is not counted".into());
    }
    let mut listed: Vec<i128> = group.iter().flat_map(Reach::list_elements).collect();
    listed.sort_unstable();
    listed.dedup();
    Ok((first, last, i128::try_from(listed.len()).unwrap_or(points)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn count(all: &[(i128, &[(i128, u64)])]) -> Settled<i128> {
        let mut reaches = Vec::new();
        for (base, strides) in all {
            reaches.extend(Reach::new(*base, strides)?);
        }
        Ok(unite_reaches(reaches)?.map_or(0, |(_, _, count)| count))
    }

    #[test]
    fn matrices_tiles_windows_and_columns() {
        assert_eq!(count(&[(0, &[(3072, 1024), (1, 3072)])]), Ok(3_145_728));
        assert_eq!(count(&[(0, &[(64, 4), (1, 16)])]), Ok(64));
        // A 3 x 3 window over 32 x 32 leaves 30 x 30 places.
        assert_eq!(count(&[(0, &[(32, 30), (32, 3), (1, 30), (1, 3)])]), Ok(1024));
        assert_eq!(count(&[(9, &[(-1, 10)])]), Ok(10));
        assert_eq!(count(&[(0, &[(2, 8)]), (1, &[(2, 8)])]), Ok(16));
        assert_eq!(count(&[(0, &[(1, 0)])]), Ok(0));
        assert!(count(&[(0, &[(3, 10), (2, 1 << 40)])]).is_err());
    }

    proptest! {
        /// What is counted is what listing gives.
        #[test]
        fn a_count_is_never_a_guess(
            all in prop::collection::vec(
                (-9_i128..9, prop::collection::vec((-7_i128..8, 0_u64..5), 0..4)), 0..4),
        ) {
            let mut points = BTreeSet::new();
            for (base, strides) in &all {
                let mut own = vec![*base];
                for (stride, count) in strides {
                    own = (0..*count).flat_map(|turn| {
                        own.iter().map(move |at| at + stride * i128::from(turn)).collect::<Vec<_>>()
                    }).collect();
                }
                points.extend(own);
            }
            let given: Vec<(i128, &[(i128, u64)])> =
                all.iter().map(|(base, strides)| (*base, strides.as_slice())).collect();
            if let Ok(count) = count(&given) {
                prop_assert_eq!(usize::try_from(count).unwrap(), points.len());
            }
        }
    }
}
