//! The sections of a document, one below the other.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::super::svg::ink::escape_xml;
use super::cell::rule_anchor;
use super::{figure, finding, prose, table};
use crate::tabulate::tabulate_key_figures;
use crate::{Block, Document, RenderError};

/// The anchor of a section, for the table of contents.
pub(super) fn section_anchor(index: usize) -> String {
    format!("section-{}", index + 1)
}

pub(super) fn render_sections(document: &Document) -> Result<String, RenderError> {
    let mut out = String::new();
    let (mut charts, mut bars) = (0, 0);
    // An anchor is one place.
    let mut known = BTreeSet::new();
    for (index, section) in document.sections.iter().enumerate() {
        let anchor = section_anchor(index);
        let title = if section.title.is_empty() { &section.name } else { &section.title };
        let _ = write!(
            out,
            "<section id=\"{anchor}\" aria-labelledby=\"{anchor}-title\">\n<h2 id=\"{anchor}-title\">{}</h2>\n",
            escape_xml(title)
        );
        for block in &section.blocks {
            out.push_str(&match block {
                Block::Prose(text) => prose::render_paragraphs(text),
                Block::KeyFigures(figures) => {
                    table::render_table(&tabulate_key_figures(figures), "key-figures")
                }
                Block::Table(own) => table::render_table(own, ""),
                Block::Chart(chart) => {
                    charts += 1;
                    figure::render_chart(chart, charts - 1)?
                }
                Block::Bars(chart) => {
                    bars += 1;
                    figure::render_bars(chart, bars - 1)?
                }
                Block::Diagnostics(diagnostics) => {
                    let cards = diagnostics.iter().map(|diagnostic| {
                        let anchor = rule_anchor(&diagnostic.code);
                        let first = known.insert(anchor.clone());
                        finding::render_finding(diagnostic, first.then_some(anchor.as_str()))
                    });
                    cards.collect()
                }
            });
        }
        out.push_str("</section>\n");
    }
    Ok(out)
}
