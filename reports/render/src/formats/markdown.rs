//! GitHub-flavoured Markdown, short enough for a pull request.
//!
//! Backticks in texts mark code here as they do in the document; everything else is escaped.

use super::diagnostics::render_diagnostics;
use super::plain::{one_line, plain_text};
use crate::tabulate::{tabulate_bars, tabulate_key_figures, tabulate_points};
use crate::{Align, Block, Cell, Column, Document, Level, RenderError, Table};

/// Renders a document.
pub fn render_markdown(document: &Document) -> Result<Vec<u8>, RenderError> {
    let mut out = ["# ", &escape_text(&one_line(&document.title)), "\n"].concat();
    if !document.subtitle.is_empty() {
        push_paragraph(&document.subtitle, &mut out);
    }
    for section in &document.sections {
        push_heading("## ", &section.title, &mut out);
        for block in &section.blocks {
            match block {
                Block::Prose(text) => push_paragraph(text, &mut out),
                Block::KeyFigures(figures) => push_table(&tabulate_key_figures(figures), &mut out),
                Block::Table(table) => push_table(table, &mut out),
                Block::Chart(chart) => {
                    push_heading("### ", &chart.title, &mut out);
                    push_table(&tabulate_points(&chart.without_trials()), &mut out);
                }
                Block::Bars(chart) => {
                    push_heading("### ", &chart.title, &mut out);
                    push_table(&tabulate_bars(chart), &mut out);
                }
                Block::Timeline(chart) => {
                    push_heading("### ", &chart.title, &mut out);
                    push_table(&chart.tabulate(), &mut out);
                }
                Block::Diagnostics(diagnostics) => {
                    push_fenced(render_diagnostics(diagnostics, false, None).trim_end(), &mut out);
                }
            }
        }
    }
    Ok(out.into_bytes())
}

/// A heading; `marks` gives its level.
fn push_heading(marks: &str, text: &str, out: &mut String) {
    out.push_str(&["\n", marks, &escape_text(&one_line(text)), "\n"].concat());
}

/// A paragraph; its own line breaks and list marks stay.
fn push_paragraph(text: &str, out: &mut String) {
    out.push('\n');
    for line in plain_text(text).trim_end().lines() {
        out.push_str(&escape_text(line));
        out.push('\n');
    }
}

fn push_table(table: &Table, out: &mut String) {
    if !table.caption.is_empty() {
        push_paragraph(&table.caption, out);
    }
    if table.columns.is_empty() {
        return;
    }
    out.push('\n');
    push_row(table.columns.iter().map(|column| escape_cell(&column.heading_with_unit())), out);
    push_row(table.columns.iter().map(|column| alignment_rule(column).to_owned()), out);
    for index in 0..table.rows.len() {
        push_row(
            (0..table.columns.len()).map(|column| {
                let text = format_cell(table.cell(index, column));
                let bold = table.is_total(index) && !text.is_empty();
                if bold { format!("**{text}**") } else { text }
            }),
            out,
        );
    }
}

fn push_row(cells: impl Iterator<Item = String>, out: &mut String) {
    for cell in cells {
        out.push_str("| ");
        out.push_str(&cell);
        out.push(' ');
    }
    out.push_str("|\n");
}

/// The rule below a heading, which aligns the cells.
fn alignment_rule(column: &Column) -> &'static str {
    match column.align {
        Align::Left => ":---",
        Align::Right => "---:",
        Align::Center => ":---:",
    }
}

fn format_cell(cell: &Cell) -> String {
    let text = escape_cell(&cell.display());
    match cell {
        Cell::Unknown(_) => format!("*{text}*"),
        Cell::Status(level, _) => format!("{} {text}", status_light(*level)),
        _ => text,
    }
}

fn status_light(level: Level) -> &'static str {
    match level {
        Level::Error => "🔴",
        Level::Warning => "🟡",
        Level::Note | Level::Help => "🔵",
        Level::Ok => "🟢",
    }
}

/// Text for a cell: on one line, and without what ends a cell.
fn escape_cell(text: &str) -> String {
    escape_text(&one_line(text)).replace('|', "\\|")
}

/// Escapes all Markdown except code between backticks.
fn escape_text(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    let paired = pieces.len() % 2 == 1;
    let escaped = pieces.iter().enumerate().map(|(index, piece)| {
        let code = paired && index % 2 == 1;
        if code { (*piece).to_owned() } else { escape_words(piece, index == 0) }
    });
    escaped.collect::<Vec<_>>().join(if paired { "`" } else { "\\`" })
}

/// Escapes text outside code; `begins` means that it starts a line.
fn escape_words(text: &str, begins: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before: Option<char> = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let opens = before.is_none() && begins;
        // GitHub ignores an underscore inside a word.
        let inside = before.is_some_and(char::is_alphanumeric)
            && rest.peek().is_some_and(|next| next.is_alphanumeric());
        match c {
            '<' => out.push_str("&lt;"),
            '&' if rest.peek().is_some_and(|next| next.is_alphanumeric() || *next == '#') => {
                out.push_str("&amp;");
            }
            '_' if inside => out.push('_'),
            '\\' | '*' | '[' | ']' | '~' | '_' => out.extend(['\\', c]),
            '#' | '>' | '+' | '=' if opens => out.extend(['\\', c]),
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

/// Text as it is, in a fence that does not occur in it.
fn push_fenced(text: &str, out: &mut String) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    out.push_str(&["\n", &fence, "text\n", text, "\n", &fence, "\n"].concat());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Section;

    #[test]
    fn texts_mean_what_they_say() {
        assert_eq!(escape_text("`a*b` and a*b"), "`a*b` and a\\*b");
        assert_eq!(escape_text("one ` alone"), "one \\` alone");
        assert_eq!(escape_text("model_weights.h _x_"), "model_weights.h \\_x\\_");
        assert_eq!(escape_text("ap_float<16,8> &lt; a & b"), "ap_float&lt;16,8> &amp;lt; a & b");
        assert_eq!(escape_text("# no heading"), "\\# no heading");
        assert_eq!(escape_cell("a|b\nc"), "a\\|b c");
    }

    #[test]
    fn an_excerpt_cannot_leave_its_fence() {
        let mut out = String::new();
        push_fenced("```\n````", &mut out);
        assert_eq!(out, "\n`````text\n```\n````\n`````\n");
    }

    #[test]
    fn an_empty_document_is_a_title() {
        let document = Document {
            title: "T".to_owned(),
            subtitle: String::new(),
            controls: Vec::new(),
            sections: Vec::<Section>::new(),
        };
        assert_eq!(render_markdown(&document).unwrap(), b"# T\n");
    }
}
