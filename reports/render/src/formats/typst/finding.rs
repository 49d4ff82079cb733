//! Findings of the paper, with the lines that they are about.

use std::fmt::Write;

use super::super::diagnostics::excerpt::{Excerpt, Mark};
use super::literal::{array_literal, line_literal, lines_literal, string_literal};
use crate::Diagnostic;

/// This many empty lines are folded: they are unknown lines.
const FOLDED: usize = 4;

pub(super) fn push_finding(diagnostic: &Diagnostic, out: &mut String) {
    let level = diagnostic.level.name();
    let excerpts: Vec<String> = Excerpt::gather_labels(&diagnostic.labels)
        .iter()
        .map(|one| format_excerpt(one, level))
        .collect();
    let notes = diagnostic.notes.iter().map(|note| format!("(\"note\", {})", lines_literal(note)));
    let help = diagnostic.help.iter().map(|help| format!("(\"help\", {})", lines_literal(help)));
    let remarks: Vec<String> = notes.chain(help).collect();
    let (code, message) = (string_literal(&diagnostic.code), line_literal(&diagnostic.message));
    let (excerpts, remarks) = (array_literal(&excerpts), array_literal(&remarks));
    let _ = writeln!(out, "#finding(\"{level}\", {code}, {message}, {excerpts}, {remarks})\n");
}

fn format_excerpt(excerpt: &Excerpt<'_>, level: &str) -> String {
    let mut rows = Vec::new();
    let mut begin = 0;
    let mut empty = 0;
    for (index, text) in excerpt.text.split('\n').enumerate() {
        let end = begin + text.len();
        let number = excerpt.first_line.saturating_add(index);
        let marks: Vec<&Mark<'_>> = excerpt
            .marks
            .iter()
            .filter(|mark| mark.span.start >= begin && mark.span.start <= end)
            .collect();
        if text.is_empty() && marks.is_empty() {
            empty += 1;
        } else {
            if empty >= FOLDED {
                rows.truncate(rows.len() - empty);
                rows.push("at(\"⋮\", \"\")".to_owned());
            }
            empty = 0;
        }
        rows.push(format!("at(\"{number}\", {})", format_pieces(text, begin, &marks, level)));
        for mark in marks.iter().filter(|mark| !mark.message.is_empty()) {
            let level = if mark.primary { level } else { "note" };
            rows.push(format!("seen(\"{level}\", {})", line_literal(mark.message)));
        }
        begin = end + 1;
    }
    let line = excerpt.first_line;
    format!("excerpt({}, {})", string_literal(&format!("{}:{line}", excerpt.file)), rows.join(", "))
}

/// A line in plain and marked pieces. Where marks overlap, the first counts.
fn format_pieces(text: &str, begin: usize, marks: &[&Mark<'_>], level: &str) -> String {
    let mut marks = marks.to_vec();
    marks.sort_by_key(|mark| mark.span.start);
    let raw = |piece: &str| format!("raw({})", string_literal(piece));
    let mut out = Vec::new();
    let mut at = 0;
    for mark in marks {
        let (start, end) = (mark.span.start - begin, (mark.span.end - begin).min(text.len()));
        let (Some(before), Some(marked)) = (text.get(at..start), text.get(start..end)) else {
            continue;
        };
        out.push(raw(before));
        let level = if mark.primary { level } else { "note" };
        out.push(format!("mark(\"{level}\", {})", string_literal(marked)));
        at = end;
    }
    out.push(raw(text.get(at..).unwrap_or_default()));
    out.join(", ")
}
