//! What a name may mean, and what a look-up of it found.

use crate::Span;
use crate::header::{Alias, Constant, Enumeration, Function, Header, Structure};
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;

/// Something that a name may mean.
#[derive(Copy, Clone)]
pub(super) enum Declaration<'a> {
    Alias(&'a Alias),
    Structure(&'a Structure),
    Enumeration(&'a Enumeration),
    Constant(&'a Constant),
    Function(&'a Function),
}

impl Declaration<'_> {
    pub(super) fn span(&self) -> Span {
        match self {
            Self::Alias(one) => one.span,
            Self::Structure(one) => one.span,
            Self::Enumeration(one) => one.span,
            Self::Constant(one) => one.span,
            Self::Function(one) => one.span,
        }
    }

    pub(super) fn is_type(&self) -> bool {
        matches!(self, Self::Alias(_) | Self::Structure(_) | Self::Enumeration(_))
    }
}

/// What kind of thing a name is looked up as.
#[derive(Copy, Clone, Eq, PartialEq, Hash)]
pub(super) enum Sought {
    Type,
    Constant,
    Function,
}

/// What a look-up found.
#[derive(Clone, Default)]
pub(super) struct Found<'i, 'a> {
    /// All declarations of the name, with their headers.
    pub(super) all: &'i [(usize, Declaration<'a>)],
    /// Those that count.
    pub(super) picked: Rc<[usize]>,
}

impl<'i, 'a> Found<'i, 'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.picked.is_empty()
    }

    /// The declarations, with their headers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Declaration<'a>)> + use<'_, 'i, 'a> {
        self.picked.iter().filter_map(|&at| self.all.get(at).copied())
    }
}

/// Leaves one of the aliases and constants that say the same at places where all words mean the same: bodies of one
/// name, as overloads have, repeat theirs.
pub(super) fn drop_repeats(all: &mut Vec<(usize, Declaration<'_>)>, headers: &[Header]) {
    let mut seen = HashSet::default();
    all.retain(|&(at, one)| {
        let (declared, words) = match one {
            Declaration::Alias(alias) if alias.template.is_empty() => ("", &alias.spelling),
            Declaration::Constant(one) => (one.declared.as_str(), &one.expression),
            _ => return true,
        };
        let Some(outlook) = headers.get(at).map(|header| &header.outlook) else { return true };
        let place = one.span().start;
        let macros = outlook.moment_at(place, [declared, words]);
        seen.insert((at, one.is_type(), declared, words, macros, outlook.branch_at(place)))
    });
}
