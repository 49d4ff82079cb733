//! A comment that allows a finding: `derate: allow(code): reason`.

use derate_hls::{FileId, Span};

/// A comment that allows the findings of one rule on one line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Allow {
    /// The rule's code, as written.
    pub(super) code: String,
    /// Why.
    pub(super) reason: String,
    /// From `derate:` to the comment's or the line's end.
    pub(super) span: Span,
    /// The line that it refers to.
    pub(super) line: usize,
    /// What it does.
    pub(super) state: AllowState,
}

/// What an allow comment does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum AllowState {
    /// It suppresses a finding.
    Used,
    /// There is no finding that it could suppress.
    Unused,
    /// It gives no reason, and so suppresses nothing.
    Reasonless,
    /// No rule has that code.
    UnknownCode,
    /// It is not of the form `allow(code): reason`.
    Malformed,
}

impl Allow {
    /// Whether it allows the findings of its rule on that line.
    pub(super) fn covers(&self, file: FileId, line: usize) -> bool {
        matches!(self.state, AllowState::Used | AllowState::Unused)
            && (self.span.file, self.line) == (file, line)
    }
}
