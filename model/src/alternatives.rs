//! What aliases and constants would be if macros that nothing defines were defined, or if another source included them.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Alias, FileId, Header, Outcome, Resolution, Resolver, Sources, Span};

/// What something is under other circumstances than those of the sources as they stand.
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

/// Sources are read again until they had this many bytes in all, each text counted as often as it is included.
const BYTES: usize = 256 << 20;
/// Enough for the switches of one design.
const MOST: usize = 24;

/// The circumstances that a set of headers leaves open, and how many of them are too many to be tried.
pub(crate) fn open(headers: &[Header], sources: &Sources) -> (Vec<When>, usize) {
    let mut all: Vec<When> = Vec::new();
    let mut add = |when: When| {
        if !all.contains(&when) {
            all.push(when);
        }
    };
    for header in headers {
        header.read_otherwise_by.iter().for_each(|&file| add(When::IncludedBy(file)));
    }
    for absent in headers.iter().flat_map(|header| &header.absent) {
        absent.settings.iter().for_each(|setting| add(When::Defined(setting.clone())));
    }
    // A single switch says more than several at once.
    all.sort_by_key(|when| match when {
        When::IncludedBy(_) => 0,
        When::Defined(macros) => macros.len(),
    });
    let affordable = (BYTES / cost(headers, sources).max(1)).min(MOST);
    let untried = all.len().saturating_sub(affordable);
    all.truncate(affordable);
    (all, untried)
}

/// The bytes of one reading, about: each source with all that it includes.
fn cost(headers: &[Header], sources: &Sources) -> usize {
    let place: BTreeMap<FileId, &Header> = headers.iter().map(|one| (one.file, one)).collect();
    let files = |header: &Header| {
        header.includes.iter().filter_map(|include| include.file).collect::<Vec<_>>()
    };
    let included: BTreeSet<FileId> = headers.iter().flat_map(files).collect();
    let roots = headers.iter().filter(|header| !included.contains(&header.file));
    let size = |root: &Header| {
        let mut seen = BTreeSet::from([root.file]);
        let mut open = vec![root.file];
        let mut bytes = 0_usize;
        while let Some(file) = open.pop() {
            bytes = bytes.saturating_add(sources.text(file).len());
            let next = place.get(&file).copied().map(files).unwrap_or_default();
            open.extend(next.into_iter().filter(|&file| seen.insert(file)));
        }
        bytes
    };
    roots.map(size).sum()
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
}

impl Facts {
    pub(crate) fn of(headers: &[Header], sources: &Sources) -> Self {
        let resolver = Resolver::new(headers, sources);
        let mut facts = Self::default();
        for header in headers {
            for alias in header.aliases.iter().filter(|alias| alias.template.is_empty()) {
                let name = alias.qualified();
                facts.places.entry(name.clone()).or_default().insert(header.file);
                let one = (alias.span, resolver.alias(alias));
                facts.aliases.entry((header.file, name)).or_default().push(one);
            }
            for constant in &header.constants {
                let name = constant.qualified();
                facts.places.entry(name.clone()).or_default().insert(header.file);
                let one = (constant.span, constant.value);
                facts.constants.entry((header.file, name)).or_default().push(one);
            }
        }
        facts
    }

    /// Where a name of a file is to be looked for: there, or in the only file that has it.
    fn place(&self, file: FileId, name: &str) -> Option<FileId> {
        let places = self.places.get(name)?;
        if places.contains(&file) {
            return Some(file);
        }
        places.first().copied().filter(|_| places.len() == 1)
    }

    /// What an alias is here and is not in `base`, where that differs and is known.
    pub(crate) fn other_type(&self, base: &Self, alias: &Alias) -> Option<(Span, Resolution)> {
        let name = alias.qualified();
        let own = base.aliases.get(&(alias.span.file, name.clone()))?;
        let file = self.place(alias.span.file, &name)?;
        let known = |outcome: &Outcome| match outcome {
            Outcome::Known(kind) => Some(kind.clone()),
            Outcome::Unknown(_) => None,
        };
        let there = self.aliases.get(&(file, name))?;
        let other = there.iter().find(|(span, one)| {
            let differs = own.iter().all(|(_, here)| known(&here.outcome) != known(&one.outcome));
            let elsewhere = own.iter().all(|(here, _)| here != span);
            // A type that is merely lost is no other type, unless it is declared otherwise.
            differs && (one.known().is_some() || elsewhere)
        });
        other.cloned()
    }

    /// What a constant is here and is not in `base`.
    pub(crate) fn other_value(
        &self,
        base: &Self,
        file: FileId,
        name: &str,
    ) -> Option<(Span, i128)> {
        let own = base.constants.get(&(file, name.to_owned()))?;
        let file = self.place(file, name)?;
        let there = self.constants.get(&(file, name.to_owned()))?;
        there.iter().find_map(|(span, value)| {
            let value = (*value)?;
            own.iter().all(|(_, here)| *here != Some(value)).then_some((*span, value))
        })
    }
}
