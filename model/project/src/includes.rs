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

    /// Whether an include led to the text of this name.
    pub(crate) fn is_included(&self, name: &str) -> bool {
        self.found.values().any(|found| matches!(found, IncludeOutcome::Text(text) if text == name))
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
