//! A line of a log.

use super::figure::Located;
use crate::{FileId, Span};

/// A line, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    pub(super) file: FileId,
    pub(super) start: usize,
}

impl Line<'_> {
    /// A part of the line, located.
    pub(super) fn locate(&self, part: &str) -> Located<String> {
        let at = part.as_ptr() as usize - self.text.as_ptr() as usize + self.start;
        let span = Span { file: self.file, start: at, end: at + part.len() };
        Located::new(part.to_owned(), span)
    }
}

/// The text in single quotes behind `words`.
pub(super) fn quoted_after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("{words}'"))?;
    rest.split_once('\'').map(|(quoted, _)| quoted)
}
