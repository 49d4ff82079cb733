//! Diagnostics: a message with labels on the lines that it is about.

use serde::Serialize;

/// A severity. The most severe comes first in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A claim that does not hold.
    Error,
    /// A claim that is doubtful.
    Warning,
    /// Something worth knowing.
    Note,
    /// How to do better.
    Help,
    /// No objection.
    Ok,
}

impl Level {
    /// The level in lower case, as it is written in JSON and in front of messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Help => "help",
            Self::Ok => "ok",
        }
    }
}

/// A message about somebody's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The code of the rule, such as `precision/alias-width`.
    pub code: String,
    /// The severity.
    pub level: Level,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where; the labels may lie in several files.
    pub labels: Vec<Label>,
    /// What else the reader should know.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The folder of the design that it is about, where there are several.
    #[serde(skip)]
    pub design: Option<String>,
    /// How many cases it has.
    #[serde(skip)]
    pub cases: usize,
}

/// A mark on a piece of a file. It owns its excerpt, so that no renderer opens a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Label {
    /// The file's name as the reader knows it.
    pub file: String,
    /// The number of the excerpt's first line, from one.
    pub first_line: usize,
    /// The excerpt: whole lines.
    pub text: String,
    /// Where the mark begins: bytes into `text`.
    pub start: usize,
    /// Where the mark ends: bytes into `text`, exclusive.
    pub end: usize,
    /// A remark about the marked text; may be empty.
    pub message: String,
    /// Whether this is the cause, rather than the text that it contradicts.
    pub primary: bool,
}

impl Label {
    /// The mark's bounds, moved down to the nearest character boundaries inside the excerpt.
    pub(crate) fn clamped_span(&self) -> std::ops::Range<usize> {
        let floor = |index: usize| {
            let inside = index.min(self.text.len());
            (0..=inside).rev().find(|&index| self.text.is_char_boundary(index)).unwrap_or(0)
        };
        let start = floor(self.start);
        start..floor(self.end).max(start)
    }

    /// The marked line and the remark about it.
    pub(crate) fn marked_line(&self) -> String {
        let start = self.clamped_span().start;
        let begin = self.text[..start].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[begin..].lines().next().unwrap_or_default().trim();
        match (line, self.message.as_str()) {
            (line, "") => line.to_owned(),
            ("", message) => message.to_owned(),
            (line, message) => format!("{line}  ({message})"),
        }
    }

    /// The line and the column of the mark's begin, both from one.
    pub fn position(&self) -> (usize, usize) {
        let before = &self.text[..self.clamped_span().start];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        (self.first_line.saturating_add(line), column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str, start: usize, end: usize) -> Label {
        Label {
            file: "a.h".to_owned(),
            first_line: 10,
            text: text.to_owned(),
            start,
            end,
            message: String::new(),
            primary: true,
        }
    }

    #[test]
    fn a_position_counts_lines_and_characters() {
        assert_eq!(label("int a;\nint µb;\n", 13, 14).position(), (11, 6));
        assert_eq!(label("", 0, 0).position(), (10, 1));
    }

    #[test]
    fn a_mark_outside_the_excerpt_is_pulled_in() {
        assert_eq!(label("µ", 1, 99).clamped_span(), 0..2);
        assert_eq!(label("abc", 7, 2).clamped_span(), 3..3);
    }

    #[test]
    fn the_gravest_level_comes_first() {
        assert!(Level::Error < Level::Warning && Level::Note < Level::Ok);
        assert_eq!(Level::Warning.name(), "warning");
    }
}
