//! The sheet with the data of the charts.

use xlsxwriter::utility::{quote_sheet_name, row_col_to_cell_absolute};

use super::formula_text::{is_arithmetic, number_text};
use crate::{
    Align, Axis, BarSeries, Bars, Cell, Chart, Column, Formula, Length, NumberFormat, Position,
    Table,
    formula::{known, number, sum},
};

/// Columns of the data.
const POINT: u16 = 2;
const X: u16 = 3;
const Y: u16 = 5;

/// The rows above the first series: the sheet's title, an empty row, a sentence, the headings.
const TOP: u32 = 4;

/// The meaning of the only error on the sheet.
const UNKNOWN: &str = "#N/A is where an input has made a figure unknown: no chart draws it.";

/// The text above a chart with points outside of its axes.
const OUTSIDE: &str =
    "Points lie outside of the axes: double-click an axis and set its bounds to Auto.";

/// The text otherwise. It looks empty, but is not: programs that do not recalculate show an empty result as 0.
pub(super) const WITHIN: &str = "\u{a0}";

pub(super) struct ChartData {
    name: String,
    rows: Vec<Vec<Cell>>,
}

/// The cells of a series, which a chart refers to.
pub(super) struct SeriesCells {
    sheet: String,
    first: u32,
    last: u32,
}

impl SeriesCells {
    /// The cells with the names.
    pub(super) fn names(&self) -> (&str, u32, u16, u32, u16) {
        (&self.sheet, self.first, POINT, self.last, POINT)
    }

    /// The cells with the values of the horizontal axis.
    pub(super) fn x_values(&self) -> (&str, u32, u16, u32, u16) {
        (&self.sheet, self.first, X, self.last, X)
    }

    /// The same for the vertical axis.
    pub(super) fn y_values(&self) -> (&str, u32, u16, u32, u16) {
        (&self.sheet, self.first, Y, self.last, Y)
    }
}

impl ChartData {
    /// No data yet, for a sheet called `name`.
    pub(super) fn new(name: String) -> Self {
        Self { name, rows: Vec::new() }
    }

    /// Adds a series of named places, with gaps.
    pub(super) fn add_points<'a>(
        &mut self,
        chart: &Chart,
        series: &str,
        values: impl Iterator<Item = Option<(&'a str, &'a Position)>>,
    ) -> SeriesCells {
        let first = self.rows.len();
        for value in values {
            let Some((label, at)) = value else {
                self.rows.push(Vec::new());
                continue;
            };
            let number = |value, axis: &Axis, formula: Option<&Formula>| {
                let large = axis.max >= 1e4;
                let format = if large { NumberFormat::Si(4) } else { NumberFormat::Significant(4) };
                [value_cell(value, formula, format), Cell::text(&axis.unit)]
            };
            let [x, y] = at.live.as_deref().map_or([None, None], |[x, y]| [Some(x), Some(y)]);
            let texts = [&chart.title, series, label].map(Cell::text).into_iter();
            let numbers = [number(at.x, &chart.x, x), number(at.y, &chart.y, y)];
            self.rows.push(texts.chain(numbers.into_iter().flatten()).collect());
        }
        self.cells_from(first)
    }

    /// Adds a series of named lengths.
    pub(super) fn add_bars(&mut self, chart: &Bars, series: &BarSeries) -> SeriesCells {
        let first = self.rows.len();
        for at in 0..chart.bars.len() {
            let length = match series.lengths.get(at).and_then(Option::as_ref) {
                Some(length) => value_cell(length.value, length.live.as_ref(), chart.format),
                None => Cell::Unknown(String::new()),
            };
            let bar = bar_name(chart, at);
            let texts = [&chart.title, &series.name, &bar].map(Cell::text).into_iter();
            self.rows.push(texts.chain([length, Cell::text(&chart.unit)]).collect());
        }
        self.cells_from(first)
    }

    /// Adds the sum of the parts of every bar.
    pub(super) fn add_sums(&mut self, chart: &Bars) -> SeriesCells {
        let first = self.rows.len();
        for (at, bar) in chart.bars.iter().enumerate() {
            let parts = chart.series.iter().map(|series| series.lengths.get(at)?.as_ref());
            let sum = match parts.collect::<Option<Vec<_>>>() {
                Some(parts) => {
                    let all = parts.iter().map(|part| part.value).sum();
                    let live = parts.iter().any(|part| part.live.is_some());
                    let own = |part: &&Length| part.live.clone().unwrap_or(number(part.value));
                    let formula = live.then(|| sum(parts.iter().map(own).collect()));
                    value_cell(all, formula.as_ref(), chart.format)
                }
                None => Cell::Unknown(String::new()),
            };
            let texts = [chart.title.as_str(), "Sum", bar].map(Cell::text).into_iter();
            self.rows.push(texts.chain([sum, Cell::text(&chart.unit)]).collect());
        }
        self.cells_from(first)
    }

    pub(super) fn next_row(&self) -> usize {
        self.rows.len()
    }

    /// A formula that says whether a place in the rows from `first` on lies outside of some axes.
    pub(super) fn outside_formula(
        &self,
        first: usize,
        x: (f64, f64),
        y: (f64, f64),
    ) -> Option<String> {
        if first >= self.rows.len() {
            return None;
        }
        let place = self.cells_from(first);
        let sheet = quote_sheet_name(&self.name);
        let count = |column: u16, (low, high): (f64, f64)| {
            let cells = row_col_to_cell_absolute(place.first, column)
                + ":"
                + &row_col_to_cell_absolute(place.last, column);
            let (low, high) = (number_text(low), number_text(high));
            format!("COUNTIF({sheet}!{cells},\"<\"&{low})+COUNTIF({sheet}!{cells},\">\"&{high})")
        };
        let counts = [count(X, x), count(Y, y)].join("+");
        Some(format!("IF({counts}>0,\"{OUTSIDE}\",\"{WITHIN}\")"))
    }

    /// The cells of the rows from `first` on.
    fn cells_from(&self, first: usize) -> SeriesCells {
        let row = |count: usize| TOP + u32::try_from(count).unwrap_or(u32::MAX - TOP);
        let last = self.rows.len().saturating_sub(1).max(first);
        SeriesCells { sheet: self.name.clone(), first: row(first), last: row(last) }
    }

    /// The name of the sheet and its table; `None` without a chart.
    pub(super) fn into_table(self) -> Option<(String, Table)> {
        let right = |key, heading| Column { align: Align::Right, ..Column::text(key, heading) };
        let columns = vec![
            Column::text("chart", "Chart"),
            Column::text("series", "Series"),
            Column::text("point", "Point or bar"),
            right("x", "Horizontal"),
            Column::text("x-unit", "Unit"),
            right("y", "Vertical"),
            Column::text("y-unit", "Unit"),
        ];
        let (name, caption) = ("chart-data".to_owned(), UNKNOWN.to_owned());
        let table = Table { name, caption, columns, rows: self.rows };
        (!table.rows.is_empty()).then_some((self.name, table))
    }
}

/// The name of a bar with its unknown parts.
pub(super) fn bar_name(chart: &Bars, at: usize) -> String {
    let bar = chart.bars.get(at).map(String::as_str).unwrap_or_default();
    let lacks = |series: &&BarSeries| !matches!(series.lengths.get(at), Some(Some(_)));
    let unknown: Vec<&str> =
        chart.series.iter().filter(lacks).map(|series| series.name.as_str()).collect();
    match unknown[..] {
        [] => bar.to_owned(),
        _ if unknown.len() == chart.series.len() => format!("{bar} (unknown)"),
        _ => format!("{bar} (unknown: {})", unknown.join(", ")),
    }
}

/// A value with its formula. If the formula becomes unknown, it is #N/A, the one value that no chart draws: a chart takes a
/// text as 0, or as its index in the series.
fn value_cell(value: f64, formula: Option<&Formula>, format: NumberFormat) -> Cell {
    let Some(formula) = formula else { return Cell::number(value, format) };
    let numeric =
        if is_arithmetic(formula) { formula.clone() } else { formula.clone() + number(0.0) };
    Cell::formula(value, known(numeric, number(f64::NAN)), format)
}
