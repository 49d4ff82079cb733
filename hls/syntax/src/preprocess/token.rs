//! Tokens of the preprocessor, and the table of their spellings.

use crate::ast::Place;
use rustc_hash::FxHashMap as HashMap;
use std::rc::Rc;

/// A spelling, by its number in [`Spellings`].
#[derive(Clone, Copy, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) struct Spelling(u32);

/// What sort of token it is.
#[derive(Clone, Copy, Eq, PartialEq, Debug)]
pub(crate) enum TokenKind {
    Identifier,
    Number,
    /// A text or a character in quotes, prefix included.
    Quoted,
    Punctuation,
    /// Marks an empty argument next to `##`.
    Placemarker,
    /// The end of a logical line.
    LineEnd,
}

/// A preprocessing token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) spelling: Spelling,
    pub(crate) place: Place,
    /// Whether white space is before it.
    pub(crate) spaced: bool,
    /// The macros that are not expanded in it, by number in [`super::hide::HideSets`].
    pub(crate) hidden: u32,
}

/// Every spelling once.
#[derive(Debug, Default)]
pub(crate) struct Spellings {
    numbers: HashMap<Rc<str>, Spelling>,
    texts: Vec<Rc<str>>,
}

impl Spellings {
    pub(crate) fn intern(&mut self, text: &str) -> Spelling {
        if let Some(&known) = self.numbers.get(text) {
            return known;
        }
        let number = Spelling(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let text: Rc<str> = Rc::from(text);
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    /// The number of a text that was seen before.
    pub(crate) fn find(&self, text: &str) -> Option<Spelling> {
        self.numbers.get(text).copied()
    }

    pub(crate) fn text(&self, spelling: Spelling) -> &str {
        self.texts.get(spelling.0 as usize).map_or("", AsRef::as_ref)
    }
}
