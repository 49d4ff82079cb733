//! A Typst file that looks like a technical report; it needs no other file.

mod finding;
mod layout;
mod literal;
mod table;

use self::layout::Layout;
use self::literal::{lines_literal, string_literal};
use super::svg::{WIDTH, draw_bars_figure, draw_chart_figure, draw_timeline_figure};
use crate::tabulate::tabulate_key_figures;
use crate::{Bars, Block, Chart, Document, RenderError, Section, Table};

/// The widths of two pictures beside each other, in pixels: two to three, as the preamble has them.
const BESIDE: [f64; 2] = [344.0, 516.0];

/// The style of the paper.
const PREAMBLE: &str = include_str!("typst/preamble.typ");

/// Renders a document.
pub fn render_typst(document: &Document) -> Result<Vec<u8>, RenderError> {
    let mut out = PREAMBLE.to_owned();
    let (title, subtitle) = (string_literal(&document.title), string_literal(&document.subtitle));
    out.push_str(&["\n#show: report.with(", &title, ", ", &subtitle, ")\n\n"].concat());
    let (said, first) = opening_sentences(document);
    if !said.is_empty() {
        out.push_str(&["#verdict(\n  ", &said.join(",\n  "), ",\n)\n\n"].concat());
    }
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
        // The first page is the answer; what is behind it comes after.
        if place == 0 {
            out.push_str("#contents\n\n");
        }
    }
    Ok(out.into_bytes())
}

/// The sentences that the report begins with, and how many blocks of the first section they are.
fn opening_sentences(document: &Document) -> (Vec<String>, usize) {
    let blocks = document.sections.first().map_or(&[][..], |section| &section.blocks);
    let said: Vec<String> = blocks
        .iter()
        .map_while(|block| match block {
            Block::Prose(text) => Some(lines_literal(text)),
            _ => None,
        })
        .collect();
    let count = said.len();
    (said, count)
}

/// A section without its first blocks. A section with a wide table is landscape as a whole.
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
    out.push_str(&["#heading(", &string_literal(&section.title), ")\n\n"].concat());
    let mut blocks = blocks.iter().peekable();
    while let Some(block) = blocks.next() {
        if let (Block::Bars(bars), Some(Block::Chart(chart))) = (block, blocks.peek()) {
            push_pair(bars, chart, out)?;
            blocks.next();
            continue;
        }
        match block {
            Block::Prose(text) => out.push_str(&["#par(", &lines_literal(text), ")\n\n"].concat()),
            Block::KeyFigures(figures) => {
                push_table(&tabulate_key_figures(figures), on_side, out);
            }
            Block::Table(table) => push_table(table, on_side, out),
            Block::Chart(chart) => {
                push_drawing(&chart.title, &chart.caption, &draw_chart_figure(chart, WIDTH)?, out);
            }
            Block::Bars(chart) => {
                push_drawing(&chart.title, &chart.caption, &draw_bars_figure(chart, WIDTH), out);
            }
            Block::Timeline(chart) => {
                push_drawing(&chart.title, &chart.caption, &draw_timeline_figure(chart), out);
            }
            Block::Diagnostics(diagnostics) => {
                for one in diagnostics {
                    finding::push_finding(one, out);
                }
            }
        }
    }
    Ok(())
}

fn push_table(table: &Table, on_side: bool, out: &mut String) {
    if !table.columns.is_empty() {
        table::push_table(table, &Layout::of(table, on_side), out);
    }
}

/// A picture, embedded in the file.
fn push_drawing(title: &str, caption: &str, svg: &str, out: &mut String) {
    out.push_str(&["#drawing(", &drawing_arguments(title, caption, svg), ")\n\n"].concat());
}

/// Two pictures beside each other.
fn push_pair(bars: &Bars, chart: &Chart, out: &mut String) -> Result<(), RenderError> {
    let [left, right] = BESIDE;
    let (left, right) = (draw_bars_figure(bars, left), draw_chart_figure(chart, right)?);
    let left = drawing_arguments(&bars.title, &bars.caption, &left);
    let right = drawing_arguments(&chart.title, &chart.caption, &right);
    out.push_str(&["#beside((", &left, "), (", &right, "))\n\n"].concat());
    Ok(())
}

fn drawing_arguments(title: &str, caption: &str, svg: &str) -> String {
    let (title, caption) = (string_literal(title), lines_literal(caption));
    [&title, ", ", &caption, ", ", &string_literal(svg)].concat()
}
