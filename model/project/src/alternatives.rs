//! What aliases and constants would be if macros that nothing defines were defined, or if another source included them.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Alias, FileId, Header, Outcome, Resolution, Resolver, Sources, Span};

/// What something is under other circumstances than those of the sources as they are.
#[derive(Clone, Debug)]
pub struct Alternative<T> {
    /// When.
    pub when: When,
    /// What it is then.
    pub what: T,
    /// Its declaration then.
    pub span: Span,
}

/// Under which circumstances something is otherwise.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum When {
    /// Macros that nothing defines are defined: name and value.
    Defined(Vec<(String, String)>),
    /// Another source includes its text, and defines other macros before.
    IncludedBy(FileId),
}

impl When {
    /// As a few words: `CSIM_DEBUG`, `MODE=2`, `included by b.cpp`.
    pub fn words(&self, sources: &Sources) -> String {
        match self {
            Self::Defined(macros) => {
                let one = |(name, value): &(String, String)| {
                    if value == "1" { name.clone() } else { format!("{name}={value}") }
                };
                macros.iter().map(one).collect::<Vec<_>>().join(" and ")
            }
            Self::IncludedBy(file) => format!("included by {}", sources.name(*file)),
        }
    }
}

/// Bytes that are read again in all, each text counted as often as it is included: what a design has, and little beside
/// the first reading of a large tree.
pub(crate) const BYTES: usize = 2 << 20;
/// Enough for the switches of one design.
const MOST: usize = 24;

/// A circumstance, and the sources that read otherwise under it.
pub(crate) struct OpenCircumstance {
    pub when: When,
    pub sources: Vec<FileId>,
}

/// The circumstances that a set of headers leaves open, and how many of them are too many, or too large, to be tried.
pub(crate) fn find_open(
    headers: &[Header],
    sources: &Sources,
    most_bytes: usize,
) -> (Vec<OpenCircumstance>, usize) {
    let mut switches: BTreeMap<&[(String, String)], BTreeSet<FileId>> = BTreeMap::new();
    let mut others: BTreeSet<FileId> = BTreeSet::new();
    for header in headers {
        others.extend(&header.read_otherwise_by);
        for setting in header.absent.iter().flat_map(|absent| &absent.settings) {
            switches.entry(setting).or_default().insert(header.file);
        }
    }
    let found = others.len() + switches.len();
    let roots = find_roots(headers);
    let below = |file: FileId| roots.iter().find(|(root, _)| *root == file);
    let mut all: Vec<(When, Vec<&Root>)> = others
        .into_iter()
        .filter_map(|by| Some((When::IncludedBy(by), vec![below(by)?])))
        .collect();
    // A single switch says more than several at once.
    let mut switches: Vec<_> = switches.into_iter().collect();
    switches.sort_by_key(|(macros, _)| macros.len());
    // Those that are too many are not looked at.
    for (macros, files) in switches.into_iter().take(MOST) {
        let concerned = roots.iter().filter(|(_, below)| !below.is_disjoint(&files));
        all.push((When::Defined(macros.to_vec()), concerned.collect()));
    }
    let (mut open, mut read) = (Vec::new(), 0_usize);
    for (when, concerned) in all {
        let files = concerned.iter().flat_map(|(_, below)| below);
        let bytes = files.fold(0_usize, |sum, &f| sum.saturating_add(sources.text(f).len()));
        if open.len() < MOST && read.saturating_add(bytes) <= most_bytes {
            read += bytes;
            open.push(OpenCircumstance {
                when,
                sources: concerned.iter().map(|(root, _)| *root).collect(),
            });
        }
    }
    let untried = found - open.len();
    (open, untried)
}

/// A source that no other includes, with all that it includes and itself.
type Root = (FileId, BTreeSet<FileId>);

/// All such sources.
fn find_roots(headers: &[Header]) -> Vec<Root> {
    let roots = headers.iter().filter(|header| header.read_by == [header.file]);
    let mut below: BTreeMap<FileId, BTreeSet<FileId>> =
        roots.map(|header| (header.file, BTreeSet::new())).collect();
    for header in headers {
        for root in &header.read_by {
            if let Some(files) = below.get_mut(root) {
                files.insert(header.file);
            }
        }
    }
    headers.iter().filter_map(|header| below.remove_entry(&header.file)).collect()
}

/// What declarations of one name in one file give.
type Placed<T> = Vec<(Span, T)>;

/// Types and numbers by file and name, as one reading of the sources has them.
#[derive(Default)]
pub(crate) struct Facts {
    aliases: BTreeMap<(FileId, String), Placed<Resolution>>,
    constants: BTreeMap<(FileId, String), Placed<Option<i128>>>,
    /// The files that declare an alias or a constant of a name.
    places: BTreeMap<String, BTreeSet<FileId>>,
    /// The sources that read each file.
    readers: BTreeMap<FileId, BTreeSet<FileId>>,
}

impl Facts {
    /// What the headers declare where nothing that is unknown decides it: a macro that a missing header may define makes
    /// two declarations of one name, and says nothing of which one counts.
    pub(crate) fn of_decided(headers: &[Header], sources: &Sources) -> Self {
        Self::select(headers, sources, |condition| condition.is_none())
    }

    pub(crate) fn of(headers: &[Header], sources: &Sources) -> Self {
        Self::select(headers, sources, |_| true)
    }

    fn select(
        headers: &[Header],
        sources: &Sources,
        counts: impl Fn(Option<&str>) -> bool,
    ) -> Self {
        let resolver = Resolver::new(headers, sources);
        let mut facts = Self::default();
        for header in headers {
            facts.readers.insert(header.file, header.read_by.iter().copied().collect());
            let plain = header.aliases.iter().filter(|alias| alias.template.is_empty());
            for alias in plain.filter(|alias| counts(alias.condition.as_deref())) {
                let name = alias.qualified();
                facts.places.entry(name.clone()).or_default().insert(header.file);
                let one = (alias.span, resolver.alias(alias));
                facts.aliases.entry((header.file, name)).or_default().push(one);
            }
            for constant in header.constants.iter().filter(|one| counts(one.condition.as_deref())) {
                let name = constant.qualified();
                facts.places.entry(name.clone()).or_default().insert(header.file);
                let one = (constant.span, constant.value);
                facts.constants.entry((header.file, name)).or_default().push(one);
            }
        }
        facts
    }

    /// Where a name of a file is to be looked for: there, or in the only file that has it of those that the same sources
    /// read. Files of another source mean something else by the name.
    fn find_place(&self, base: &Self, file: FileId, name: &str) -> Option<FileId> {
        let sources = base.readers.get(&file)?;
        let places = self.places.get(name)?;
        let read_together =
            |one: &&FileId| self.readers.get(one).is_some_and(|by| !by.is_disjoint(sources));
        let mut places = places.iter().filter(read_together);
        let first = *places.next()?;
        let others: Vec<&FileId> = places.collect();
        if first == file || others.contains(&&file) {
            return Some(file);
        }
        others.is_empty().then_some(first)
    }

    /// What an alias is here and is not in `base`, where that differs and is known.
    pub(crate) fn other_type(&self, base: &Self, alias: &Alias) -> Option<(Span, Resolution)> {
        let name = alias.qualified();
        let own = base.aliases.get(&(alias.span.file, name.clone()))?;
        let file = self.find_place(base, alias.span.file, &name)?;
        let known = |outcome: &Outcome| match outcome {
            Outcome::Known(kind) => Some(kind.clone()),
            Outcome::Unknown(_) => None,
        };
        let there = self.aliases.get(&(file, name))?;
        let other = there.iter().find(|(span, one)| {
            let differs = own.iter().all(|(_, here)| known(&here.outcome) != known(&one.outcome));
            let elsewhere = own.iter().all(|(here, _)| here != span);
            // A type that is no longer known is not another type, unless it is declared elsewhere.
            differs && (one.known().is_some() || elsewhere)
        });
        other.cloned()
    }

    /// What an alias is that is declared here and not in `base`.
    pub(crate) fn only_here(&self, base: &Self, alias: &Alias) -> Option<Resolution> {
        let key = (alias.span.file, alias.qualified());
        if base.aliases.contains_key(&key) {
            return None;
        }
        let (_, resolution) = self.aliases.get(&key)?.iter().find(|(at, _)| *at == alias.span)?;
        Some(resolution.clone())
    }

    /// What a constant is here and is not in `base`.
    pub(crate) fn other_value(
        &self,
        base: &Self,
        file: FileId,
        name: &str,
    ) -> Option<(Span, i128)> {
        let own = base.constants.get(&(file, name.to_owned()))?;
        let file = self.find_place(base, file, name)?;
        let there = self.constants.get(&(file, name.to_owned()))?;
        there.iter().find_map(|(span, value)| {
            let value = (*value)?;
            own.iter().all(|(_, here)| *here != Some(value)).then_some((*span, value))
        })
    }
}
