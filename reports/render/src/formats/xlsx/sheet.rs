//! A section as a sheet: its blocks below one another, in columns that all its tables share.

mod figures;
mod printed;

use xlsxwriter::{ConditionalFormatFormula, Format, Formula, Worksheet};

use super::super::plain::one_line;
use super::chart_data::ChartData;
use super::choices::Choices;
use super::clip::clip_text;
use super::content::Content;
use super::grid::{SheetColumns, TableSite};
use super::input;
use super::live::PendingFormula;
use super::look;
use super::pages::{PAGE_WIDTH, Pages};
use super::places::Places;
use super::table::{Leftovers, row_heights, write_table};
use super::widths::{LINE, row_height};
use crate::{Cell, Document, INPUTS_CHANGED, RenderError, Section, Table};

/// How wide paragraphs run, in characters.
const MEASURE: f64 = 100.0;

/// The width of a column that no table uses.
const UNUSED: f64 = 12.0;

/// A table with fewer rows needs neither filter nor frozen headings.
const BIG: usize = 12;

/// Frozen rows must leave room for the others, in points.
const FROZEN: f64 = 200.0;

/// The width of a digit of the default font, and the padding of a column, in points.
const DIGIT: f64 = 5.25;
const GUTTER: f64 = 3.75;

/// A wider first column takes too much of a window, in characters.
const FIRST_COLUMN: f64 = 40.0;

/// The headings of a table and the least rows below them on a page, in points.
const BEGINNING: f64 = 6.0 * LINE;

/// A sheet while it is written.
pub(super) struct Sheet {
    name: String,
    out: Worksheet,
    /// The formulas, which are written once every table has its place.
    live: Vec<PendingFormula>,
    /// Where the cells of the document's tables begin, in their order: the row, and every column.
    corners: Vec<(u32, Vec<u16>)>,
    row: u32,
    grid: SheetColumns,
    /// How many columns a paragraph spans.
    span: u16,
    /// Ranges that do not follow the inputs: first row, last row, last column.
    still: Vec<(u32, u32, u16)>,
    pages: Pages,
    /// How wide the widest row of charts is, in points.
    drawn: f64,
}

impl Sheet {
    /// The sheet of `section`; the first begins with the document's title.
    pub(super) fn of(
        section: &Section,
        name: &str,
        head: Option<&Document>,
        document: &Document,
        data: &mut ChartData,
        choices: &mut Choices,
    ) -> Result<Self, RenderError> {
        let blocks: Vec<Content<'_>> = section.blocks.iter().map(Content::of).collect();
        let tables: Vec<&Table> = blocks.iter().filter_map(Content::as_table).collect();
        let mut sheet = Self::new(name, document, &tables)?;
        if let Some(document) = head {
            sheet.document_head(document)?;
        }
        sheet.write_line(&section.title, &look::heading(), 24.0)?;
        let input = |cell: &Cell| matches!(cell, Cell::Input(_));
        if tables.iter().any(|table| table.cells().any(|(_, _, cell)| input(cell))) {
            sheet.skip_row()?;
            sheet.write_paragraph(input::LEGEND, &look::legend())?;
        }
        sheet.skip_row()?;
        let chart_free = !blocks.iter().any(|c| matches!(c, Content::Chart(_) | Content::Bars(_)));
        let dominated = tables.len() == 1 && chart_free;
        // The first sentence of a report is its answer.
        let mut answers = head.is_some();
        for content in blocks.chunk_by(|a, b| a.is_figure() && b.is_figure()) {
            match content {
                [Content::Prose(text)] if std::mem::take(&mut answers) => {
                    sheet.write_fixed_text(text, &look::answer())?;
                    sheet.out.set_row_height(sheet.row.saturating_sub(1), 24.0)?;
                }
                [Content::Prose(text)] => sheet.write_fixed_text(text, &look::prose())?,
                [Content::Table(table)] => sheet.add_table(table, true, dominated, choices)?,
                [Content::Listing(table)] => sheet.add_table(table, false, dominated, choices)?,
                figures => {
                    for pair in figures.chunks(2) {
                        sheet.add_figures(pair, data)?;
                    }
                }
            }
            sheet.skip_row()?;
        }
        if section.appendix {
            sheet.leave_unprinted()?;
        } else {
            sheet.set_print_area()?;
        }
        if sheet.pages.fit_one(sheet.total_width()) {
            sheet.out.set_print_fit_to_pages(1, 1);
        } else if !sheet.pages.breaks.is_empty() {
            sheet.out.set_page_breaks(&sheet.pages.breaks)?;
        }
        if chart_free && !dominated && sheet.total_width() > PAGE_WIDTH {
            // The first column names the rows and stays in view.
            sheet.freeze_first_column(&tables)?;
        }
        Ok(sheet)
    }

    /// Freezes the first column, if it is the first of every table.
    fn freeze_first_column(&mut self, tables: &[&Table]) -> Result<(), RenderError> {
        let alone =
            |table: &&Table| self.grid.column_spans(table).first().is_none_or(|s| s.right == 0);
        let narrow = self.grid.widths().first().is_some_and(|width| *width <= FIRST_COLUMN);
        if narrow && tables.iter().all(alone) {
            self.out.set_freeze_panes(0, 1)?;
        }
        Ok(())
    }

    /// The sheet of a document without sections: a workbook must have one.
    pub(super) fn cover_sheet(document: &Document) -> Result<Self, RenderError> {
        let mut sheet = Self::new("Report", document, &[])?;
        sheet.document_head(document)?;
        Ok(sheet)
    }

    /// An empty sheet, set up for print, with columns that fit `tables`.
    pub(super) fn new(
        name: &str,
        document: &Document,
        tables: &[&Table],
    ) -> Result<Self, RenderError> {
        let mut out = Worksheet::new();
        out.set_name(name)?;
        out.set_screen_gridlines(false)
            .set_landscape()
            .set_paper_size(9)
            .set_print_fit_to_pages(1, 0);
        out.set_margins(0.5, 0.5, 0.7, 0.7, 0.3, 0.3);
        // LibreOffice makes a row without a height lower than Excel does.
        out.set_default_row_height(LINE - 0.75);
        // An ampersand begins a code in headers.
        let code =
            |text: &str| super::super::wrap::truncate_text(&one_line(text), 60).replace('&', "&&");
        out.set_header(format!("&L&9{}&R&9{}", code(&document.title), code(name)));
        out.set_footer("&C&9Page &P of &N");

        let grid = SheetColumns::of(tables);
        let widths = grid.widths();
        for (column, width) in (0_u16..).zip(widths) {
            out.set_column_width(column, *width)?;
        }
        let mut span = 0;
        let mut measure = 0.0;
        while measure < MEASURE {
            measure += widths.get(usize::from(span)).copied().unwrap_or(UNUSED);
            if usize::from(span) >= widths.len() {
                out.set_column_width(span, UNUSED)?;
            }
            span += 1;
        }
        let name = name.to_owned();
        let (live, corners) = (Vec::new(), Vec::new());
        let (row, pages) = (0, Pages::default());
        let still = Vec::new();
        Ok(Self { name, out, live, corners, row, grid, span, still, pages, drawn: 0.0 })
    }

    fn document_head(&mut self, document: &Document) -> Result<(), RenderError> {
        self.write_line(&document.title, &look::title(), 30.0)?;
        self.write_paragraph(&document.subtitle, &look::subtitle())?;
        self.skip_row()
    }

    /// One line that may run over the columns to its right.
    pub(super) fn write_line(
        &mut self,
        text: &str,
        format: &Format,
        height: f64,
    ) -> Result<(), RenderError> {
        self.out.write_string_with_format(self.row, 0, clip_text(&one_line(text)), format)?;
        self.end_row(height)
    }

    /// Wrapped text over merged columns; nothing for an empty one.
    pub(super) fn write_paragraph(
        &mut self,
        text: &str,
        format: &Format,
    ) -> Result<(), RenderError> {
        let text = clip_text(text.trim_end());
        if text.is_empty() {
            return Ok(());
        }
        let height = self.caption_height(&text);
        if self.span > 1 {
            self.out.merge_range(self.row, 0, self.row, self.span - 1, &text, format)?;
        } else {
            self.out.write_string_with_format(self.row, 0, &text, format)?;
        }
        self.end_row(height + 1.0)
    }

    /// A paragraph that does not follow the inputs.
    fn write_fixed_text(&mut self, text: &str, format: &Format) -> Result<(), RenderError> {
        let row = self.row;
        self.write_paragraph(text, format)?;
        // An empty paragraph has no row.
        if self.row > row {
            self.still.push((row, row, 0));
        }
        Ok(())
    }

    /// The height of wrapped text over the columns of a paragraph.
    fn caption_height(&self, text: &str) -> f64 {
        let widths = (0..self.span)
            .map(|column| self.grid.widths().get(usize::from(column)).copied().unwrap_or(UNUSED));
        row_height(std::iter::once((text, widths.sum())))
    }

    /// A table below its caption. `known`: formulas may refer to it; `dominates`: it is the only table of the sheet.
    pub(super) fn add_table(
        &mut self,
        table: &Table,
        known: bool,
        dominates: bool,
        choices: &mut Choices,
    ) -> Result<(), RenderError> {
        let spans = self.grid.column_spans(table);
        let caption = self.caption_height(&table.caption);
        let heights = row_heights(table, &spans);
        let height: f64 = heights.iter().sum();
        let whole = self.pages.holds(caption + height, self.total_width());
        let together = caption + if whole { height } else { BEGINNING };
        self.pages.keep_together(self.row, together, self.total_width());
        self.write_fixed_text(&table.caption, &look::caption())?;
        if known {
            let columns = spans.iter().map(|span| span.left).collect();
            self.corners.push((self.row + 1, columns));
        }
        let last = u16::try_from(table.columns.len()).unwrap_or(u16::MAX).checked_sub(1);
        let (Some(last), Ok(rows)) = (last, u32::try_from(table.rows.len())) else { return Ok(()) };
        let site = TableSite { row: self.row, spans: &spans, heights: &heights, known };
        let mut behind = Leftovers { live: &mut self.live, choices };
        write_table(&mut self.out, &mut behind, table, &site)?;
        if dominates {
            self.out.set_repeat_rows(self.row, self.row)?;
            if table.rows.len() >= BIG {
                self.out.autofilter(self.row, 0, self.row + rows, last)?;
                if self.pages.height < FROZEN {
                    self.out.set_freeze_panes(self.row + 1, 1)?;
                }
            }
        }
        if let Some(end) = spans.last().filter(|_| table.stands_still() && rows > 0) {
            self.still.push((self.row + 1, self.row + rows, end.right));
        }
        self.pages.height += height;
        self.row += rows + 1;
        Ok(())
    }

    /// The width of all columns, in points.
    fn total_width(&self) -> f64 {
        let columns = self.grid.widths().len().max(usize::from(self.span));
        let width = |column: usize| self.grid.widths().get(column).copied().unwrap_or(UNUSED);
        let all: f64 = (0..columns).map(|column| width(column) * DIGIT + GUTTER).sum();
        all.max(self.drawn)
    }

    /// An empty row.
    pub(super) fn skip_row(&mut self) -> Result<(), RenderError> {
        self.end_row(8.0)
    }

    /// Sets the height of the current row and goes to the next.
    fn end_row(&mut self, height: f64) -> Result<(), RenderError> {
        self.out.set_row_height(self.row, height)?;
        self.pages.height += height;
        self.row += 1;
        Ok(())
    }

    /// A sheet with a table that other sheets refer to.
    pub(super) fn supporting_sheet(
        name: &str,
        title: &str,
        table: &Table,
        document: &Document,
    ) -> Result<Self, RenderError> {
        let mut sheet = Self::new(name, document, &[table])?;
        sheet.write_line(title, &look::heading(), 24.0)?;
        sheet.skip_row()?;
        // This table has no inputs.
        sheet.add_table(table, false, true, &mut Choices::new(String::new()))?;
        sheet.leave_unprinted()?;
        Ok(sheet)
    }

    /// The sheet's name, and where the cells of the document's tables begin, in their order.
    pub(super) fn table_corners(&self) -> impl Iterator<Item = (&str, u32, &[u16])> {
        self.corners.iter().map(|(top, columns)| (self.name.as_str(), *top, columns.as_slice()))
    }

    /// The written sheet, formulas and all.
    pub(super) fn into_worksheet(mut self, places: &Places<'_>) -> Result<Worksheet, RenderError> {
        for live in &self.live {
            live.write_to(&mut self.out, &self.name, places)?;
        }
        if let Some((count, _)) = places.find_name(INPUTS_CHANGED) {
            let changed = Formula::new(format!("{count}>0"));
            let stale = ConditionalFormatFormula::new().set_rule(changed).set_format(look::stale());
            for (first, last, right) in self.still {
                self.out.add_conditional_format(first, 0, last, right, &stale)?;
            }
        }
        Ok(self.out)
    }
}
