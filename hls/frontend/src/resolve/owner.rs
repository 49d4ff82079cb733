//! The template that a declaration is in.

use super::Resolver;
use crate::header::{Alias, Function, Header, Structure, TemplateParameter};
use crate::{Settled, Span};

/// A template with a body, in which declarations depend on its parameters.
#[derive(Copy, Clone)]
pub(super) enum Owner<'a> {
    Structure(&'a Structure),
    Function(&'a Function),
    Alias(&'a Alias),
}

impl<'a> Owner<'a> {
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Structure(one) => &one.name,
            Self::Function(one) => &one.name,
            Self::Alias(one) => &one.name,
        }
    }

    pub(super) fn span(self) -> Span {
        match self {
            Self::Structure(one) => one.span,
            Self::Function(one) => one.span,
            Self::Alias(one) => one.span,
        }
    }

    pub(super) fn template(self) -> &'a [TemplateParameter] {
        match self {
            Self::Structure(one) => &one.template,
            Self::Function(one) => &one.template,
            Self::Alias(one) => &one.template,
        }
    }
}

/// The templates of a header, the first one first.
pub(super) fn list_owners(header: &Header) -> Vec<Owner<'_>> {
    let structures = header.structures.iter().map(Owner::Structure);
    let functions = header.functions.iter().map(Owner::Function);
    let aliases = header.aliases.iter().map(Owner::Alias);
    let all = structures.chain(functions).chain(aliases);
    let mut owners: Vec<Owner<'_>> = all.filter(|one| !one.template().is_empty()).collect();
    owners.sort_by_key(|one| one.span().start);
    owners
}

impl<'a> Resolver<'a> {
    /// The innermost template around a place.
    pub(super) fn find_owner(&self, place: Span) -> Settled<Option<Owner<'a>>> {
        let Some(header) = self.index.header_of(place.file) else { return Ok(None) };
        let owners = self.index.owners_in(header);
        let known = self.owners.borrow().get(&place).cloned();
        let found = known.unwrap_or_else(|| {
            let found = find_innermost(owners, place);
            self.owners.borrow_mut().insert(place, found.clone());
            found
        });
        found.map(|at| at.and_then(|at| owners.get(at).copied()))
    }
}

/// Which of these templates is the innermost one around a place; the innermost one is declared last.
fn find_innermost(owners: &[Owner<'_>], place: Span) -> Settled<Option<usize>> {
    let before = owners.partition_point(|one| one.span().start <= place.start);
    let mut around = (0..before).rev().filter(|&at| owners[at].span().contains(place));
    let Some(innermost) = around.next() else { return Ok(None) };
    let is_struct = matches!(owners[innermost], Owner::Structure(_));
    // What is around a struct is in the path of each use; a call does not show it.
    if !is_struct && around.next().is_some() {
        let reason =
            "it is in a template that is a member of a template, whose uses are not followed";
        return Err(reason.into());
    }
    Ok(Some(innermost))
}
