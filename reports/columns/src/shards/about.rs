//! What a file says of itself.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Reduction;

/// What a file says of itself: the JSON under the key `derate` of its metadata.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// `derate.shard/1`.
    pub schema: String,
    /// The command that gives all points, without the part and the file.
    pub command: String,
    /// A hash of all that the figures depend on: files of another search do not merge.
    pub asked: String,
    /// How many points the search has.
    pub points: u64,
    /// The points that were computed, in order; no two ranges touch.
    pub ranges: Vec<Range<u64>>,
    /// Which rows are kept; `None` for all.
    pub reduction: Option<Reduction>,
}

impl About {
    /// What [`About::schema`] says.
    pub const SCHEMA: &'static str = "derate.shard/1";

    /// Whether both are of one search.
    #[must_use]
    pub fn is_of_search(&self, other: &Self) -> bool {
        let search = |one: &Self| Self { ranges: Vec::new(), ..one.clone() };
        search(self) == search(other)
    }

    /// The points that are missing, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<Range<u64>> {
        let ends = self.ranges.iter().map(|range| range.end);
        let starts = self.ranges.iter().map(|range| range.start).chain([self.points]);
        let gaps = [0].into_iter().chain(ends).zip(starts).map(|(from, to)| from..to);
        gaps.filter(|gap| gap.start < gap.end).collect()
    }
}

/// Ranges in order, those that touch as one.
pub(super) fn join_ranges(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.retain(|range| range.start < range.end);
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
