//! Paragraphs, lists, and the backticks that mark code.

use super::super::plain::plain_text;
use super::super::svg::ink::escape_xml;

/// Text with its code marked; a lone backtick stays one.
pub(super) fn mark_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, code)) = rest.split_once('`') {
        out.push_str(&escape_xml(before));
        match code.split_once('`') {
            Some((code, after)) if !code.is_empty() && !code.contains('\n') => {
                out.push_str(&["<code>", &escape_xml(code), "</code>"].concat());
                rest = after;
            }
            _ => {
                out.push('`');
                rest = code;
            }
        }
    }
    out.push_str(&escape_xml(rest));
    out
}

/// The same with line breaks.
pub(super) fn break_lines(text: &str) -> String {
    let text = plain_text(text);
    let lines: Vec<String> = text.trim_end().lines().map(mark_code).collect();
    lines.join("<br>")
}

/// Paragraphs, an empty line between two; lines that begin with `- ` are a list.
pub(super) fn render_paragraphs(text: &str) -> String {
    let text = plain_text(text);
    let mut out = String::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let mut open = "";
        for line in paragraph.lines() {
            let (wanted, words) = match line.trim_start().strip_prefix("- ") {
                Some(item) => ("ul", item),
                None => ("p", line),
            };
            if open != wanted {
                close_tag(open, &mut out);
                out.push_str(&["<", wanted, ">"].concat());
                open = wanted;
            } else if wanted == "p" {
                out.push_str("<br>");
            }
            let words = mark_code(words);
            out.push_str(&if wanted == "ul" { ["<li>", &words, "</li>"].concat() } else { words });
        }
        close_tag(open, &mut out);
    }
    out
}

fn close_tag(open: &str, out: &mut String) {
    if !open.is_empty() {
        out.push_str(&["</", open, ">\n"].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_nothing_becomes_markup() {
        assert_eq!(mark_code("`a<b` & `"), "<code>a&lt;b</code> &amp; `");
        assert_eq!(mark_code("``x"), "``x");
        assert_eq!(
            render_paragraphs("a\nb\n\n- c\n- d"),
            "<p>a<br>b</p>\n<ul><li>c</li><li>d</li></ul>\n"
        );
    }
}
