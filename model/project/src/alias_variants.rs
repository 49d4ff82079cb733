//! Aliases of one name that resolve to different types.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{AliasKind, FileId, HlsType, Resolution, Sources, find_lie};

use crate::{Alternative, Code, ResolvedAlias, When};

/// Declarations of one qualified name whose types are known, at least two of them different.
pub struct AliasVariants<'a> {
    /// The name with its scope.
    pub name: String,
    /// The declarations, in the order of their files.
    pub all: Vec<(&'a ResolvedAlias, &'a HlsType)>,
}

impl<'a> AliasVariants<'a> {
    /// The declarations whose type differs from those before: one for each type, the first one that has it.
    #[must_use]
    pub fn distinct_types(&self) -> Vec<(&'a ResolvedAlias, &'a HlsType)> {
        let mut first: Vec<(&'a ResolvedAlias, &'a HlsType)> = Vec::new();
        for one in &self.all {
            if first.iter().all(|other| other.1 != one.1) {
                first.push(*one);
            }
        }
        first
    }

    /// The declarations that one source reads together, as groups of their own: those of a file, of files that include each
    /// other, and of files that a third one includes. Groups of one type are left out.
    #[must_use]
    pub fn split_by_reader(&self, code: &Code) -> Vec<Self> {
        let file = |alias: &ResolvedAlias| alias.alias.span.file;
        let is_read_with = |one: FileId, other: FileId| {
            let reads = |by: FileId| code.is_included(one, by) && code.is_included(other, by);
            !code.are_apart(one, other) || code.all_headers().iter().any(|by| reads(by.file))
        };
        let mut groups: Vec<Vec<(&'a ResolvedAlias, &'a HlsType)>> = Vec::new();
        for &(alias, kind) in &self.all {
            let mut known = groups.iter_mut();
            match known.find(|all| all.iter().all(|one| is_read_with(file(one.0), file(alias)))) {
                Some(group) => group.push((alias, kind)),
                None => groups.push(vec![(alias, kind)]),
            }
        }
        let groups = groups.into_iter().map(|all| Self { name: self.name.clone(), all });
        groups.filter(|group| group.distinct_types().len() > 1).collect()
    }

    /// How many declarations have a type.
    #[must_use]
    pub fn count_of(&self, kind: &HlsType) -> usize {
        self.all.iter().filter(|one| one.1 == kind).count()
    }

    /// The conditions of the declarations, where each has one that the text does not decide.
    #[must_use]
    pub fn conditions(&self) -> Option<BTreeSet<&'a str>> {
        self.all.iter().map(|(alias, _)| alias.alias.condition.as_deref()).collect()
    }
}

/// An alias, and what it is otherwise.
pub type Otherwise<'a> = (&'a ResolvedAlias, &'a Alternative<Resolution>);

/// Aliases that are something else under other circumstances. Of those that are made of one another, the first ones.
pub fn declared_otherwise<'a>(
    code: &'a Code,
    pick: impl Fn(&'a ResolvedAlias) -> Option<&'a Alternative<Resolution>>,
) -> Vec<Otherwise<'a>> {
    let aliases = code.aliases.iter();
    let others: Vec<Otherwise<'a>> =
        aliases.filter_map(|alias| Some((alias, pick(alias)?))).collect();
    let rests_on_another = |alias: &ResolvedAlias| {
        let mut hops = alias.resolution.hops.iter().skip(1);
        hops.any(|hop| others.iter().any(|(other, _)| other.is_at(hop.span)))
    };
    others.iter().copied().filter(|(alias, _)| !rests_on_another(alias)).collect()
}

/// All such names, sorted. Names of a function's or a struct's own scope mean different things in different bodies and
/// specialisations, alias templates are not types, and each Python module has its own names.
#[must_use]
pub fn find_alias_variants(code: &Code) -> Vec<AliasVariants<'_>> {
    let headers = code.all_headers();
    let inner: BTreeSet<String> = headers
        .iter()
        .flat_map(|header| {
            let functions = header.functions.iter().map(derate_hls::Function::qualified);
            functions.chain(header.structures.iter().map(|s| s.scope.qualify(&s.name)))
        })
        .collect();
    let mut names: BTreeMap<String, Vec<(&ResolvedAlias, &HlsType)>> = BTreeMap::new();
    for alias in &code.aliases {
        let plain = alias.alias.template.is_empty() && alias.alias.kind != AliasKind::Assignment;
        if let Some(kind) = alias.resolution.known().filter(|_| plain)
            && !inner.contains(&alias.alias.scope.to_string())
        {
            names.entry(alias.alias.qualified()).or_default().push((alias, kind));
        }
    }
    names
        .into_iter()
        .map(|(name, all)| AliasVariants { name, all })
        .filter(|twins| twins.distinct_types().len() > 1)
        .collect()
}

/// Why it is open which type an alias has in a build, and another one may keep what its name promises: its branch is
/// undecided, or macros that nothing defines give it the promised type.
#[must_use]
pub fn find_open_choice(sources: &Sources, alias: &ResolvedAlias) -> Option<String> {
    if let Some(condition) = &alias.alias.condition {
        return Some(format!("this is so in a build where `{condition}`"));
    }
    let keeps = |one: &&Alternative<Resolution>| {
        matches!(one.when, When::Defined(_))
            && one.what.known().is_some()
            && find_lie(&alias.alias, &one.what).is_none()
    };
    let other = alias.alternatives.iter().find(keeps)?;
    let kind = other.what.known()?;
    let when = other.when.words(sources);
    Some(format!("it is `{kind}` in a build that defines `{when}`; nothing here defines it"))
}
