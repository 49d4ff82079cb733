//! Terminal text: headings, paragraphs, aligned tables, diagnostics with their excerpts.

use unicode_width::UnicodeWidthStr;

use super::diagnostics::{WIDEST, render_diagnostics};
use super::grid::draw_grid;
use super::plain::{one_line, plain_text};
use super::style::Style;
use super::wrap::wrap_words;
use crate::tabulate::{tabulate_bars, tabulate_key_figures, tabulate_points};
use crate::{Block, Chart, Document, RenderError, Section, Table};

/// Fewer columns hold no table.
const NARROWEST: usize = 40;

/// Longer lines are hard to read.
const WIDEST_PROSE: usize = 100;

/// Renders a document for a terminal of `width` columns, with colours if `color` says so.
pub fn render_text(document: &Document, color: bool, width: usize) -> Result<Vec<u8>, RenderError> {
    let page = TextPage::new(color, width);
    let mut out = page.document_head(document);
    for section in &document.sections {
        out.push('\n');
        page.push_section(section, &mut out);
    }
    Ok(out.into_bytes())
}

pub(super) struct TextPage {
    color: bool,
    width: usize,
}

impl TextPage {
    pub(super) fn new(color: bool, width: usize) -> Self {
        Self { color, width: width.max(NARROWEST) }
    }

    pub(super) fn document_head(&self, document: &Document) -> String {
        let mut head = String::new();
        for (text, style) in [(&document.title, Style::Title), (&document.subtitle, Style::Dim)] {
            if !text.is_empty() {
                self.push_paragraph(text, style, &mut head);
            }
        }
        head
    }

    /// A section: its heading, underlined, and its blocks with an empty line between.
    pub(super) fn push_section(&self, section: &Section, out: &mut String) {
        let title = one_line(&section.title);
        out.push_str(&Style::Bold.paint(&title, self.color));
        out.push('\n');
        out.push_str(&Style::Dim.paint(&"─".repeat(title.width().min(self.width)), self.color));
        out.push('\n');
        for (index, block) in section.blocks.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.push_block(block, out);
        }
    }

    fn push_block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Prose(text) => self.push_paragraph(text, Style::Plain, out),
            Block::KeyFigures(figures) => self.push_table(&tabulate_key_figures(figures), out),
            Block::Table(table) => self.push_table(table, out),
            Block::Chart(chart) => self.push_chart(chart, out),
            Block::Bars(chart) => {
                self.push_paragraph(&chart.title, Style::Bold, out);
                self.push_table(&tabulate_bars(chart), out);
            }
            Block::Timeline(chart) => {
                self.push_paragraph(&chart.title, Style::Bold, out);
                self.push_table(&chart.tabulate(), out);
            }
            Block::Diagnostics(diagnostics) => {
                // Wide text may go to a pipe.
                let width = Some(self.width).filter(|width| *width < WIDEST);
                let text = render_diagnostics(diagnostics, self.color, width);
                out.push_str(text.strip_suffix('\n').unwrap_or(&text));
            }
        }
    }

    pub(super) fn push_paragraph(&self, text: &str, style: Style, out: &mut String) {
        for line in wrap_words(plain_text(text).trim_end(), self.width.min(WIDEST_PROSE)) {
            out.push_str(&style.paint(&line, self.color));
            out.push('\n');
        }
    }

    /// A table below its caption.
    fn push_table(&self, table: &Table, out: &mut String) {
        if !table.caption.is_empty() {
            self.push_paragraph(&table.caption, Style::Plain, out);
            out.push('\n');
        }
        out.push_str(&draw_grid(table, self.color, self.width));
    }

    /// A chart cannot be drawn here: what it says, and its points.
    fn push_chart(&self, chart: &Chart, out: &mut String) {
        self.push_paragraph(&chart.title, Style::Bold, out);
        self.push_table(&tabulate_points(&chart.without_trials()), out);
    }
}
