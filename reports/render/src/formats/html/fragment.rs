//! A document as a piece of another page, such as the output of a notebook's cell: the look of the report, no script.

use super::super::svg::ink::escape_xml;
use super::assets::REPORT;
use super::{prose, sections, shorten};
use crate::{Document, RenderError, Values};

/// Renders a document for the inside of another page. Its style holds for it alone.
///
/// # Errors
///
/// If a formula refers to a missing cell, or an axis cannot be logarithmic.
pub fn render_html_fragment(document: &Document) -> Result<Vec<u8>, RenderError> {
    Values::of(document, &[])?;
    let shorter = shorten::shorten_tables(document);
    let document = shorter.as_ref().unwrap_or(document);
    let body = sections::render_sections(document)?;
    let title = escape_xml(&document.title);
    let subtitle = match document.subtitle.as_str() {
        "" => String::new(),
        subtitle => format!("<p class=\"subtitle\">{}</p>\n", prose::break_lines(subtitle)),
    };
    let style = scope_style(&REPORT.style);
    Ok(format!(
        "<div class=\"derate\">\n<style>@scope (.derate) {{\n{style}:scope {{ padding: .75rem 1rem; border-radius: 6px; }}\n\
         :scope h1 {{ font-size: 1.25rem; margin: 0; }}\n:scope h2 {{ font-size: 1.05rem; }}\n\
         section {{ margin-top: 1rem; }}\n}}</style>\n\
         <header>\n<h1>{title}</h1>\n{subtitle}</header>\n<div class=\"fragment\">\n{body}</div>\n</div>\n"
    )
    .into_bytes())
}

/// The rules of a whole page as rules of a part of one.
fn scope_style(style: &str) -> String {
    let whole = |line: &str| {
        let rule = line.trim_start();
        let of = ["html {", "body {"].into_iter().find_map(|of| rule.strip_prefix(of));
        of.map_or_else(|| line.replace(":root", ":scope"), |rest| format!(":scope {{{rest}"))
    };
    style.lines().map(|line| whole(line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Section};

    #[test]
    fn a_fragment_has_the_sections_and_a_style_of_its_own() {
        let section = Section {
            name: "Answer".to_owned(),
            title: "What <holds>".to_owned(),
            blocks: vec![Block::Prose("300 GB/s".to_owned())],
            appendix: false,
        };
        let document = Document {
            title: "Audit".to_owned(),
            subtitle: String::new(),
            controls: Vec::new(),
            sections: vec![section],
        };
        let html = String::from_utf8(render_html_fragment(&document).unwrap()).unwrap();
        assert!(html.contains("What &lt;holds&gt;") && html.contains("300 GB/s"), "{html}");
        for of_a_page in [":root", "\nbody", "\nhtml", "<script", "<html"] {
            assert!(!html.contains(of_a_page), "{of_a_page}");
        }
    }
}
