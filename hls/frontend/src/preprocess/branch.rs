//! The branches of undecided conditionals around a place.

use std::sync::Arc;

/// The undecided conditionals around a place, outermost first: which one, and which of its branches.
#[derive(Clone, Default, Eq, PartialEq, Hash, Debug)]
pub(crate) struct Branch(Arc<[(u32, u32)]>);

impl Branch {
    /// The conditionals and branches, outermost first.
    pub(crate) fn steps(&self) -> &[(u32, u32)] {
        &self.0
    }
}

impl FromIterator<(u32, u32)> for Branch {
    fn from_iter<I: IntoIterator<Item = (u32, u32)>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

/// How one branch looks from another.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Relation {
    /// It is there whenever the other is.
    Certain,
    /// It may be there.
    Possible,
    /// It is never there together with the other.
    Excluded,
}

/// How a declaration in `theirs` looks from a place in `ours`.
pub(crate) fn relation(theirs: &Branch, ours: &Branch) -> Relation {
    let mut relation = Relation::Certain;
    for (conditional, branch) in theirs.0.iter() {
        match ours.0.iter().find(|(other, _)| other == conditional) {
            Some((_, other)) if other == branch => {}
            Some(_) => return Relation::Excluded,
            None => relation = Relation::Possible,
        }
    }
    relation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sibling_branches_exclude_each_other() {
        let branch = |steps: &[(u32, u32)]| steps.iter().copied().collect::<Branch>();
        let (then, other, plain) = (branch(&[(1, 0)]), branch(&[(1, 1)]), Branch::default());
        assert_eq!(relation(&then, &other), Relation::Excluded);
        assert_eq!(relation(&then, &branch(&[(1, 0), (2, 0)])), Relation::Certain);
        assert_eq!(relation(&then, &plain), Relation::Possible);
        assert_eq!(relation(&plain, &then), Relation::Certain);
    }
}
