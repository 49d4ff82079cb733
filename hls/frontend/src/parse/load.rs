//! Where the texts of includes come from.

use crate::preprocess::{Follow, Followed, Reach, Sought, find_include};
use crate::{FileId, Sources};
use std::sync::Arc;

/// What an `#include` asks for.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub struct Wanted<'a> {
    /// The name of the text that includes.
    pub includer: &'a str,
    /// The path, as it is written.
    pub path: &'a str,
    /// Whether the text may lie beside the includer; else it is only looked for where includes are
    /// kept (`-I`).
    pub beside: bool,
    /// Whether it may lie anywhere in the project: no library has a header of that name.
    pub anywhere: bool,
}

/// What an `#include` leads to.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Loaded {
    /// A text. One whose name is known already is that one.
    Text {
        /// What it is called from here on; a path, usually.
        name: String,
        /// The whole text; not looked at where the name is known.
        text: String,
    },
    /// It is there and is not read: the rest of a sentence that says why.
    Refused(String),
    /// The same, because the limit of texts is reached.
    Full(String),
    /// It is not there.
    Nowhere,
}

/// Finds the text that an include names.
pub type IncludeLoader<'a> = dyn FnMut(&Wanted<'_>) -> Loaded + 'a;

/// Finds includes among the texts that were read.
pub(super) struct Among<'a> {
    pub(super) sources: &'a Sources,
    pub(super) own: &'a [FileId],
}

impl Follow for Among<'_> {
    fn follow(&mut self, sought: &Sought<'_>) -> Followed {
        find_among(self.sources, self.own, sought)
    }

    fn text(&self, file: FileId) -> Arc<str> {
        self.sources.shared(file)
    }

    fn name(&self, file: FileId) -> String {
        self.sources.name(file).to_owned()
    }
}

/// Asks the loader first, then looks among the texts that were read.
pub(super) struct Loading<'a, 'l> {
    sources: &'a mut Sources,
    own: &'a [FileId],
    load: &'a mut IncludeLoader<'l>,
}

impl<'a, 'l> Loading<'a, 'l> {
    pub(super) fn new(
        sources: &'a mut Sources,
        own: &'a [FileId],
        load: &'a mut IncludeLoader<'l>,
    ) -> Self {
        Self { sources, own, load }
    }
}

impl Follow for Loading<'_, '_> {
    fn follow(&mut self, sought: &Sought<'_>) -> Followed {
        let includer = self.sources.name(sought.includer);
        let anywhere = sought.reach == Reach::Anywhere;
        let wanted = Wanted { includer, path: sought.path, beside: sought.beside, anywhere };
        match (self.load)(&wanted) {
            Loaded::Text { name, text } => {
                let known = self.sources.find(&name);
                Followed::Text(known.unwrap_or_else(|| self.sources.add(name, text)))
            }
            Loaded::Refused(reason) => Followed::Refused(reason),
            Loaded::Full(reason) => Followed::Full(reason),
            Loaded::Nowhere => find_among(self.sources, self.own, sought),
        }
    }

    fn text(&self, file: FileId) -> Arc<str> {
        self.sources.shared(file)
    }

    fn name(&self, file: FileId) -> String {
        self.sources.name(file).to_owned()
    }
}

fn find_among(sources: &Sources, own: &[FileId], sought: &Sought<'_>) -> Followed {
    find_include(sources, own, sought).map_or(Followed::Nowhere, Followed::Text)
}
