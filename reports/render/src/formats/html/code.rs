//! An excerpt of a file: line numbers, the marked pieces and the remarks.

use std::fmt::Write;

use super::super::diagnostics::excerpt::{Excerpt, Mark};
use super::super::plain::{one_line, plain_text};
use super::super::svg::ink::escape_xml;
use super::prose::mark_code;

/// This many empty lines are folded: an excerpt has them for unknown lines.
const FOLDED: usize = 4;

/// The greatest indent of a message.
const INDENT: usize = 60;

pub(super) fn render_excerpt(excerpt: &Excerpt) -> String {
    let first = excerpt.marks.iter().min_by_key(|mark| (!mark.primary, mark.span.start));
    let line = first.map_or(excerpt.first_line, |mark| {
        let start = mark.span.start.min(excerpt.text.len());
        excerpt.first_line
            + line_starts(&excerpt.text).iter().skip(1).filter(|(at, _)| *at <= start).count()
    });
    let mut out = format!(
        "<div class=\"excerpt\"><p class=\"file\">{}<span class=\"line\">:{line}</span></p>\n<pre tabindex=\"0\"><code>",
        escape_xml(&one_line(excerpt.file))
    );
    let lines: Vec<(usize, &str)> = line_starts(&excerpt.text);
    let mut at = 0;
    while let Some(&(start, line)) = lines.get(at) {
        let empty = lines[at..].iter().take_while(|(_, line)| line.trim().is_empty()).count();
        if empty >= FOLDED {
            out.push_str("<span class=\"no\">⋯</span>\n");
            at += empty;
            continue;
        }
        let _ = write!(out, "<span class=\"no\">{}</span>", excerpt.first_line + at);
        push_marked_line(start, line, &excerpt.marks, &mut out);
        out.push('\n');
        push_messages(start, line, &excerpt.marks, &mut out);
        at += 1;
    }
    out + "</code></pre></div>\n"
}

/// Every line, and the byte where it begins.
fn line_starts(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let own = start;
            start += line.len() + 1;
            (own, line.strip_suffix('\r').unwrap_or(line))
        })
        .collect()
}

fn push_marked_line(start: usize, line: &str, marks: &[Mark], out: &mut String) {
    let inside = |at: usize| at.clamp(start, start + line.len()) - start;
    let mut cuts: Vec<usize> = marks
        .iter()
        .flat_map(|mark| [inside(mark.span.start), inside(mark.span.end)])
        .chain([0, line.len()])
        .filter(|&at| line.is_char_boundary(at))
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    for piece in cuts.windows(2) {
        let (from, to) = (start + piece[0], start + piece[1]);
        let over = marks.iter().filter(|mark| mark.span.start <= from && mark.span.end >= to);
        let text = escape_xml(&plain_text(&line[piece[0]..piece[1]]));
        match over.map(|mark| mark.primary).max() {
            None => out.push_str(&text),
            Some(primary) => {
                let class = if primary { "primary" } else { "context" };
                out.push_str(&["<mark class=\"", class, "\">", &text, "</mark>"].concat());
            }
        }
    }
}

/// The messages of the marks that end in a line, each below the start of its mark.
fn push_messages(start: usize, line: &str, marks: &[Mark], out: &mut String) {
    let ends = start..=start + line.len();
    for mark in
        marks.iter().filter(|mark| ends.contains(&mark.span.end) && !mark.message.is_empty())
    {
        let begin = mark.span.start.max(start) - start;
        let before = line.char_indices().take_while(|(at, _)| *at < begin).count();
        let class = if mark.primary { "primary" } else { "context" };
        let indent = match before.min(INDENT) {
            0 => String::new(),
            indent => format!("<span class=\"indent\">{}</span>", " ".repeat(indent)),
        };
        let message = mark_code(&one_line(mark.message));
        out.push_str(&["<span class=\"no\"></span>", &indent].concat());
        out.push_str(&["<span class=\"says ", class, "\">└ ", &message, "</span>\n"].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;
    use proptest::prelude::*;

    fn label(line: usize, text: &str, start: usize, end: usize, message: &str) -> Label {
        Label {
            file: "a.h".to_owned(),
            first_line: line,
            text: text.to_owned(),
            start,
            end,
            message: message.to_owned(),
            primary: true,
        }
    }

    fn rendered(labels: &[Label]) -> String {
        Excerpt::gather_labels(labels).iter().map(render_excerpt).collect()
    }

    #[test]
    fn the_marked_piece_stands_in_its_line_and_its_message_below() {
        let html = rendered(&[label(7, "int <b>;\nint c;", 4, 7, "odd")]);
        assert!(html.contains("a.h<span class=\"line\">:7</span>"), "{html}");
        let first = "<span class=\"no\">7</span>int <mark class=\"primary\">&lt;b&gt;</mark>;\n";
        let second = "<span class=\"no\"></span><span class=\"indent\">    </span><span class=\"says primary\">└ odd</span>\n";
        assert!(
            html.contains(&[first, second, "<span class=\"no\">8</span>int c;"].concat()),
            "{html}"
        );
    }

    #[test]
    fn lines_that_nobody_knows_are_folded() {
        let html = rendered(&[label(2, "a", 0, 1, ""), label(12, "b", 0, 1, "")]);
        assert!(
            html.contains("⋯") && html.contains(">12</span>") && !html.contains(">5</span>"),
            "{html}"
        );
    }

    proptest! {
        #[test]
        fn no_label_makes_it_panic(
            labels in prop::collection::vec((0_usize..40, "[ -~\tµ日\r\n]{0,30}", 0_usize..40, 0_usize..40, "[<a\n]{0,5}"), 0..5)
        ) {
            let labels: Vec<Label> = labels.iter().map(|(line, text, start, end, message)| label(*line, text, *start, *end, message)).collect();
            prop_assert!(!rendered(&labels).contains("<a"));
        }
    }
}
