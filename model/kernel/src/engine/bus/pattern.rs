//! The way of accesses through memory while a nest of loops runs.

use crate::answer::NoBurst;
use crate::graph::{Cut, Linear, NodeId, Storage, Symbol};

/// Elements side by side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Row {
    /// Beats of one row.
    pub(super) length: f64,
    /// Rows while the nest runs.
    pub(super) rows: f64,
}

/// The number of an element, counted over all dimensions; lanes of one word count once.
pub(super) fn flatten(index: &[Linear], storage: &Storage) -> Option<Linear> {
    let mut flat = Linear::default();
    let mut size = 1_i64;
    for (at, part) in index.iter().enumerate().rev() {
        let is_lane = storage.words.get(at).is_some_and(|word| *word != Cut::Whole);
        if storage.word() > 1 && is_lane {
            continue;
        }
        flat = flat.plus(&part.scaled(size)?)?;
        let length = storage.dims.get(at).copied().unwrap_or(1).max(1);
        size = size.checked_mul(i64::try_from(length).ok()?)?;
    }
    Some(flat)
}

/// How many elements these are, if they lie side by side.
pub(super) fn count_side_by_side(elements: &[Linear]) -> Option<i64> {
    let first = elements.first()?;
    if elements.iter().any(|one| one.terms != first.terms) {
        return None;
    }
    let mut places: Vec<i64> = elements.iter().map(|one| one.constant).collect();
    places.sort_unstable();
    places.dedup();
    let count = i64::try_from(places.len()).ok()?;
    (places.last()? - places.first()? + 1 == count).then_some(count)
}

/// The rows that `count` elements from `first` on go over in a nest with these counters and trips, the innermost last.
///
/// They have to go on by `count` in each iteration of the innermost loop. Where the loops around go on from there,
/// their iterations belong to the same row.
pub(super) fn find_row(
    first: &Linear,
    count: i64,
    counters: &[(u32, f64)],
    is_inside: &dyn Fn(NodeId) -> bool,
) -> Result<Row, NoBurst> {
    let is_data = |symbol: Symbol| matches!(symbol, Symbol::Opaque(node) if is_inside(node));
    if first.terms.iter().any(|term| is_data(term.0)) {
        return Err(NoBurst::Pattern);
    }
    #[allow(clippy::cast_precision_loss)]
    let mut row = Row { length: count as f64, rows: 1.0 };
    let mut next = count;
    let mut goes_on = true;
    let mut is_innermost = true;
    for (counter, trip) in counters.iter().rev().filter(|counter| counter.1 > 1.0) {
        goes_on &= first.factor(Symbol::Counter(*counter)) == next;
        if goes_on {
            row.length *= trip;
            #[allow(clippy::cast_possible_truncation)]
            let trip = trip.min(1e15) as i64;
            next = next.saturating_mul(trip);
        } else if is_innermost {
            // Iterations that go on by less than they access have elements in common.
            let step = first.factor(Symbol::Counter(*counter));
            let overlaps = (1..count).contains(&step);
            return Err(if overlaps { NoBurst::SharedBus } else { NoBurst::Stride });
        } else {
            row.rows *= trip;
        }
        is_innermost = false;
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(factors: &[(u32, i64)], constant: i64) -> Linear {
        let terms = factors.iter().map(|(at, by)| (Symbol::Counter(*at), *by)).collect();
        Linear { terms, constant }
    }

    #[test]
    fn a_nest_over_a_whole_array_is_one_row() {
        let row = find_row(&element(&[(0, 26), (1, 1)], 0), 1, &[(0, 9.0), (1, 26.0)], &|_| false);
        assert_eq!(row, Ok(Row { length: 234.0, rows: 1.0 }));
    }

    #[test]
    fn a_part_of_each_row_begins_anew() {
        let row = find_row(&element(&[(0, 64), (1, 1)], 0), 1, &[(0, 9.0), (1, 26.0)], &|_| false);
        assert_eq!(row, Ok(Row { length: 26.0, rows: 9.0 }));
    }

    #[test]
    fn a_column_is_no_row() {
        let row = find_row(&element(&[(0, 1), (1, 64)], 0), 1, &[(0, 9.0), (1, 26.0)], &|_| false);
        assert_eq!(row, Err(NoBurst::Stride));
    }

    #[test]
    fn a_window_has_several_accesses_and_an_offset_none_more() {
        let window = find_row(&element(&[(0, 1)], -1), 3, &[(0, 16.0)], &|_| false);
        assert_eq!(window, Err(NoBurst::SharedBus));
        let offset = find_row(&element(&[(0, 1)], -1), 1, &[(0, 16.0)], &|_| false);
        assert_eq!(offset, Ok(Row { length: 16.0, rows: 1.0 }));
    }

    #[test]
    fn unrolled_accesses_go_on_together() {
        let elements: Vec<Linear> = (0..4).map(|at| element(&[(0, 4)], at)).collect();
        assert_eq!(count_side_by_side(&elements), Some(4));
        let row = find_row(&elements[0], 4, &[(0, 16.0)], &|_| false);
        assert_eq!(row, Ok(Row { length: 64.0, rows: 1.0 }));
        assert_eq!(count_side_by_side(&[element(&[(0, 4)], 0), element(&[(0, 4)], 2)]), None);
    }
}
