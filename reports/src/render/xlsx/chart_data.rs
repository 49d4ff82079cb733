//! The sheet behind the charts: every series in rows of its own.

use super::sheet::Sheet;
use crate::{
    Align, Axis, Cell, Chart, Column, Document, Formula, NumberFormat, Position, RenderError, Table,
};

/// Columns of the data.
const X: u16 = 3;
const Y: u16 = 4;

/// The rows above the first series: the sheet's title, an empty row, the headings.
const TOP: u32 = 3;

/// The data of all charts while they are drawn.
pub(super) struct ChartData {
    name: String,
    rows: Vec<Vec<Cell>>,
}

/// Where a series stands, as a chart refers to it.
pub(super) struct Place {
    sheet: String,
    first: u32,
    last: u32,
}

impl Place {
    /// The cells with the values of an axis.
    pub(super) fn x(&self) -> (&str, u32, u16, u32, u16) {
        (&self.sheet, self.first, X, self.last, X)
    }

    /// The same for the vertical axis.
    pub(super) fn y(&self) -> (&str, u32, u16, u32, u16) {
        (&self.sheet, self.first, Y, self.last, Y)
    }
}

impl ChartData {
    /// No data yet, for a sheet called `name`.
    pub(super) fn new(name: String) -> Self {
        Self { name, rows: Vec::new() }
    }

    /// Adds a series of named values.
    pub(super) fn add<'a>(
        &mut self,
        chart: &Chart,
        series: &str,
        values: impl Iterator<Item = (&'a str, &'a Position)>,
    ) -> Place {
        let row = |rows: &Vec<Vec<Cell>>| TOP + u32::try_from(rows.len()).unwrap_or(u32::MAX - TOP);
        let first = row(&self.rows);
        for (label, at) in values {
            let formulas = at.live.as_deref();
            let number = |value, axis: &Axis, formula: Option<&Formula>| {
                let large = axis.max >= 1e4;
                let format = if large { NumberFormat::Si(4) } else { NumberFormat::Significant(4) };
                match formula {
                    Some(formula) => Cell::formula(value, formula.clone(), format),
                    None => Cell::number(value, format),
                }
            };
            let x = number(at.x, &chart.x, formulas.map(|[x, _]| x));
            let y = number(at.y, &chart.y, formulas.map(|[_, y]| y));
            let texts = [&chart.title, series, label].map(Cell::text);
            self.rows.push(texts.into_iter().chain([x, y]).collect());
        }
        Place {
            sheet: self.name.clone(),
            first,
            last: row(&self.rows).saturating_sub(1).max(first),
        }
    }

    /// The sheet, if there is a chart.
    pub(super) fn finish(self, document: &Document) -> Result<Option<Sheet>, RenderError> {
        if self.rows.is_empty() {
            return Ok(None);
        }
        let axes: Vec<[String; 2]> =
            document.charts().map(|chart| [&chart.x, &chart.y].map(Axis::name)).collect();
        // One chart's axes name the columns; several that differ do not fit into one heading.
        let same = axes.windows(2).all(|pair| pair[0] == pair[1]);
        let [x, y] = axes
            .into_iter()
            .next()
            .filter(|_| same)
            .unwrap_or_else(|| ["x", "y"].map(str::to_owned));
        let mut columns: Vec<Column> = ["Chart", "Series", "Point"]
            .map(|heading| Column::text(heading, heading))
            .into_iter()
            .collect();
        columns.extend(
            [x, y]
                .map(|heading| Column { align: Align::Right, ..Column::text(&heading, &heading) }),
        );
        let table = Table {
            name: "chart-data".to_owned(),
            caption: String::new(),
            columns,
            rows: self.rows,
        };
        Sheet::behind(&self.name, "The data behind the charts", &table, document).map(Some)
    }
}
