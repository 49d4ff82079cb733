//! Tables drawn with `+`, `-` and `|`, and the headings and facts around them.

use super::figure::{Figure, Located};
use crate::{FileId, Sources, Span, Unparsed};

/// One cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    /// Without the blanks around it.
    pub(crate) text: Located<String>,
    /// Blanks in front.
    pub(crate) indent: usize,
}

/// A table whose heading may take several lines.
#[derive(Debug)]
pub(crate) struct Grid {
    /// The `==` title above it.
    pub(crate) section: String,
    /// The `*` or `+` line above it.
    pub(crate) item: Located<String>,
    /// A column's heading; where headings are above headings, all of them, top to bottom.
    pub(crate) headings: Vec<String>,
    /// As many cells a row as there are headings.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Rows that have another number of cells.
    pub(crate) odd: Vec<Span>,
}

impl Grid {
    /// The first column whose heading passes.
    pub(crate) fn find_column(&self, test: impl Fn(&str) -> bool) -> Option<usize> {
        self.headings.iter().position(|heading| test(heading))
    }

    /// The column of exactly this heading.
    pub(crate) fn column_named(&self, heading: &str) -> Option<usize> {
        self.find_column(|one| one == heading)
    }
}

/// A cell's text, if there is any.
pub(crate) fn read_word(row: &[Cell], column: Option<usize>) -> Option<Located<String>> {
    let text = &row.get(column?)?.text;
    (!text.value.is_empty()).then(|| text.clone())
}

/// A cell as a figure.
pub(crate) fn read_figure(row: &[Cell], column: Option<usize>) -> Option<Located<Figure>> {
    read_word(row, column).map(|text| text.map(|read_word| Figure::parse(&read_word)))
}

/// All that a text report is made of.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The `==` lines, without the signs.
    pub(crate) titles: Vec<Located<String>>,
    /// `* Version: 2022.2` and the like: name and value.
    pub(crate) facts: Vec<(String, Located<String>)>,
    pub(crate) grids: Vec<Grid>,
    /// What is too much, or ends too early.
    pub(crate) cut: Vec<Unparsed>,
}

impl Layout {
    /// The first fact of a name.
    pub(crate) fn find_fact(&self, name: &str) -> Option<Located<String>> {
        let found = self.facts.iter().find(|(key, value)| key == name && !value.value.is_empty());
        found.map(|(_, value)| value.clone())
    }
}

/// Sections that take most of a report and are not used.
const SKIPPED: [&str; 2] = ["Bind Op Report", "Bind Storage Report"];

/// What is printed in place of the tables of accesses.
pub(crate) const NO_BURST: &str = "No burst in design";

/// Real reports have some hundred thousand cells in the sections that are read.
const CELLS: usize = 2_000_000;
/// Cells of one row.
const ROW: usize = 256;
/// Lines of one heading.
const HEADING: usize = 8;

/// Reads a whole text.
pub(crate) fn read_layout(sources: &Sources, file: FileId) -> Layout {
    let mut scan = Scan {
        file,
        layout: Layout::default(),
        section: String::new(),
        item: None,
        table: None,
        cells: 0,
    };
    let mut start = 0;
    for line in sources.text(file).split_inclusive('\n') {
        scan.read_line(start, line.trim_end_matches(['\n', '\r']));
        start += line.len();
    }
    scan.end_text(start);
    scan.close_table();
    scan.layout
}

struct Scan {
    file: FileId,
    layout: Layout,
    section: String,
    item: Option<Located<String>>,
    table: Option<Table>,
    /// How many cells were read.
    cells: usize,
}

/// A table that is being read.
struct Table {
    /// Heading lines, each cut into columns and texts.
    heading: Vec<Vec<Piece>>,
    in_heading: bool,
    /// Borders so far, and whether the last line is one.
    borders: usize,
    closed: bool,
    grid: Grid,
}

/// What is between two separators.
struct Piece {
    /// Columns in characters.
    from: usize,
    to: usize,
    text: Located<String>,
    indent: usize,
}

impl Scan {
    fn read_line(&mut self, start: usize, line: &str) {
        let trimmed = line.trim();
        let bar = trimmed.starts_with('|');
        if is_border(trimmed) {
            match &mut self.table {
                Some(table) => {
                    table.in_heading &= table.heading.is_empty();
                    table.borders += 1;
                    table.closed = table.borders > 2;
                }
                None => self.open_table(start),
            }
        } else if let Some(table) = self.table.as_mut().filter(|table| {
            bar || (table.in_heading && trimmed.starts_with('+') && trimmed.ends_with('+'))
        }) {
            table.closed = false;
            let span = Span { file: self.file, start, end: start + line.len() };
            if SKIPPED.contains(&self.section.as_str()) || self.cells > CELLS {
                return;
            }
            let pieces = cut_line(self.file, start, line, !bar);
            self.cells += pieces.len();
            if self.cells > CELLS {
                let reason = format!("more than {CELLS} cells of tables; the rest is not read");
                self.layout.cut.push(Unparsed { span, reason });
                return;
            }
            if table.in_heading {
                if table.heading.len() < HEADING {
                    table.heading.push(pieces);
                }
            } else {
                table.add_row(pieces);
            }
        } else {
            self.close_table();
            self.read_outside(start, line, trimmed);
        }
    }

    fn open_table(&mut self, start: usize) {
        let item = self.item.clone().unwrap_or_else(|| {
            Located::new(String::new(), Span { file: self.file, start, end: start })
        });
        let section = self.section.clone();
        let grid = Grid { section, item, headings: Vec::new(), rows: Vec::new(), odd: Vec::new() };
        self.table =
            Some(Table { heading: Vec::new(), in_heading: true, borders: 1, closed: false, grid });
    }

    /// A text that ends within a table was cut.
    fn end_text(&mut self, end: usize) {
        let Some(table) = self.table.as_ref().filter(|table| !table.closed) else { return };
        let item = table.grid.item.value.as_str();
        let named = [item, self.section.as_str()].into_iter().find(|name| !name.is_empty());
        let of = named.map_or_else(String::new, |name| format!(" of `{name}`"));
        let reason = format!("the text ends within the table{of}: the report is cut off");
        let item = table.grid.item.span;
        // A heading may be far above the end; the place is where the table begins.
        let start = item.start.min(end);
        let span = Span { file: self.file, start, end: item.end.clamp(start, end) };
        self.layout.cut.push(Unparsed { span, reason });
    }

    fn close_table(&mut self) {
        let Some(table) = self.table.take() else { return };
        if !table.grid.headings.is_empty() && !SKIPPED.contains(&self.section.as_str()) {
            self.layout.grids.push(table.grid);
        }
    }

    /// Titles, items and facts.
    fn read_outside(&mut self, start: usize, line: &str, trimmed: &str) {
        let at = start + (line.len() - line.trim_start().len());
        let located = |text: &str, offset: usize| {
            let from = at + offset + (text.len() - text.trim_start().len());
            let text = text.trim();
            let span = Span { file: self.file, start: from, end: from + text.len() };
            Located::new(text.to_owned(), span)
        };
        if let Some(title) = trimmed.strip_prefix("== ") {
            let title = located(title, 3);
            self.section.clone_from(&title.value);
            self.item = None;
            self.layout.titles.push(title);
            return;
        }
        if trimmed == NO_BURST {
            self.layout.facts.push((NO_BURST.to_owned(), located(trimmed, 0)));
        }
        let marked = ["* ", "+ ", "| "].iter().find_map(|mark| trimmed.strip_prefix(mark));
        let body = marked.unwrap_or(trimmed);
        let offset = trimmed.len() - body.len();
        if let Some((key, value)) = body.split_once(':') {
            let value = located(value, offset + key.len() + 1);
            self.layout.facts.push((key.trim().to_owned(), value));
        }
        if marked.is_some() {
            self.item = Some(located(body.trim_end_matches([':', ' ']), offset));
        }
    }
}

impl Table {
    fn add_row(&mut self, pieces: Vec<Piece>) {
        if self.grid.headings.is_empty() {
            self.grid.headings = join_headings(&self.heading);
        }
        if pieces.len() == self.grid.headings.len() {
            let cells = pieces.into_iter().map(|Piece { text, indent, .. }| Cell { text, indent });
            self.grid.rows.push(cells.collect());
        } else if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
            let span = Span { end: last.text.span.end, ..first.text.span };
            self.grid.odd.push(span);
        }
    }
}

/// A line of `+` and `-` only.
fn is_border(line: &str) -> bool {
    line.len() > 2
        && line.starts_with('+')
        && line.ends_with('+')
        && line.bytes().all(|byte| matches!(byte, b'+' | b'-'))
}

/// Cuts a line at its separators; `plus` makes `+` one of them.
fn cut_line(file: FileId, start: usize, line: &str, plus: bool) -> Vec<Piece> {
    let marks: Vec<(usize, usize)> = line
        .char_indices()
        .enumerate()
        .filter(|(_, (_, sign))| *sign == '|' || (plus && *sign == '+'))
        .map(|(column, (byte, _))| (column, byte))
        .take(ROW + 1)
        .collect();
    let piece = |pair: &[(usize, usize)]| {
        let [(from, first), (to, last)] = pair else { return None };
        let inner = line.get(first + 1..*last)?;
        let indent = inner.len() - inner.trim_start().len();
        let text = inner.trim();
        let at = start + first + 1 + indent.min(inner.len());
        let span = Span { file, start: at, end: at + text.len() };
        let text = Located::new(text.to_owned(), span);
        Some(Piece { from: from + 1, to: *to, text, indent })
    };
    marks.windows(2).filter_map(piece).collect()
}

/// A column is as wide as in the last line of the heading; what is above it belongs to it.
fn join_headings(lines: &[Vec<Piece>]) -> Vec<String> {
    let Some(last) = lines.last() else { return Vec::new() };
    let over = |column: &Piece| {
        let pieces = lines.iter().flatten();
        let words = pieces
            .filter(|piece| piece.from < column.to && column.from < piece.to)
            .map(|piece| piece.text.value.trim_matches(['-', ' ']))
            .filter(|word| !word.is_empty());
        words.collect::<Vec<&str>>().join(" ")
    };
    last.iter().map(over).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        let mut sources = Sources::default();
        let file = sources.add("a.rpt", text);
        let mut grids = read_layout(&sources, file).grids;
        assert_eq!(grids.len(), 1);
        grids.remove(0)
    }

    #[test]
    fn a_heading_may_stand_over_two_columns() {
        let grid = grid(
            "\
+------+-----------+
|      |  Latency  |
| Name | min | max |
+------+-----+-----+
| 变量 |   1 |   ? |
+------+-----+-----+
",
        );
        assert_eq!(grid.headings, ["Name", "Latency min", "Latency max"]);
        assert_eq!(
            read_figure(&grid.rows[0], Some(2)).unwrap().value,
            Figure::Unknown("?".to_owned())
        );
    }

    #[test]
    fn a_heading_may_stand_between_two_lines() {
        let grid = grid(
            "\
+-----+-----------+-----------+
|     |  Latency  |   Total   |
+ RTL +-----------+  (cycles) +
|     | min | max |           |
+-----+-----+-----+-----------+
|VHDL |   1 |   2 |         3 |
|x|
+-----+-----+-----+-----------+
",
        );
        assert_eq!(grid.headings, ["RTL", "Latency min", "Latency max", "Total (cycles)"]);
        assert_eq!((grid.rows.len(), grid.odd.len()), (1, 1));
    }
}
