//! The page around the sections: its policy, style, table of contents and script.

use std::fmt::Write;
use std::sync::LazyLock;

use super::super::plain::one_line;
use super::super::svg::ink::escape_xml;
use super::sections::section_anchor;
use super::{colors, hash, prose};
use crate::Document;

/// The style, in the order in which rules win.
const STYLES: [&str; 6] = [
    include_str!("../../../page/page.css"),
    include_str!("../../../page/table.css"),
    include_str!("../../../page/finding.css"),
    include_str!("../../../page/figure.css"),
    include_str!("../../../page/controls.css"),
    include_str!("../../../page/print.css"),
];

/// The script's parts; the last one starts it.
const SCRIPTS: [&str; 17] = [
    include_str!("../../../page/number.js"),
    include_str!("../../../page/formula.js"),
    include_str!("../../../page/model.js"),
    include_str!("../../../page/element.js"),
    include_str!("../../../page/cells.js"),
    include_str!("../../../page/field.js"),
    include_str!("../../../page/controls.js"),
    include_str!("../../../page/table.js"),
    include_str!("../../../page/tip.js"),
    include_str!("../../../page/explain.js"),
    include_str!("../../../page/marks.js"),
    include_str!("../../../page/scale.js"),
    include_str!("../../../page/labels.js"),
    include_str!("../../../page/roofline.js"),
    include_str!("../../../page/bars.js"),
    include_str!("../../../page/theme.js"),
    include_str!("../../../page/start.js"),
];

static STYLE: LazyLock<String> = LazyLock::new(|| STYLES.concat() + &colors::color_rules());
static SCRIPT: LazyLock<String> =
    LazyLock::new(|| ["(() => {\n\"use strict\";\n", &SCRIPTS.concat(), "})();\n"].concat());

pub(super) fn render_page(document: &Document, sections: &str, data: &str) -> String {
    // Nothing is loaded, and only the script with this hash runs.
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash::hash_source(&SCRIPT),
        hash::hash_source(&STYLE)
    );
    let (style, script) = (STYLE.as_str(), SCRIPT.as_str());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assets_cannot_close_their_own_elements() {
        assert!(!SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }

    #[test]
    fn the_assets_name_no_place_of_the_network() {
        let namespace = "http://www.w3.org/2000/svg";
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
        assert!(!SCRIPT.replace(namespace, "").contains("http"));
    }
}
