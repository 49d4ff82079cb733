//! Reads the report of a co-simulation.

use super::cosim::{Cosim, Spread};
use super::date::ReportDate;
use super::figure::Located;
use super::report::{Report, ReportKind};
use super::table::{Cell, Grid, Layout, read_figure, read_word};
use derate_source::{FileId, Sources, Span};

/// What the tool appends to the top's name.
const SUFFIX: &str = "_cosim.rpt";

/// Reads the whole report of the file with this name. The tool prints the top in the name only.
pub(crate) fn read_cosim(layout: &Layout, file: FileId, sources: &Sources) -> Report {
    let (name, text) = (sources.name(file), sources.text(file));
    let mut report = Report::new(ReportKind::Cosim);
    let time = text.lines().find_map(|line| line.strip_prefix("Report time")?.split_once(':'));
    report.date = time.and_then(|(_, date)| ReportDate::parse(date));
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if let Some(top) = base.strip_suffix(SUFFIX).filter(|top| !top.is_empty()) {
        report.top = Some(Located::new(top.to_owned(), Span { file, start: 0, end: 0 }));
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
