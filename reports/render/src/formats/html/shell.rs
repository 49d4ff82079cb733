//! The page around the sections: its policy, style, table of contents and script.

use std::fmt::Write;

use super::super::plain::one_line;
use super::super::svg::ink::escape_xml;
use super::assets::REPORT;
use super::prose;
use super::sections::section_anchor;
use crate::Document;

pub(super) fn render_page(document: &Document, sections: &str, data: &str) -> String {
    let policy = REPORT.write_policy("");
    let (style, script) = (&REPORT.style, &REPORT.script);
    let title = escape_xml(&one_line(&document.title));
    let heading = prose::mark_code(&document.title);
    let subtitle = match document.subtitle.as_str() {
        "" => String::new(),
        subtitle => format!("<p class=\"subtitle\">{}</p>\n", prose::break_lines(subtitle)),
    };
    let contents = render_contents(document);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"derate\">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#report\">Skip to the report</a>\n\
         <header class=\"top\">\n<h1>{heading}</h1>\n{subtitle}</header>\n\
         <div class=\"columns\">\n<div class=\"side\">\n{contents}</div>\n<main id=\"report\" tabindex=\"-1\">\n{sections}</main>\n</div>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    )
}

fn render_contents(document: &Document) -> String {
    let mut out = "<nav class=\"contents\" aria-label=\"Contents\">\n<ol>\n".to_owned();
    for (index, section) in document.sections.iter().enumerate() {
        let name = escape_xml(&one_line(&section.name));
        let _ = writeln!(out, "<li><a href=\"#{}\">{name}</a></li>", section_anchor(index));
    }
    out + "</ol>\n</nav>\n"
}
