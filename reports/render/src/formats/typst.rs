//! A Typst file in the manner of a technical report; it stands on its own.

mod finding;
mod layout;
mod literal;
mod table;

use self::layout::Layout;
use self::literal::{lines, string};
use super::svg::{bars_figure, figure};
use crate::tabulate::tabulate_key_figures;
use crate::{Block, Document, RenderError, Section, Table};

/// What the paper looks like.
const PREAMBLE: &str = include_str!("typst/preamble.typ");

/// Renders a document.
pub fn typst(document: &Document) -> Result<Vec<u8>, RenderError> {
    let mut out = PREAMBLE.to_owned();
    let (title, subtitle) = (string(&document.title), string(&document.subtitle));
    out.push_str(&["\n#show: report.with(", &title, ", ", &subtitle, ")\n\n"].concat());
    let (said, first) = opening(document);
    if !said.is_empty() {
        out.push_str(&["#verdict(\n  ", &said.join(",\n  "), ",\n)\n\n"].concat());
    }
    out.push_str("#contents\n\n");
    let mut flipped = false;
    let mut ordered: Vec<(usize, &Section)> = document.sections.iter().enumerate().collect();
    ordered.sort_by_key(|(_, section)| section.appendix);
    let behind = ordered.iter().position(|(_, section)| section.appendix);
    for (place, (index, section)) in ordered.into_iter().enumerate() {
        let skipped = if index == 0 { first } else { 0 };
        if behind == Some(place) {
            out.push_str("#show: appendix\n\n");
        }
        push_section(section, skipped, &mut flipped, &mut out)?;
    }
    Ok(out.into_bytes())
}

/// The sentences that the report begins with, and how many blocks of the first section they are.
fn opening(document: &Document) -> (Vec<String>, usize) {
    let blocks = document.sections.first().map_or(&[][..], |section| &section.blocks);
    let said: Vec<String> = blocks
        .iter()
        .map_while(|block| match block {
            Block::Prose(text) => Some(lines(text)),
            _ => None,
        })
        .collect();
    let count = said.len();
    (said, count)
}

/// A section without its first blocks. One with a table that needs it lies on its side as a whole.
fn push_section(
    section: &Section,
    skipped: usize,
    flipped: &mut bool,
    out: &mut String,
) -> Result<(), RenderError> {
    let blocks = section.blocks.get(skipped..).unwrap_or_default();
    if blocks.is_empty() {
        return Ok(());
    }
    let needs_side = |block: &Block| match block {
        Block::Table(table) => Layout::of(table, false).flipped,
        Block::KeyFigures(figures) => Layout::of(&tabulate_key_figures(figures), false).flipped,
        _ => false,
    };
    let on_side = blocks.iter().any(needs_side);
    if on_side != *flipped {
        let word = if on_side { "true" } else { "false" };
        out.push_str(&["#set page(flipped: ", word, ")\n\n"].concat());
        *flipped = on_side;
    }
    out.push_str(&["#heading(", &string(&section.title), ")\n\n"].concat());
    for block in blocks {
        match block {
            Block::Prose(text) => out.push_str(&["#par(", &lines(text), ")\n\n"].concat()),
            Block::KeyFigures(figures) => {
                push_table(&tabulate_key_figures(figures), on_side, out);
            }
            Block::Table(table) => push_table(table, on_side, out),
            Block::Chart(chart) => {
                push_drawing(&chart.title, &chart.caption, &figure(chart)?, out);
            }
            Block::Bars(chart) => {
                push_drawing(&chart.title, &chart.caption, &bars_figure(chart), out);
            }
            Block::Diagnostics(diagnostics) => {
                for one in diagnostics {
                    finding::push(one, out);
                }
            }
        }
    }
    Ok(())
}

fn push_table(table: &Table, on_side: bool, out: &mut String) {
    if !table.columns.is_empty() {
        table::push(table, &Layout::of(table, on_side), out);
    }
}

/// A picture: it lies in the file itself.
fn push_drawing(title: &str, caption: &str, svg: &str, out: &mut String) {
    let (title, caption) = (string(title), lines(caption));
    let call = ["#drawing(", &title, ", ", &caption, ", ", &string(svg), ")\n\n"].concat();
    out.push_str(&call);
}
