//! Sums of counters with constant factors.

use super::NodeId;
use smallvec::{SmallVec, smallvec};

/// What a sum is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Symbol {
    /// The counter of a loop.
    Counter(u32),
    /// A value of which nothing else is known.
    Opaque(NodeId),
}

/// `constant + sum of factor * symbol`, with symbols in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) terms: SmallVec<[(Symbol, i64); 2]>,
    pub(crate) constant: i64,
}

impl Linear {
    pub(crate) fn constant(value: i128) -> Self {
        let constant =
            i64::try_from(value).unwrap_or(if value < 0 { i64::MIN / 4 } else { i64::MAX / 4 });
        Self { terms: SmallVec::new(), constant }
    }

    pub(crate) fn symbol(symbol: Symbol) -> Self {
        Self { terms: smallvec![(symbol, 1)], constant: 0 }
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    pub(crate) fn scaled(&self, by: i64) -> Option<Self> {
        if by == 0 {
            return Some(Self::default());
        }
        let mut terms = SmallVec::with_capacity(self.terms.len());
        for (symbol, factor) in &self.terms {
            terms.push((*symbol, factor.checked_mul(by)?));
        }
        Some(Self { terms, constant: self.constant.checked_mul(by)? })
    }

    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let mut terms = self.terms.clone();
        for (symbol, factor) in &other.terms {
            match terms.binary_search_by_key(symbol, |term| term.0) {
                Ok(at) => {
                    terms[at].1 = terms[at].1.checked_add(*factor)?;
                    if terms[at].1 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) => terms.insert(at, (*symbol, *factor)),
            }
        }
        (terms.len() <= 12).then_some(())?;
        Some(Self { terms, constant: self.constant.checked_add(other.constant)? })
    }

    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        self.plus(&other.scaled(-1)?)
    }

    /// The value where the counters have these values, and everything else is 0.
    pub(crate) fn value_at(&self, values: &[(u32, i64)]) -> i64 {
        let own = self.terms.iter().map(|(symbol, factor)| match symbol {
            Symbol::Counter(counter) => {
                let value = values.iter().find(|value| value.0 == *counter).map_or(0, |one| one.1);
                factor.saturating_mul(value)
            }
            Symbol::Opaque(_) => 0,
        });
        own.fold(self.constant, i64::saturating_add)
    }

    /// The factor of a symbol.
    pub(crate) fn factor(&self, symbol: Symbol) -> i64 {
        self.terms.binary_search_by_key(&symbol, |term| term.0).map_or(0, |at| self.terms[at].1)
    }
}
