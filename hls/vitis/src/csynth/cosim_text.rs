//! Reads the report of a co-simulation.

use super::cosim::{Cosim, Spread};
use super::figure::Located;
use super::report::{Report, ReportKind};
use super::table::{Cell, Grid, Layout, read_figure, read_word};

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
