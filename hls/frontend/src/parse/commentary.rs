//! The comment that belongs to a declaration.

use crate::header::Comment;
use crate::{FileId, Span};
use std::ops::Range;

/// A comment block above a declaration is read this far up.
const LINES: usize = 40;

/// The comment behind a declaration on its last line, else the comment lines directly above it.
pub(super) fn comment_of(
    text: &str,
    masked: &[u8],
    comments: &[Range<usize>],
    file: FileId,
    span: Range<usize>,
) -> Option<Comment> {
    let ranges = comment_behind(text, masked, comments, span.end)
        .map(|one| vec![one])
        .or_else(|| comments_above(text, masked, comments, span.start))?;
    join_comment(text, file, &ranges)
}

/// The comment lines above the run of declarations without an empty line that the one at `start` is in.
pub(super) fn heading_of(
    text: &str,
    masked: &[u8],
    comments: &[Range<usize>],
    file: FileId,
    start: usize,
) -> Option<Comment> {
    let mut line = line_start(text, start);
    for _ in 0..LINES {
        if let Some(ranges) = comments_above(text, masked, comments, line) {
            return join_comment(text, file, &ranges);
        }
        let above = line_start(text, line.checked_sub(1)?);
        let is_code = masked.get(above..line)?.iter().any(|byte| !byte.is_ascii_whitespace());
        if !is_code {
            return None;
        }
        line = above;
    }
    None
}

/// Comments one after the other as one.
fn join_comment(text: &str, file: FileId, ranges: &[Range<usize>]) -> Option<Comment> {
    let (first, last) = (ranges.first()?, ranges.last()?);
    let lines: Vec<String> =
        ranges.iter().filter_map(|range| text.get(range.clone())).flat_map(plain_lines).collect();
    let words = lines.join("\n").trim().to_owned();
    Some(Comment { text: words, span: Span { file, start: first.start, end: last.end } })
}

fn comment_behind(
    text: &str,
    masked: &[u8],
    comments: &[Range<usize>],
    end: usize,
) -> Option<Range<usize>> {
    let next = comments.get(comments.partition_point(|comment| comment.start < end))?;
    let raw = text.get(end..next.start)?;
    let between = masked.get(end..next.start)?;
    let blank = between.iter().all(|byte| byte.is_ascii_whitespace() || b";,".contains(byte));
    (blank && !raw.contains('\n')).then(|| next.clone())
}

fn comments_above(
    text: &str,
    masked: &[u8],
    comments: &[Range<usize>],
    start: usize,
) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut line = line_start(text, start);
    // Another declaration in front of this one on the same line would own the comment.
    if !masked.get(line..start)?.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let mut index = comments.partition_point(|comment| comment.end <= line);
    while let Some(comment) = index.checked_sub(1).and_then(|index| comments.get(index)) {
        let gap = text.get(comment.end..line)?;
        let from = line_start(text, comment.start);
        let alone = masked.get(from..comment.start)?.iter().all(u8::is_ascii_whitespace)
            && text.get(from..comment.start)?.trim().is_empty();
        if !alone || gap.trim() != "" || gap.matches('\n').count() > 1 || found.len() >= LINES {
            break;
        }
        found.push(comment.clone());
        line = from;
        index -= 1;
    }
    found.reverse();
    (!found.is_empty()).then_some(found)
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

/// The lines of a comment without its markers.
fn plain_lines(comment: &str) -> Vec<String> {
    if let Some(line) = comment.strip_prefix("//") {
        return vec![line.trim_start_matches(['/', '!', '<']).trim().to_owned()];
    }
    let inside = comment.trim_start_matches("/*").trim_end_matches("*/");
    let bare = |line: &str| line.trim().trim_start_matches(['*', '!', '<']).trim().to_owned();
    inside.lines().map(bare).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Sources, parse};

    fn comment(text: &str, name: &str) -> Option<String> {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let header = parse(&sources, file);
        let alias = header.aliases.into_iter().find(|alias| alias.name == name)?;
        alias.comment.map(|comment| comment.text)
    }

    #[test]
    fn a_trailing_comment_goes_before_the_lines_above() {
        let text = "// above\nusing a = float; // beside\nusing b = float;\n";
        assert_eq!(comment(text, "a").as_deref(), Some("beside"));
        // The comment beside `a` does not belong to `b`.
        assert_eq!(comment(text, "b"), None);
    }

    #[test]
    fn blocks_and_runs_of_lines_are_one_comment() {
        let text = "/* first\n * second */\ntypedef float a;\n\n// one\n// two\r\nusing b = float;";
        assert_eq!(comment(text, "a").as_deref(), Some("first\nsecond"));
        assert_eq!(comment(text, "b").as_deref(), Some("one\ntwo"));
        assert_eq!(comment("// far\n\nusing c = float;", "c"), None);
    }

    #[test]
    fn a_heading_is_above_the_whole_run() {
        let text = "/* of all */\ntypedef int a;\ntypedef int b; // own\ntypedef int c;\n\ntypedef int d;\n";
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let header = parse(&sources, file);
        let headings: Vec<_> = header
            .aliases
            .iter()
            .map(|alias| alias.heading.as_ref().map(|one| one.text.as_str()))
            .collect();
        assert_eq!(headings, [Some("of all"), Some("of all"), Some("of all"), None]);
    }
}
