//! Diagnostics in the style of rustc: the message, the marked lines of every file, notes and help.

pub(crate) mod excerpt;

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level as Rank, Renderer, Snippet};

use unicode_width::UnicodeWidthStr;

use self::excerpt::Excerpt;
use super::plain::{mask_marks, one_line, plain_text};
use super::wrap::wrap_words;
use crate::{Diagnostic, Level};

/// No line of notes and help is longer, however wide the terminal is.
pub(super) const WIDEST: usize = 100;

/// Notes and help are indented by the line numbers and their name.
const MARGIN: usize = 14;

/// A mark of so many characters is never made shorter.
const SHORTEST: usize = 12;

/// Renders diagnostics for a terminal of `width` columns, an empty line after each. `None` is a pipe: a message is one line
/// there, which programs look for.
pub fn render_diagnostics(diagnostics: &[Diagnostic], color: bool, width: Option<usize>) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width.unwrap_or(WIDEST).min(WIDEST));
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_diagnostic(diagnostic, &renderer, width));
        out.push_str("\n\n");
    }
    out
}

fn render_diagnostic(diagnostic: &Diagnostic, renderer: &Renderer, width: Option<usize>) -> String {
    let room = width.unwrap_or(WIDEST).min(WIDEST).saturating_sub(MARGIN).max(20);
    let excerpts = Excerpt::gather_labels(&diagnostic.labels);
    let rank = to_rank(diagnostic.level);
    let title = rank.primary_title(wrap_message(diagnostic, width)).id(one_line(&diagnostic.code));
    let snippets = excerpts.iter().map(|excerpt| {
        let marks = excerpt.marks.iter().map(|mark| {
            let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!mark.message.is_empty()).then(|| one_line(mark.message));
            let most = room.saturating_sub(mark.message.width()).max(SHORTEST);
            kind.span(clip_mark(&excerpt.text, mark.span.clone(), most)).label(label)
        });
        Snippet::source(mask_marks(&excerpt.text))
            .line_start(excerpt.first_line)
            .path(one_line(excerpt.file))
            .annotations(marks)
    });
    let wrapped = |text: &str| wrap_words(&plain_text(text), room).join("\n");
    let notes = diagnostic.notes.iter().map(|note| Rank::NOTE.message(wrapped(note)));
    let help = diagnostic.help.iter().map(|help| Rank::HELP.message(wrapped(help)));
    let group = title.elements(snippets).elements(notes).elements(help);
    renderer.render(&[group])
}

/// The first `most` characters of a mark within one line: the renderer wraps no line, and a longer one breaks the picture.
fn clip_mark(text: &str, span: Range<usize>, most: usize) -> Range<usize> {
    let marked = text.get(span.clone()).unwrap_or_default();
    match marked.char_indices().nth(most) {
        Some((end, _)) if !marked.contains('\n') => span.start..span.start + end,
        _ => span,
    }
}

/// The message behind `error[code]: `, in lines where the terminal is too narrow.
fn wrap_message(diagnostic: &Diagnostic, width: Option<usize>) -> String {
    let message = one_line(&diagnostic.message);
    let Some(width) = width else { return message };
    let lead = diagnostic.level.name().len() + diagnostic.code.len() + "[]: ".len();
    wrap_words(&message, width.saturating_sub(lead).max(20)).join("\n")
}

/// The level in the terms of the excerpt renderer.
fn to_rank(level: Level) -> Rank<'static> {
    match level {
        Level::Error => Rank::ERROR,
        Level::Warning => Rank::WARNING,
        Level::Note => Rank::NOTE,
        Level::Help => Rank::HELP,
        Level::Ok => Rank::NOTE.with_name("ok"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Label;
    use proptest::prelude::*;

    fn label(file: &str, line: usize, text: &str, mark: &str, message: &str) -> Label {
        let start = text.find(mark).unwrap();
        Label {
            file: file.to_owned(),
            first_line: line,
            text: text.to_owned(),
            start,
            end: start + mark.len(),
            message: message.to_owned(),
            primary: !file.ends_with("toml"),
        }
    }

    fn alias_width() -> Diagnostic {
        Diagnostic {
            code: "precision/alias-width".to_owned(),
            level: Level::Error,
            message: "`bfloat16_t` says 16 bit and has 32".to_owned(),
            labels: vec![
                label("model_weights.h", 12, "using bfloat16_t = float;  // 16-bit", "float;", "this is IEEE 754 binary32"),
                label("model_weights.h", 12, "using bfloat16_t = float;  // 16-bit", "// 16-bit", "the comment says otherwise"),
                label("model_weights.h", 480, "extern const bfloat16_t q_proj[960][960];", "bfloat16_t", "used here, and 498 times more"),
                label("derate.toml", 31, "precision = \"bf16\"", "\"bf16\"", "claimed here"),
            ],
            notes: vec![
                "499 tensors of 1,800,184,704 B as built, 906,639,456 B as declared: the weights take 1.98556 times the bytes, and the operational intensity of every kernel falls by as much".to_owned(),
                "one tensor is stored as float32 in the dump, which is why the factor is not 2".to_owned(),
            ],
            help: Some("define it as `ap_float<16, 8>`, or claim fp32".to_owned()), design: None, cases: 1,
        }
    }

    #[test]
    fn one_report_speaks_of_code_and_claim() {
        insta::assert_snapshot!(render_diagnostics(&[alias_width()], false, Some(120)));
    }

    #[test]
    fn colours_come_only_when_asked() {
        assert!(render_diagnostics(&[alias_width()], true, Some(120)).contains("\u{1b}["));
        assert!(!render_diagnostics(&[alias_width()], false, Some(120)).contains('\u{1b}'));
    }

    #[test]
    fn a_bare_message_is_one_line() {
        let bare = Diagnostic {
            labels: vec![],
            notes: vec![],
            help: None,
            level: Level::Ok,
            ..alias_width()
        };
        let text = render_diagnostics(&[bare], false, Some(80));
        assert_eq!(text, "ok[precision/alias-width]: `bfloat16_t` says 16 bit and has 32\n\n");
    }

    #[test]
    fn a_long_message_is_wrapped_where_the_terminal_is_narrow() {
        let long = Diagnostic { message: "a word ".repeat(20), ..alias_width() };
        for width in [80, 100, 130] {
            let text = render_diagnostics(std::slice::from_ref(&long), false, Some(width));
            assert!(text.lines().all(|line| line.len() <= width), "{text}");
            assert!(text.starts_with("error[precision/alias-width]: a word"), "{text}");
        }
        let whole = render_diagnostics(&[long], false, None);
        assert!(whole.lines().next().is_some_and(|line| line.len() > 150), "{whole}");
    }

    #[test]
    fn a_long_line_and_its_label_fit_the_terminal() {
        let line =
            format!("  #pragma HLS INTERFACE m_axi port=out {} bundle=gmem", "depth=N ".repeat(12));
        let mark = line.trim_start().to_owned();
        let labels = vec![label("k.cpp", 269, &line, &mark, "3 arguments share bundle `gmem`")];
        let long = Diagnostic { labels, notes: vec![], help: None, ..alias_width() };
        for width in [60, 80, 100] {
            let text = render_diagnostics(std::slice::from_ref(&long), false, Some(width));
            assert!(text.lines().all(|line| line.width() <= width), "{text}");
            assert!(text.contains("#pragma HLS INTERFACE m_axi"), "{text}");
        }
    }

    #[test]
    fn files_cannot_steer_the_terminal() {
        let mut nasty = alias_width();
        nasty.message = "a\u{1b}]0;owned\u{7}b".to_owned();
        nasty.labels =
            vec![label("x\u{1b}[2J.h", 1, "int \u{1b}[31mred;", "red", "\u{1b}[5mblink")];
        assert!(!render_diagnostics(&[nasty], false, Some(80)).contains('\u{1b}'));
    }

    proptest! {
        #[test]
        fn no_label_makes_it_panic(
            labels in prop::collection::vec(("[ab]", 0_usize..40, "[ -~\tµ日\r\n]{0,30}", 0_usize..40, 0_usize..40, "[a-z\n]{0,5}"), 0..5)
        ) {
            let labels = labels.into_iter().enumerate().map(|(index, (file, first_line, text, start, end, message))| {
                Label { file, first_line, text, start, end, message, primary: index == 0 }
            });
            let diagnostic = Diagnostic { labels: labels.collect(), ..alias_width() };
            prop_assert!(render_diagnostics(&[diagnostic], false, Some(120)).contains("precision/alias-width"));
        }

        #[test]
        fn far_lines_are_no_trouble(first in any::<usize>(), second in any::<usize>()) {
            let labels = vec![label("a", first, "x", "x", ""), label("a", second, "y", "y", "")];
            let diagnostic = Diagnostic { labels, ..alias_width() };
            prop_assert!(!render_diagnostics(&[diagnostic], false, Some(120)).is_empty());
        }
    }
}
