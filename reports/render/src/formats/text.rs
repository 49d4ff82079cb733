//! Terminal text: headings, paragraphs, aligned tables, diagnostics with their excerpts.

use unicode_width::UnicodeWidthStr;

use super::diagnostics::diagnostics_of_width;
use super::grid::grid;
use super::plain::{one_line, plain};
use super::style::Style;
use super::wrap::wrap;
use crate::tabulate::{tabulate_bars, tabulate_key_figures, tabulate_points};
use crate::{Block, Chart, Document, RenderError, Section, Table};

/// Fewer columns hold no table.
const NARROWEST: usize = 40;

/// Longer lines are hard to read.
const WIDEST_PROSE: usize = 100;

/// Renders a document for a terminal of `width` columns, with colours if `color` says so.
pub fn text(document: &Document, color: bool, width: usize) -> Result<Vec<u8>, RenderError> {
    let page = Page { color, width: width.max(NARROWEST) };
    let mut out = page.document_head(document);
    for section in &document.sections {
        out.push('\n');
        page.section(section, &mut out);
    }
    Ok(out.into_bytes())
}

/// What the text is written on.
struct Page {
    color: bool,
    width: usize,
}

impl Page {
    /// Title and subtitle.
    fn document_head(&self, document: &Document) -> String {
        let mut head = String::new();
        for (text, style) in [(&document.title, Style::Title), (&document.subtitle, Style::Dim)] {
            if !text.is_empty() {
                self.paragraph(text, style, &mut head);
            }
        }
        head
    }

    /// A section: its heading, underlined, and its blocks with an empty line between.
    fn section(&self, section: &Section, out: &mut String) {
        let title = one_line(&section.title);
        out.push_str(&Style::Bold.paint(&title, self.color));
        out.push('\n');
        out.push_str(&Style::Dim.paint(&"─".repeat(title.width().min(self.width)), self.color));
        out.push('\n');
        for (index, block) in section.blocks.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.block(block, out);
        }
    }

    /// One block.
    fn block(&self, block: &Block, out: &mut String) {
        match block {
            Block::Prose(text) => self.paragraph(text, Style::Plain, out),
            Block::KeyFigures(figures) => self.table(&tabulate_key_figures(figures), out),
            Block::Table(table) => self.table(table, out),
            Block::Chart(chart) => self.chart(chart, out),
            Block::Bars(chart) => {
                self.paragraph(&chart.title, Style::Bold, out);
                self.table(&tabulate_bars(chart), out);
            }
            Block::Diagnostics(diagnostics) => {
                let text = diagnostics_of_width(diagnostics, self.color, self.width);
                out.push_str(text.strip_suffix('\n').unwrap_or(&text));
            }
        }
    }

    /// Wrapped text.
    fn paragraph(&self, text: &str, style: Style, out: &mut String) {
        for line in wrap(plain(text).trim_end(), self.width.min(WIDEST_PROSE)) {
            out.push_str(&style.paint(&line, self.color));
            out.push('\n');
        }
    }

    /// A table below its caption.
    fn table(&self, table: &Table, out: &mut String) {
        if !table.caption.is_empty() {
            self.paragraph(&table.caption, Style::Plain, out);
            out.push('\n');
        }
        out.push_str(&grid(table, self.color, self.width));
    }

    /// A chart cannot be drawn here: what it says, and its points.
    fn chart(&self, chart: &Chart, out: &mut String) {
        self.paragraph(&chart.title, Style::Bold, out);
        self.table(&tabulate_points(&chart.still()), out);
    }
}
