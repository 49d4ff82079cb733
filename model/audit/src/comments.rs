//! The comments of a project's own texts.

use std::collections::BTreeSet;

use derate_hls::{Sources, Span};
use toml_parser::lexer::TokenKind;

use crate::AuditInput;

/// All comments with their markers: those of the project file, of the code, and of the v++ configuration, each in the
/// order of its text.
pub(super) fn list_comments(designs: &[AuditInput<'_>]) -> Vec<Span> {
    let mut all: Vec<Span> = designs.first().map_or_else(Vec::new, project_comments);
    for input in designs {
        all.extend(design_comments(input));
    }
    // A header of two designs has its comments once.
    let mut seen = BTreeSet::new();
    all.retain(|span| seen.insert(*span));
    all
}

fn design_comments(input: &AuditInput<'_>) -> Vec<Span> {
    let mut all: Vec<Span> = Vec::new();
    all.extend(input.code.headers().iter().flat_map(|header| &header.comments));
    all.extend(input.code.allo.iter().flat_map(|source| &source.comments));
    all.extend(input.build.connectivity.iter().flat_map(|(_, cfg)| &cfg.comments));
    all
}

/// TOML's own lexer separates a comment from a string with a `#`.
fn project_comments(input: &AuditInput<'_>) -> Vec<Span> {
    let Some(project) = input.project else { return Vec::new() };
    let file = project.file;
    toml_parser::Source::new(input.sources.text(file))
        .lex()
        .filter(|token| token.kind() == TokenKind::Comment)
        .map(|token| Span { file, start: token.span().start(), end: token.span().end() })
        .collect()
}

/// The line that a comment refers to: its own where there is something else on it, else the next one.
pub(super) fn line_of(sources: &Sources, comment: Span) -> usize {
    let text = sources.text(comment.file);
    let before = text.get(..comment.start).and_then(|before| before.rsplit('\n').next());
    let after = text.get(comment.end..).and_then(|after| after.split('\n').next());
    let blank = |piece: Option<&str>| piece.is_none_or(|piece| piece.trim().is_empty());
    let last = sources.position(Span { start: comment.end, ..comment }).line;
    if !blank(before) {
        sources.position(comment).line
    } else if !blank(after) {
        last
    } else {
        last + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> usize {
        let mut sources = Sources::default();
        let file = sources.add("a.h", text);
        let start = text.find('/').unwrap();
        let end = text.rfind('!').unwrap() + 1;
        line_of(&sources, Span { file, start, end })
    }

    #[test]
    fn a_comment_beside_code_refers_to_its_own_line() {
        assert_eq!(line("int a;\nint b; // here!\nint c;"), 2);
        assert_eq!(line("int a;\n/* here!*/ int b;\n"), 2);
        assert_eq!(line("int a; /* here\n and on!\nint c;"), 1);
    }

    #[test]
    fn a_comment_alone_refers_to_the_next() {
        assert_eq!(line("int a;\r\n  // there!\r\nint c;\r\n"), 3);
        assert_eq!(line("/* one\n * two!"), 3);
    }
}
