//! A finding: what is wrong, where, and what to do.

use super::super::diagnostics::excerpt::Excerpt;
use super::super::svg::ink::escape;
use super::cell::status;
use super::code::code;
use super::prose::{inline, lines};
use crate::Diagnostic;

/// Renders a diagnostic.
pub(super) fn finding(diagnostic: &Diagnostic) -> String {
    let level = diagnostic.level.name();
    let mut out = format!(
        "<article class=\"finding {level}\">\n<h3>{}<span class=\"message\">{}</span></h3>\n<p class=\"rule\"><code>{}</code></p>\n",
        status(diagnostic.level, level),
        inline(&diagnostic.message),
        escape(&diagnostic.code),
    );
    out.extend(Excerpt::gather(&diagnostic.labels).iter().map(code));
    if !diagnostic.notes.is_empty() {
        let notes = diagnostic.notes.iter().map(|note| format!("<li>{}</li>\n", lines(note)));
        out.push_str(&["<ul class=\"notes\">\n", &notes.collect::<String>(), "</ul>\n"].concat());
    }
    if let Some(help) = &diagnostic.help {
        out.push_str(&["<p class=\"help\"><b>What to do:</b> ", &lines(help), "</p>\n"].concat());
    }
    out + "</article>\n"
}
