//! A part of a space: a range of values for each axis.

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::ops::Range;

/// A range of values for each axis; none is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    ranges: Vec<Range<u32>>,
}

/// By the values of the first axis, then of the next one.
impl Ord for Region {
    fn cmp(&self, other: &Self) -> Ordering {
        let own = self.ranges.iter().map(|one| (one.start, one.end));
        own.cmp(other.ranges.iter().map(|one| (one.start, one.end)))
    }
}

impl PartialOrd for Region {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Region {
    /// The whole of a space whose axes have so many values.
    pub fn whole(lengths: impl IntoIterator<Item = usize>) -> Self {
        let range = |length: usize| 0..u32::try_from(length).unwrap_or(u32::MAX);
        Self { ranges: lengths.into_iter().map(range).collect() }
    }

    /// One value of each of the first axes, then a range of the next one, then all values of the others.
    #[must_use]
    pub(crate) fn of_prefix(fixed: &[usize], next: Option<Range<usize>>, lengths: &[u64]) -> Self {
        let bound = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let mut ranges: Vec<Range<u32>> =
            fixed.iter().map(|at| bound(*at)..bound(*at).saturating_add(1)).collect();
        ranges.extend(next.map(|range| bound(range.start)..bound(range.end)));
        let open = lengths.get(ranges.len()..).unwrap_or_default();
        ranges.extend(open.iter().map(|length| 0..u32::try_from(*length).unwrap_or(u32::MAX)));
        Self { ranges }
    }

    /// The first of its designs, in the order of points.
    #[must_use]
    pub fn first_point(&self) -> Vec<usize> {
        self.ranges.iter().map(|range| range.start as usize).collect()
    }

    /// The values of an axis that are in it.
    #[must_use]
    pub fn values(&self, axis: usize) -> Range<usize> {
        let range = &self.ranges[axis];
        range.start as usize..range.end as usize
    }

    /// The designs of it that have one value of an axis.
    #[must_use]
    pub fn with_value(&self, axis: usize, value: usize) -> Self {
        let mut one = self.clone();
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        one.ranges[axis] = value..value.saturating_add(1);
        one
    }

    /// How many designs it has.
    #[must_use]
    pub fn designs(&self) -> f64 {
        self.ranges.iter().map(|range| f64::from(range.end.saturating_sub(range.start))).product()
    }

    /// The one design that it has, as an index for each axis.
    #[must_use]
    pub fn point(&self) -> Option<Vec<usize>> {
        let single =
            |range: &Range<u32>| (range.end == range.start + 1).then_some(range.start as usize);
        self.ranges.iter().map(single).collect()
    }

    /// All its designs, the last axis the fastest.
    #[must_use]
    pub(crate) fn points(&self) -> Vec<Vec<usize>> {
        let mut points = vec![Vec::with_capacity(self.ranges.len())];
        for range in &self.ranges {
            let longer = |point: &Vec<usize>| {
                let point = point.clone();
                range.clone().map(move |value| [point.as_slice(), &[value as usize]].concat())
            };
            points = points.iter().flat_map(longer).collect();
        }
        points
    }

    /// The first axis that has several values.
    #[must_use]
    pub fn open_axis(&self) -> Option<usize> {
        self.ranges.iter().position(|range| range.end > range.start + 1)
    }

    /// Both halves along an axis with several values.
    #[must_use]
    pub fn halves(&self, axis: usize) -> [Self; 2] {
        let range = &self.ranges[axis];
        let middle = range.start + (range.end - range.start) / 2;
        let mut halves = [self.clone(), self.clone()];
        halves[0].ranges[axis].end = middle;
        halves[1].ranges[axis].start = middle;
        halves
    }

    /// Whether the axes of a space have all values of it.
    #[must_use]
    pub fn is_within(&self, lengths: &[usize]) -> bool {
        let fits = |(range, length): (&Range<u32>, &usize)| {
            range.start < range.end && range.end as usize <= *length
        };
        self.ranges.len() == lengths.len() && self.ranges.iter().zip(lengths).all(fits)
    }
}
