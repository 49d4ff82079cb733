//! A finding: what is wrong, where, and what to do.

use super::super::diagnostics::excerpt::Excerpt;
use super::super::svg::ink::escape_xml;
use super::cell::render_status;
use super::code::render_excerpt;
use super::prose::{break_lines, mark_code};
use crate::Diagnostic;

/// The card of a finding; `anchor` where a table leads to it.
pub(super) fn render_finding(diagnostic: &Diagnostic, anchor: Option<&str>) -> String {
    let level = diagnostic.level.name();
    let id = anchor.map_or_else(String::new, |anchor| format!(" id=\"{anchor}\""));
    let mut out = format!(
        "<article class=\"finding {level}\"{id}>\n<h3>{}<span class=\"message\">{}</span></h3>\n<p class=\"rule\"><code>{}</code></p>\n",
        render_status(diagnostic.level, level),
        mark_code(&diagnostic.message),
        escape_xml(&diagnostic.code),
    );
    out.extend(Excerpt::gather_labels(&diagnostic.labels).iter().map(render_excerpt));
    if !diagnostic.notes.is_empty() {
        let notes = diagnostic.notes.iter().map(|note| format!("<li>{}</li>\n", break_lines(note)));
        out.push_str(&["<ul class=\"notes\">\n", &notes.collect::<String>(), "</ul>\n"].concat());
    }
    if let Some(help) = &diagnostic.help {
        out.push_str(
            &["<p class=\"help\"><b>What to do:</b> ", &break_lines(help), "</p>\n"].concat(),
        );
    }
    out + "</article>\n"
}
