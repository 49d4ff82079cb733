//! Findings with several occurrences: a comment that allows one takes that one out, and the finding stays for the rest.

use derate_hls::{FileId, Span};
use glob::{MatchOptions, Pattern};

use super::allow::{Allow, AllowState, read_allows};
use derate_estimate::Analysis;

/// The comments that may allow cases of one rule.
pub(super) struct AllowGroups<'a> {
    analysis: &'a Analysis,
    code: &'static str,
    comments: Vec<Allow>,
}

impl<'a> AllowGroups<'a> {
    /// The comments that allow findings of that rule.
    pub(super) fn new(analysis: &'a Analysis, code: &'static str) -> Self {
        let mut comments = read_allows(analysis);
        comments.retain(|one| one.code == code && one.state == AllowState::Unused);
        Self { analysis, code, comments }
    }

    /// The cases in groups, each of which is a finding of its own: first those that no comment allows, then those of
    /// each comment. No group is empty.
    pub(super) fn split_allowed<T>(
        &self,
        cases: Vec<T>,
        place: impl Fn(&T) -> Span,
    ) -> Vec<Vec<T>> {
        let mut rest = Vec::new();
        let mut aside: Vec<Vec<T>> = self.comments.iter().map(|_| Vec::new()).collect();
        for case in cases {
            let group = if self.comments.is_empty() {
                None
            } else {
                let places = allow_lines(self.analysis, place(&case));
                let by = self.comments.iter().position(|one| {
                    places.iter().any(|(file, line)| one.covers(self.code, *file, *line))
                });
                by.and_then(|by| aside.get_mut(by))
            };
            group.unwrap_or(&mut rest).push(case);
        }
        std::iter::once(rest).chain(aside).filter(|group| !group.is_empty()).collect()
    }
}

/// The lines where a comment may allow what is found there: its own, and for a report, which nobody edits, the entries of
/// `[hls] reports` that name it.
pub(super) fn allow_lines(analysis: &Analysis, at: Span) -> Vec<(FileId, usize)> {
    let sources = &analysis.sources;
    let mut places = vec![(at.file, sources.position(at).line)];
    let name = sources.name(at.file);
    // As the files were looked for: a star does not pass a slash.
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    for entry in &analysis.project.hls.reports {
        if Pattern::new(&entry.value).is_ok_and(|pattern| pattern.matches_with(name, options)) {
            places.push((entry.span.file, sources.position(entry.span).line));
        }
    }
    places
}
