//! Texts, and places in them: what every reader of derate's inputs starts from.
//!
//! A [`Sources`] keeps each text under its name. A [`Span`] is a range of bytes of one of them; [`Sources::position`]
//! gives its line and column and [`Sources::excerpt`] the lines that a diagnostic shows. [`Language`] says which reader a
//! text is for, [`ScalarType`] what its numbers are. Nothing here reads files.
//!
//! ```
//! use derate_source::{Sources, Span};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("types.h", "typedef float weight_t;\ntypedef half bias_t;\n");
//! let start = sources.text(file).find("half").unwrap_or(0);
//! let span = Span { file, start, end: start + 4 };
//! assert_eq!(sources.slice(span), "half");
//! assert_eq!(sources.position(span).to_string(), "2:9");
//! ```

mod diff;
mod language;
mod parentheses;
mod patch;
mod place;
mod reason;
mod scalar;
mod words;

pub use diff::unified_diff;
pub use language::Language;
pub use parentheses::find_unclosed;
pub use patch::{Patch, apply_patches};
pub use place::FilePlace;
pub use reason::{Reason, Settled};
pub use scalar::{NumberKind, NumberLibrary, ScalarType};
pub use words::{bare_name, find_words, is_plain, is_word_char, may_set, split_words};

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// Which text of a [`Sources`] a span lies in.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, serde::Serialize)]
pub struct FileId(u32);

/// A range of bytes of one text. Both ends lie on character boundaries.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug, serde::Serialize)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// Whether another piece of a text is inside this one.
    pub fn contains(self, inner: Self) -> bool {
        self.file == inner.file && self.start <= inner.start && inner.end <= self.end
    }
}

/// Line and column, both counted from one; the column counts characters, not bytes.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Position {
    /// The line, from one.
    pub line: usize,
    /// The column in characters, from one.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The whole lines that a span covers, for a diagnostic.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Excerpt {
    /// The name of the text.
    pub name: String,
    /// The number of the first line of `text`.
    pub first_line: usize,
    /// Whole lines, without the last line's end.
    pub text: String,
    /// Where the span starts within `text`, in bytes.
    pub start: usize,
    /// Where the span ends within `text`, in bytes.
    pub end: usize,
}

/// A diagnostic shows no more lines than this; the rest of a long span is cut off.
const EXCERPT_LINES: usize = 6;

#[derive(Clone, Debug)]
struct Text {
    name: Arc<str>,
    content: Arc<str>,
    /// Where each line starts.
    lines: Vec<usize>,
}

/// Every text that was read, kept as it was.
#[derive(Default, Debug, Clone)]
pub struct Sources {
    texts: Vec<Text>,
    /// The first text of each name.
    names: HashMap<Arc<str>, FileId>,
}

impl Sources {
    /// Keeps a text under a name (a path, usually) and says which one it is.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let lines = lines.collect();
        let id = FileId(u32::try_from(self.texts.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into().into();
        self.names.entry(Arc::clone(&name)).or_insert(id);
        self.texts.push(Text { name, content: text.into(), lines });
        id
    }

    /// The first text of a name.
    pub fn find(&self, name: &str) -> Option<FileId> {
        self.names.get(name).copied()
    }

    fn get(&self, file: FileId) -> Option<&Text> {
        self.texts.get(usize::try_from(file.0).ok()?)
    }

    /// The name that the text was added under; empty for a text of another `Sources`.
    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("", |text| &text.name)
    }

    /// The whole text; empty for a text of another `Sources`.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |text| &text.content)
    }

    /// The same, to be kept while texts are added.
    pub fn shared(&self, file: FileId) -> Arc<str> {
        self.get(file).map(|text| Arc::clone(&text.content)).unwrap_or_default()
    }

    /// Where a span starts. A span past the end is at the end.
    pub fn position(&self, span: Span) -> Position {
        let Some(text) = self.get(span.file) else { return Position { line: 1, column: 1 } };
        let start = boundary(&text.content, span.start);
        let line = self.line(span);
        let from = text.lines.get(line - 1).copied().unwrap_or(0);
        let column = text.content.get(from..start).map_or(0, |before| before.chars().count()) + 1;
        Position { line, column }
    }

    /// The line where a span starts, from one: what [`Sources::position`] says without counting the characters before
    /// it, which is slow where a whole model is on one line.
    pub fn line(&self, span: Span) -> usize {
        let Some(text) = self.get(span.file) else { return 1 };
        let start = boundary(&text.content, span.start);
        text.lines.partition_point(|&from| from <= start).max(1)
    }

    /// A line of a text, without the blanks around it; lines count from one. `None` behind the last one.
    pub fn line_span(&self, file: FileId, line: u32) -> Option<Span> {
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        let text = self.text(file);
        let mut lines = text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(at).map(str::len).sum();
        let line = lines.next()?;
        let blanks = line.len() - line.trim_start().len();
        let end = start + line.trim_end().len();
        Some(Span { file, start: (start + blanks).min(end), end })
    }

    /// The text of a span, cut at the text's end.
    pub fn slice(&self, span: Span) -> &str {
        let text = self.text(span.file);
        let (start, end) = (boundary(text, span.start), boundary(text, span.end));
        text.get(start..end.max(start)).unwrap_or("")
    }

    /// The whole lines that a span covers, at most six.
    pub fn excerpt(&self, span: Span) -> Excerpt {
        let text = self.text(span.file);
        let start = boundary(text, span.start);
        let end = boundary(text, span.end).max(start);
        let first_line = self.position(span).line;
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        // A span that ends with its line's end does not cover the next line.
        let last = if end > start && text[..end].ends_with('\n') { end - 1 } else { end };
        let to = text[last..].find('\n').map_or(text.len(), |at| last + at);
        let shown = &text[from..to];
        let cut =
            shown.match_indices('\n').nth(EXCERPT_LINES - 1).map_or(shown.len(), |(at, _)| at);
        let shown = shown[..cut].trim_end_matches('\r');
        Excerpt {
            name: self.name(span.file).to_owned(),
            first_line,
            start: (start - from).min(shown.len()),
            end: (end - from).min(shown.len()),
            text: shown.to_owned(),
        }
    }

    /// Every text, in the order of their adding.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        (0..u32::try_from(self.texts.len()).unwrap_or(u32::MAX)).map(FileId)
    }
}

/// A region that could not be read.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Unparsed {
    /// Where.
    pub span: Span,
    /// One sentence.
    pub reason: String,
}

/// The nearest character boundary at or before a byte offset.
pub fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &str) -> (Sources, FileId) {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        (sources, file)
    }

    #[test]
    fn a_name_is_its_first_text() {
        let (mut sources, first) = one("a");
        let other = sources.add("b.h", "b");
        sources.add("a.h", "c");
        assert_eq!(sources.find("a.h"), Some(first));
        assert_eq!(sources.find("b.h"), Some(other));
        assert_eq!(sources.find("c.h"), None);
    }

    #[test]
    fn columns_count_characters() {
        let (sources, file) = one("int a;\n/* 权重 */ int b;\r\n");
        let at = sources.text(file).find("int b").unwrap();
        let position = sources.position(Span { file, start: at, end: at + 5 });
        assert_eq!(position, Position { line: 2, column: 10 });
    }

    #[test]
    fn an_excerpt_is_whole_lines_without_the_carriage_return() {
        let (sources, file) = one("first\nusing a = float;\r\nlast");
        let excerpt = sources.excerpt(Span { file, start: 12, end: 13 });
        assert_eq!((excerpt.first_line, excerpt.text.as_str()), (2, "using a = float;"));
        assert_eq!(&excerpt.text[excerpt.start..excerpt.end], "a");
    }

    #[test]
    fn a_long_span_is_cut_at_six_lines() {
        let (sources, file) = one(&"line\n".repeat(50));
        assert_eq!(sources.excerpt(Span { file, start: 0, end: 250 }).text.lines().count(), 6);
    }

    proptest! {
        #[test]
        fn no_span_panics(text in "\\PC{0,40}\n?\\PC{0,9}", start in 0usize..99, end in 0usize..99) {
            let (sources, file) = one(&text);
            let span = Span { file, start, end };
            let excerpt = sources.excerpt(span);
            prop_assert!(excerpt.text.get(excerpt.start..excerpt.end).is_some());
            prop_assert!(sources.position(span).line >= 1);
            prop_assert_eq!(sources.position(span).line, sources.line(span));
            let _ = sources.slice(span);
        }
    }
}
