//! The sections of a document, one below the other.

use std::fmt::Write;

use super::super::svg::ink::escape;
use super::{figure, finding, prose, table};
use crate::tabulate::tabulate_key_figures;
use crate::{Block, Document, RenderError};

/// Where a section begins: what the table of contents leads to.
pub(super) fn anchor(index: usize) -> String {
    format!("section-{}", index + 1)
}

/// Every section.
pub(super) fn sections(document: &Document) -> Result<String, RenderError> {
    let mut out = String::new();
    let (mut charts, mut bars) = (0, 0);
    for (index, section) in document.sections.iter().enumerate() {
        let anchor = anchor(index);
        let title = if section.title.is_empty() { &section.name } else { &section.title };
        let _ = write!(
            out,
            "<section id=\"{anchor}\" aria-labelledby=\"{anchor}-title\">\n<h2 id=\"{anchor}-title\">{}</h2>\n",
            escape(title)
        );
        for block in &section.blocks {
            out.push_str(&match block {
                Block::Prose(text) => prose::paragraphs(text),
                Block::KeyFigures(figures) => {
                    table::table(&tabulate_key_figures(figures), "key-figures")
                }
                Block::Table(own) => table::table(own, ""),
                Block::Chart(chart) => {
                    charts += 1;
                    figure::chart(chart, charts - 1)?
                }
                Block::Bars(chart) => {
                    bars += 1;
                    figure::bars(chart, bars - 1)?
                }
                Block::Diagnostics(diagnostics) => {
                    diagnostics.iter().map(finding::finding).collect()
                }
            });
        }
        out.push_str("</section>\n");
    }
    Ok(out)
}
