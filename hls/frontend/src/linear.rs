//! Sums of loop counters: what an index is made of.

use crate::{Reason, Settled};
use std::collections::BTreeMap;

/// `constant + factor * iteration of a loop + ...`; the loops by their indices, no factor is zero.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i128,
    pub(crate) terms: BTreeMap<usize, i128>,
}

/// No person writes an index over more loops than this.
const TERMS: usize = 64;

impl Linear {
    pub(crate) fn known(constant: i128) -> Self {
        Self { constant, terms: BTreeMap::new() }
    }

    /// The value, if no loop has a say in it.
    pub(crate) fn value(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    pub(crate) fn add_scaled(&self, factor: i128, other: &Self) -> Settled<Self> {
        let mut sum = self.clone();
        let add = |to: i128, what: i128| {
            what.checked_mul(factor)
                .and_then(|what| to.checked_add(what))
                .ok_or_else(overflow_reason)
        };
        sum.constant = add(sum.constant, other.constant)?;
        for (&at, &what) in &other.terms {
            let entry = sum.terms.entry(at).or_insert(0);
            *entry = add(*entry, what)?;
        }
        sum.terms.retain(|_, factor| *factor != 0);
        if sum.terms.len() > TERMS {
            return Err("it depends on too many loops".into());
        }
        Ok(sum)
    }

    /// `factor * self`
    pub(crate) fn scale_by(&self, factor: i128) -> Settled<Self> {
        Self::default().add_scaled(factor, self)
    }

    /// The least and the greatest value, given the trip count of each loop.
    pub(crate) fn find_range(
        &self,
        trips: &dyn Fn(usize) -> Settled<u64>,
    ) -> Settled<(i128, i128)> {
        let (mut least, mut most) = (self.constant, self.constant);
        for (&at, &factor) in &self.terms {
            let last = i128::from(trips(at)?.saturating_sub(1));
            let reach = factor.checked_mul(last).ok_or_else(overflow_reason)?;
            let end = if reach < 0 { &mut least } else { &mut most };
            *end = end.checked_add(reach).ok_or_else(overflow_reason)?;
        }
        Ok((least, most))
    }
}

/// The reason for a number that no machine integer holds.
pub(crate) fn overflow_reason() -> Reason {
    "the value is too large".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_drop_what_cancels_and_know_their_range() {
        let i = Linear { constant: 3, terms: BTreeMap::from([(0, 4), (1, -1)]) };
        let j = Linear { constant: 1, terms: BTreeMap::from([(1, 1)]) };
        let sum = i.add_scaled(1, &j).unwrap();
        assert_eq!(sum, Linear { constant: 4, terms: BTreeMap::from([(0, 4)]) });
        assert_eq!(i.find_range(&|_| Ok(5)), Ok((3 - 4, 3 + 16)));
        assert!(i.scale_by(i128::MAX).is_err());
        assert_eq!(i.scale_by(0).unwrap().value(), Some(0));
    }
}
