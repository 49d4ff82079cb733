use super::figure::{Figure, Located};
use super::report::{Report, ReportKind};
use super::table::{Cell, Grid, Layout, read_figure, read_word};
use serde::Serialize;

/// What co-simulation reports for one language. `Pass` may be beside `NA` everywhere, and `Fail`
/// beside a latency: neither says anything about the other.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cosim {
    /// `Verilog` or `VHDL`.
    pub language: Located<String>,
    /// `Pass`, `Fail`, `NA`: as printed.
    pub status: Located<String>,
    /// Cycles of one transaction.
    pub latency: Spread,
    /// Cycles between starts; `NA` where one transaction ran.
    pub interval: Spread,
    /// Cycles of the whole run, since 2020.2.
    pub total: Option<Located<Figure>>,
}

/// Least, mean and most.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The least.
    pub min: Option<Located<Figure>>,
    /// The mean.
    pub avg: Option<Located<Figure>>,
    /// The most.
    pub max: Option<Located<Figure>>,
}

impl Cosim {
    /// Whether this language was simulated, with whatever result.
    pub fn ran(&self) -> bool {
        self.status.value != "NA"
    }

    /// Passed, but without a single cycle count: nothing was measured.
    pub fn passed_without_figures(&self) -> bool {
        let counts = [&self.latency.min, &self.latency.avg, &self.latency.max, &self.total];
        let known = counts
            .iter()
            .any(|count| count.as_ref().is_some_and(|count| count.value.known().is_some()));
        self.status.value == "Pass" && !known
    }
}

/// Reads the whole report.
pub(crate) fn read_cosim(layout: &Layout) -> Report {
    let mut report = Report::new(ReportKind::Cosim);
    if let Some(title) = layout.titles.iter().find(|title| title.value.contains('\'')) {
        let name = title.value.split('\'').nth(1).unwrap_or("").to_owned();
        report.top = Some(Located::new(name, title.span));
    }
    report.version = layout.find_fact("Version");
    for grid in &layout.grids {
        for span in &grid.odd {
            report.note_unread(*span, "a row that does not fit its headings");
        }
        for row in &grid.rows {
            let language = read_word(row, grid.column_named("RTL"));
            let status = read_word(row, grid.column_named("Status"));
            let (Some(language), Some(status)) = (language, status) else { continue };
            report.cosim.push(Cosim {
                language,
                status,
                latency: read_spread(row, grid, "Latency"),
                interval: read_spread(row, grid, "Interval"),
                total: read_figure(row, grid.find_column(|one| one.starts_with("Total"))),
            });
        }
    }
    report
}

fn read_spread(row: &[Cell], grid: &Grid, heading: &str) -> Spread {
    let end = |end: &str| {
        read_figure(row, grid.find_column(|one| one.starts_with(heading) && one.ends_with(end)))
    };
    Spread { min: end("min"), avg: end("avg"), max: end("max") }
}
