//! An axis that a search may open, and how two of one thing become one.

use super::Variation;

/// An axis with what ranks it.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) variation: Variation,
    /// The share of the cycles of the loop that it is about.
    pub(super) share: Option<f64>,
    /// Whether `derate kernel` advises it.
    pub(super) is_advised: bool,
}

pub(super) fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

/// Takes in an axis; of one that is there, the values that both have.
pub(super) fn add(found: &mut Vec<Candidate>, one: Candidate) {
    match found.iter_mut().find(|known| known.variation.target == one.variation.target) {
        // Instances of a template share labels.
        Some(known) => {
            known.variation.values.retain(|value| one.variation.values.contains(value));
            known.share = larger(known.share, one.share);
        }
        None => found.push(one),
    }
}

/// Takes in an axis; of one that is there, all values of both.
pub(super) fn unite(found: &mut Vec<Candidate>, one: Candidate) {
    let known = found.iter_mut().find(|known| known.variation.target == one.variation.target);
    let Some(known) = known else {
        found.push(one);
        return;
    };
    known.is_advised |= one.is_advised;
    known.share = larger(known.share, one.share);
    let values = &mut known.variation.values;
    for value in one.variation.values {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    // The value that is written may be a word: it stays the first.
    values.sort_by_key(|value| value.parse::<u64>().unwrap_or(0));
}
