//! Tables: named columns with units, and rows of cells.

use serde::Serialize;

use crate::{Bars, Cell, Chart, Diagnostic, KeyFigure, Label, NumberFormat};

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The short name, for a file or an anchor, such as `kernels`.
    pub name: String,
    /// What the table says, in a sentence; may be empty.
    pub caption: String,
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// The rows, from top to bottom; a short row is filled up with empty cells, a cell without a column is dropped.
    pub rows: Vec<Vec<Cell>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// What formulas and machines call it, such as `bytes`.
    pub key: String,
    /// What the reader calls it.
    pub heading: String,
    /// The unit of every number in it.
    pub unit: Option<String>,
    /// Where its cells lean.
    pub align: Align,
}

/// Where the cells of a column lean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Align {
    /// Text.
    #[default]
    Left,
    /// Numbers.
    Right,
    /// Short marks.
    Center,
}

impl Column {
    /// A column of text.
    pub fn text(key: impl Into<String>, heading: impl Into<String>) -> Self {
        Self { key: key.into(), heading: heading.into(), unit: None, align: Align::Left }
    }

    /// A column of numbers in `unit`; the empty unit is a bare number.
    pub fn number(key: impl Into<String>, heading: impl Into<String>, unit: &str) -> Self {
        let unit = (!unit.is_empty()).then(|| unit.to_owned());
        Self { key: key.into(), heading: heading.into(), unit, align: Align::Right }
    }

    /// The heading with the unit in parentheses.
    pub fn heading_with_unit(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.heading),
            None => self.heading.clone(),
        }
    }
}

impl Table {
    /// The position of the column that `key` names.
    pub fn column_index(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.key == key)
    }

    /// The cell at `row` and `column`; empty where the row is short.
    pub fn cell(&self, row: usize, column: usize) -> &Cell {
        self.rows.get(row).and_then(|cells| cells.get(column)).unwrap_or(&Cell::Empty)
    }

    /// Every cell under a column, with its row and column.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize, &Cell)> {
        let columns = self.columns.len();
        self.rows.iter().enumerate().flat_map(move |(row, cells)| {
            cells.iter().take(columns).enumerate().map(move |(column, cell)| (row, column, cell))
        })
    }

    /// Whether nothing in it follows an input.
    pub fn stands_still(&self) -> bool {
        !self.cells().any(|(.., cell)| matches!(cell, Cell::Formula { .. } | Cell::Input(_)))
    }

    /// Key figures as a table: a row each, a column for every reading in order of first appearance.
    pub fn of_key_figures(figures: &[KeyFigure]) -> Self {
        let mut columns = vec![Column::text("figure", "Figure")];
        for (heading, _) in figures.iter().flat_map(|figure| &figure.values) {
            if !columns.iter().skip(1).any(|column| column.heading == *heading) {
                columns.push(Column { align: Align::Right, ..Column::text(heading, heading) });
            }
        }
        let rows = figures.iter().map(|figure| {
            let readings = columns.iter().skip(1).map(|column| {
                let reading = figure.values.iter().find(|(heading, _)| *heading == column.heading);
                reading.map_or(Cell::Empty, |(_, cell)| cell.clone())
            });
            std::iter::once(Cell::text(&figure.label)).chain(readings).collect()
        });
        let rows = rows.collect();
        Self { name: "key-figures".to_owned(), caption: String::new(), columns, rows }
    }

    /// Diagnostics as a table, for formats without excerpts: a row each.
    pub fn of_diagnostics(diagnostics: &[Diagnostic]) -> Self {
        let columns = [
            ("level", "Level"),
            ("rule", "Rule"),
            ("message", "Finding"),
            ("where", "Where"),
            ("there", "What stands there"),
            ("notes", "Notes"),
            ("help", "What to do"),
        ];
        let rows = diagnostics.iter().map(|diagnostic| {
            let lines = |text: &dyn Fn(&Label) -> String| -> Vec<String> {
                diagnostic.labels.iter().map(text).collect()
            };
            let places = lines(&|label| format!("{}:{}", label.file, label.position().0));
            vec![
                Cell::Status(diagnostic.level, diagnostic.level.name().to_owned()),
                Cell::text(&diagnostic.code),
                Cell::text(&diagnostic.message),
                Cell::Text(places.join("\n")),
                Cell::Text(listed(&lines(&Label::summary))),
                Cell::Text(listed(&diagnostic.notes)),
                diagnostic.help.as_ref().map_or(Cell::Empty, Cell::text),
            ]
        });
        let rows = rows.collect();
        let columns =
            columns.map(|(key, heading)| Column::text(key, heading)).into_iter().collect();
        Self { name: "findings".to_owned(), caption: String::new(), columns, rows }
    }

    /// The points of a chart as a table, for formats that cannot draw.
    pub fn of_points(chart: &Chart) -> Self {
        let columns = vec![
            Column::text("series", "Series"),
            Column::text("point", "Point"),
            Column::number("x", &chart.x.label, &chart.x.unit),
            Column::number("y", &chart.y.label, &chart.y.unit),
        ];
        let rows = chart.points.iter().flat_map(|series| {
            series.points.iter().map(|point| {
                let number = |value: f64| {
                    let large = value >= 1e4;
                    Cell::number(
                        value,
                        if large { NumberFormat::Si(4) } else { NumberFormat::Significant(4) },
                    )
                };
                vec![
                    Cell::text(&series.name),
                    Cell::text(&point.label),
                    number(point.at.x),
                    number(point.at.y),
                ]
            })
        });
        let rows = rows.collect();
        Self { name: "points".to_owned(), caption: chart.caption.clone(), columns, rows }
    }

    /// The lengths of a bar chart as a table, for formats that cannot draw.
    pub fn of_bars(chart: &Bars) -> Self {
        let mut columns = vec![Column::text("bar", "")];
        columns.extend(chart.series.iter().map(|s| Column::number(&s.name, &s.name, &chart.unit)));
        let rows = chart.bars.iter().enumerate().map(|(at, bar)| {
            let lengths = chart.series.iter().map(|series| match series.lengths.get(at) {
                Some(Some(length)) => Cell::number(length.value, chart.format),
                _ => Cell::Unknown(String::new()),
            });
            std::iter::once(Cell::text(bar)).chain(lengths).collect()
        });
        let rows = rows.collect();
        Self { name: chart.name.clone(), caption: chart.caption.clone(), columns, rows }
    }
}

/// Texts below one another, each with a mark where there are several: they wrap.
fn listed(texts: &[String]) -> String {
    match texts {
        [text] => text.clone(),
        _ => texts.iter().map(|text| format!("• {text}")).collect::<Vec<_>>().join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NumberFormat;

    #[test]
    fn key_figures_share_columns_by_heading() {
        let number = |value| Cell::number(value, NumberFormat::Integer);
        let figures = [
            KeyFigure {
                label: "Bandwidth".to_owned(),
                values: vec![("Claimed".to_owned(), number(460.0))],
            },
            KeyFigure {
                label: "Batch".to_owned(),
                values: vec![
                    ("Derived".to_owned(), number(1.0)),
                    ("Claimed".to_owned(), number(2.0)),
                ],
            },
        ];
        let table = Table::of_key_figures(&figures);
        assert_eq!(table.columns.len(), 3);
        assert_eq!(table.rows[0], [Cell::text("Bandwidth"), number(460.0), Cell::Empty]);
        assert_eq!(table.rows[1], [Cell::text("Batch"), number(2.0), number(1.0)]);
    }

    #[test]
    fn a_short_row_reads_as_empty() {
        let table = Table {
            name: String::new(),
            caption: String::new(),
            columns: vec![Column::text("a", "A"), Column::number("b", "B", "GB/s")],
            rows: vec![vec![Cell::text("x")]],
        };
        assert_eq!(table.cell(0, 1), &Cell::Empty);
        assert_eq!(table.cell(9, 9), &Cell::Empty);
        assert_eq!(table.column_index("b"), Some(1));
        assert_eq!(table.columns[1].heading_with_unit(), "B (GB/s)");
    }
}
