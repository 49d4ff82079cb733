//! Who finds the text that an `#include` means.

use crate::FileId;
use std::sync::Arc;

/// What an `#include` asks for.
pub(crate) struct Sought<'a> {
    pub(crate) includer: FileId,
    pub(crate) path: &'a str,
    /// Whether it may lie beside the includer; else it is only looked for where includes are kept.
    pub(crate) beside: bool,
    pub(crate) reach: Reach,
}

/// Which of the texts that were read already an `#include` may mean.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) enum Reach {
    /// None: a vendor's lies where includes are kept.
    Kept,
    /// The one beside the includer: the library has a header of that name.
    Beside,
    /// That, or the only one whose name ends so.
    Anywhere,
}

/// What an `#include` leads to.
pub(crate) enum Followed {
    Text(FileId),
    /// It is there and is not read: the rest of a sentence that says why.
    Refused(String),
    /// The same, and no more texts are taken.
    Full(String),
    Nowhere,
}

pub(crate) trait Follow {
    fn follow(&mut self, sought: &Sought<'_>) -> Followed;

    /// A text that was found.
    fn text(&self, file: FileId) -> Arc<str>;

    fn name(&self, file: FileId) -> String;
}
