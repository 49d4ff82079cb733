//! Where the texts of includes come from, and what came of it.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Loaded, Wanted};

/// Finds the texts of includes.
pub trait Includes {
    /// The text that an include names.
    fn load(&mut self, wanted: &Wanted<'_>) -> Loaded;

    /// Whether a text of this name, which was loaded, belongs to the project. What others declare serves to resolve
    /// names; there are no findings about them.
    fn is_own(&self, name: &str) -> bool;
}

/// What an include led to.
#[derive(Clone, Debug)]
enum IncludeOutcome {
    Text(String),
    Refused(String),
    Full(String),
    Nowhere,
}

impl IncludeOutcome {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Text(name) => Some(name),
            Self::Refused(_) | Self::Full(_) | Self::Nowhere => None,
        }
    }
}

/// What each include led to, so that the same sources can be read again without a disk. An empty one finds nothing.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    found: BTreeMap<(String, String, bool), IncludeOutcome>,
    beyond: BTreeSet<String>,
}

impl Recorded {
    /// Notes what an include led to; `own` says whether the text belongs to the project.
    pub fn record(&mut self, wanted: &Wanted<'_>, loaded: &Loaded, own: bool) {
        let found = match loaded {
            Loaded::Text { name, .. } => {
                if !own {
                    self.beyond.insert(name.clone());
                }
                IncludeOutcome::Text(name.clone())
            }
            Loaded::Refused(reason) => IncludeOutcome::Refused(reason.clone()),
            Loaded::Full(reason) => IncludeOutcome::Full(reason.clone()),
            Loaded::Nowhere => IncludeOutcome::Nowhere,
        };
        let key = (wanted.includer.to_owned(), wanted.path.to_owned(), wanted.beside);
        self.found.insert(key, found);
    }

    /// The names of the texts that includes led to.
    pub(crate) fn list_included(&self) -> BTreeSet<&str> {
        self.found.values().filter_map(IncludeOutcome::name).collect()
    }

    /// The name of the text that an include led to.
    pub(crate) fn find(&self, wanted: &Wanted<'_>) -> Option<&str> {
        let key = (wanted.includer.to_owned(), wanted.path.to_owned(), wanted.beside);
        self.found.get(&key)?.name()
    }

    /// The texts that the includes of one text led to: the path, whether it may lie beside the includer, and the name.
    pub(crate) fn list_followed<'a>(
        &'a self,
        includer: &'a str,
    ) -> impl Iterator<Item = (&'a str, bool, &'a str)> {
        let first = (includer.to_owned(), String::new(), false);
        let own = self.found.range(first..).take_while(move |((by, ..), _)| by == includer);
        own.filter_map(|((_, path, beside), found)| Some((path.as_str(), *beside, found.name()?)))
    }
}

impl Includes for Recorded {
    fn load(&mut self, wanted: &Wanted<'_>) -> Loaded {
        let key = (wanted.includer.to_owned(), wanted.path.to_owned(), wanted.beside);
        match self.found.get(&key) {
            // Its text is among the sources.
            Some(IncludeOutcome::Text(name)) => {
                Loaded::Text { name: name.clone(), text: String::new() }
            }
            Some(IncludeOutcome::Refused(reason)) => Loaded::Refused(reason.clone()),
            Some(IncludeOutcome::Full(reason)) => Loaded::Full(reason.clone()),
            Some(IncludeOutcome::Nowhere) | None => Loaded::Nowhere,
        }
    }

    fn is_own(&self, name: &str) -> bool {
        !self.beyond.contains(name)
    }
}
