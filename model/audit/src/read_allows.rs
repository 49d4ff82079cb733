//! Reads `derate: allow(code): reason` from the comments of the source, of the project file and of the v++ configuration.

use derate_hls::{Sources, Span};

use super::allow::{Allow, AllowState};
use super::catalogue::find_rule;
use super::comments::{line_of, list_comments};
use crate::AuditInput;

/// The prefix of such a comment.
const NAME: &str = "derate:";

/// Every comment that allows, in the order of the files and their texts.
pub(super) fn read_allows(designs: &[AuditInput<'_>]) -> Vec<Allow> {
    let Some(AuditInput { sources, .. }) = designs.first() else { return Vec::new() };
    let mut all: Vec<Allow> = Vec::new();
    // From the end, so that several comments above each other all refer to the line below the last one.
    for comment in list_comments(designs).into_iter().rev() {
        if !sources.slice(comment).contains(NAME) {
            continue;
        }
        let mut line = line_of(sources, comment);
        if let Some(below) = all.last().filter(|below| {
            below.span.file == comment.file
                && below.line != line
                && sources.position(below.span).line == line
        }) {
            line = below.line;
        }
        let own = read_comment(sources, comment, line);
        all.extend(own.into_iter().rev());
    }
    all.reverse();
    all
}

/// What one comment allows; each of its lines may say something.
fn read_comment(sources: &Sources, comment: Span, line: usize) -> Vec<Allow> {
    let mut at = comment.start;
    let mut found = Vec::new();
    for text in sources.slice(comment).split_inclusive('\n') {
        let words = text.trim_start_matches(|c: char| c.is_whitespace() || "/*!<#;".contains(c));
        let start = at + (text.len() - words.len());
        at += text.len();
        let words = words.trim_end().trim_end_matches("*/").trim_end();
        let Some(rest) =
            words.strip_prefix(NAME).and_then(|rest| rest.trim_start().strip_prefix("allow"))
        else {
            continue;
        };
        // `allowance` and its like are prose.
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-') {
            continue;
        }
        let span = Span { file: comment.file, start, end: start + words.len() };
        found.extend(read_entries(rest).into_iter().map(|(code, reason, state)| Allow {
            code,
            reason,
            span,
            line,
            state,
        }));
    }
    found
}

/// Codes, reason and state of what follows `allow`.
fn read_entries(rest: &str) -> Vec<(String, String, AllowState)> {
    let parts = rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((codes, reason)) = parts else {
        return vec![(String::new(), String::new(), AllowState::Malformed)];
    };
    let reason = reason.trim_start().strip_prefix(':').unwrap_or_default().trim();
    let state = |code: &str| {
        if code.is_empty() {
            AllowState::Malformed
        } else if find_rule(code).is_none() {
            AllowState::UnknownCode
        } else if reason.contains(char::is_alphanumeric) {
            AllowState::Unused
        } else {
            AllowState::Reasonless
        }
    };
    let codes = codes.split(',').map(str::trim);
    codes.map(|code| (code.to_owned(), reason.to_owned(), state(code))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(comment: &str) -> Vec<(String, String, AllowState)> {
        let mut sources = Sources::default();
        let file = sources.add("a.h", comment);
        let found = read_comment(&sources, Span { file, start: 0, end: comment.len() }, 1);
        found.into_iter().map(|allow| (allow.code, allow.reason, allow.state)).collect()
    }

    fn entry(code: &str, reason: &str, state: AllowState) -> (String, String, AllowState) {
        (code.to_owned(), reason.to_owned(), state)
    }

    #[test]
    fn code_and_reason_in_every_kind_of_comment() {
        let expected = [entry("shape/mismatch", "padded: by us", AllowState::Unused)];
        for comment in [
            "// derate: allow(shape/mismatch): padded: by us",
            "///<derate:allow( shape/mismatch ) :padded: by us\r",
            "/* derate: allow(shape/mismatch): padded: by us */",
            "/**\n * Why\n * derate: allow(shape/mismatch): padded: by us\n */",
            "# derate: allow(shape/mismatch): padded: by us",
            "; derate: allow(shape/mismatch): padded: by us",
        ] {
            assert_eq!(one(comment), expected, "{comment}");
        }
    }

    #[test]
    fn several_codes_share_a_reason() {
        let both = one("// derate: allow(shape/mismatch, source/unread): generated");
        assert_eq!(both.len(), 2);
        assert!(both.iter().all(|(_, reason, _)| reason == "generated"));
    }

    #[test]
    fn what_is_missing_is_known() {
        for (comment, state) in [
            ("// derate: allow(shape/mismatch)", AllowState::Reasonless),
            ("// derate: allow(shape/mismatch): ...", AllowState::Reasonless),
            ("// derate: allow(shape/mismatch) no colon", AllowState::Reasonless),
            ("// derate: allow(shape/missmatch): x", AllowState::UnknownCode),
            ("// derate: allow shape/mismatch: x", AllowState::Malformed),
            ("// derate: allow(): x", AllowState::Malformed),
            ("// derate: allow(shape/mismatch: x", AllowState::Malformed),
        ] {
            assert_eq!(one(comment).first().map(|found| found.2), Some(state), "{comment}");
        }
    }

    #[test]
    fn prose_is_no_allow() {
        for comment in
            ["// derate: allowance of 10 %", "# derate: 300 GB/s", "// see derate: allow(x): y"]
        {
            assert_eq!(one(comment), [], "{comment}");
        }
    }
}
