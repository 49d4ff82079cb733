//! Joining labels on one file into one excerpt, so that each file is named once.

use std::ops::Range;

use crate::Label;

/// Lines of a file, and the marks on them.
#[derive(Debug, PartialEq)]
pub(crate) struct Excerpt<'a> {
    pub(crate) file: &'a str,
    pub(crate) first_line: usize,
    pub(crate) text: String,
    pub(crate) marks: Vec<Mark<'a>>,
}

/// A label's mark in an excerpt.
#[derive(Debug, PartialEq)]
pub(crate) struct Mark<'a> {
    pub(crate) span: Range<usize>,
    pub(crate) message: &'a str,
    pub(crate) primary: bool,
}

/// A gap of fewer lines would be shown as empty lines that the file does not have; a wider one is folded.
const FOLDED: usize = 4;

/// A wider gap starts a new excerpt.
const WIDEST: usize = 100_000;

/// The greatest line number that is accepted.
const LAST_LINE: usize = 1_000_000_000;

impl<'a> Excerpt<'a> {
    /// The excerpts that show all `labels`: files in the order of their first label, lines in the file's order.
    pub(crate) fn gather_labels(labels: &'a [Label]) -> Vec<Self> {
        let mut files: Vec<(&str, Vec<&Label>)> = Vec::new();
        for label in labels {
            match files.iter_mut().find(|(file, _)| *file == label.file) {
                Some((_, group)) => group.push(label),
                None => files.push((&label.file, vec![label])),
            }
        }
        let mut excerpts = Vec::new();
        for (_, mut group) in files {
            group.sort_by_key(|label| label.first_line);
            let mut group = group.into_iter();
            let Some(first) = group.next() else { continue };
            let mut current = Self::of(first);
            for label in group {
                if !current.join_label(label) {
                    excerpts.push(std::mem::replace(&mut current, Self::of(label)));
                }
            }
            excerpts.push(current);
        }
        excerpts
    }

    fn of(label: &'a Label) -> Self {
        let first_line = label.first_line.min(LAST_LINE);
        let text = shown_text(label).to_owned();
        let mut excerpt = Self { file: &label.file, first_line, text, marks: Vec::new() };
        excerpt.add_mark(label, 0);
        excerpt
    }

    /// Adds a label that begins no earlier; `false` where its lines cannot be put into this excerpt.
    fn join_label(&mut self, label: &'a Label) -> bool {
        let skipped = label.first_line.min(LAST_LINE) - self.first_line;
        let lines = self.text.matches('\n').count() + 1;
        let text = shown_text(label);
        if skipped < lines {
            let start = self
                .text
                .match_indices('\n')
                .map(|(at, _)| at + 1)
                .take(skipped)
                .last()
                .unwrap_or(0);
            let known = &self.text[start..];
            if !known.starts_with(text) {
                let Some(rest) = text.strip_prefix(known) else { return false };
                self.text.push_str(rest);
            }
            self.add_mark(label, start);
            return true;
        }
        let gap = skipped - lines;
        if gap != 0 && !(FOLDED..=WIDEST).contains(&gap) {
            return false;
        }
        self.text.extend(std::iter::repeat_n('\n', gap + 1));
        let start = self.text.len();
        self.text.push_str(text);
        self.add_mark(label, start);
        true
    }

    /// Marks the label's span, whose excerpt begins at `start`.
    fn add_mark(&mut self, label: &'a Label, start: usize) {
        let end = shown_text(label).len();
        let span = label.clamped_span();
        let span = start + span.start.min(end)..start + span.end.min(end);
        self.marks.push(Mark { span, message: &label.message, primary: label.primary });
    }
}

/// The label's lines without the last line's end.
fn shown_text(label: &Label) -> &str {
    label.text.trim_end_matches(['\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(first_line: usize, text: &str) -> Label {
        Label {
            file: "a.h".to_owned(),
            first_line,
            text: text.to_owned(),
            start: 0,
            end: 1,
            message: String::new(),
            primary: false,
        }
    }

    fn texts(labels: &[Label]) -> Vec<(usize, String)> {
        Excerpt::gather_labels(labels)
            .into_iter()
            .map(|excerpt| (excerpt.first_line, excerpt.text))
            .collect()
    }

    #[test]
    fn neighbours_and_far_lines_join() {
        assert_eq!(texts(&[label(3, "b"), label(2, "a")]), [(2, "a\nb".to_owned())]);
        assert_eq!(texts(&[label(2, "a"), label(9, "b")]), [(2, "a\n\n\n\n\n\n\nb".to_owned())]);
        assert_eq!(texts(&[label(2, "a\nb\n"), label(3, "b\nc")]), [(2, "a\nb\nc".to_owned())]);
    }

    #[test]
    fn lines_that_would_be_invented_are_not_shown() {
        assert_eq!(texts(&[label(2, "a"), label(4, "b")]).len(), 2);
        assert_eq!(texts(&[label(2, "a"), label(2, "b")]).len(), 2);
    }
}
