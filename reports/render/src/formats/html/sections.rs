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

/// The first section is in view; the others open, so that the first one is what a reader sees.
pub(super) fn render_sections(document: &Document) -> Result<String, RenderError> {
    let mut out = String::new();
    let mut blocks = Blocks::default();
    for (index, section) in document.sections.iter().enumerate() {
        let anchor = section_anchor(index);
        let title = if section.title.is_empty() { &section.name } else { &section.title };
        let heading = format!("<h2 id=\"{anchor}-title\">{}</h2>", escape_xml(title));
        let (begin, end) = if index == 0 {
            (heading, "")
        } else {
            (format!("<details class=\"part\"><summary>{heading}</summary>"), "</details>\n")
        };
        let _ =
            writeln!(out, "<section id=\"{anchor}\" aria-labelledby=\"{anchor}-title\">\n{begin}");
        for pair in section.blocks.chunk_by(|a, b| a.is_figure() && b.is_figure()) {
            let rendered: String =
                pair.iter().map(|block| blocks.render(block)).collect::<Result<_, _>>()?;
            if pair.len() > 1 {
                out.push_str(&["<div class=\"pair\">\n", &rendered, "</div>\n"].concat());
            } else {
                out.push_str(&rendered);
            }
        }
        out.push_str(&[end, "</section>\n"].concat());
    }
    Ok(out)
}

/// Renders blocks one after the other: figures have numbers, and an anchor is one place.
#[derive(Default)]
struct Blocks {
    charts: usize,
    bars: usize,
    known: BTreeSet<String>,
}

impl Blocks {
    fn render(&mut self, block: &Block) -> Result<String, RenderError> {
        Ok(match block {
            Block::Prose(text) => prose::render_paragraphs(text),
            Block::KeyFigures(figures) => {
                table::render_table(&tabulate_key_figures(figures), "key-figures")
            }
            Block::Table(own) => table::render_table(own, ""),
            Block::Chart(chart) => {
                self.charts += 1;
                figure::render_chart(chart, self.charts - 1)?
            }
            Block::Bars(chart) => {
                self.bars += 1;
                figure::render_bars(chart, self.bars - 1)?
            }
            Block::Timeline(chart) => figure::render_timeline(chart),
            Block::Diagnostics(diagnostics) => {
                let cards = diagnostics.iter().map(|diagnostic| {
                    let anchor = rule_anchor(&diagnostic.code);
                    let first = self.known.insert(anchor.clone());
                    finding::render_finding(diagnostic, first.then_some(anchor.as_str()))
                });
                cards.collect()
            }
        })
    }
}
