//! Every file of a report: its name and its bytes.

use anyhow::Error;
use derate_model::audit::{Audit, AuditReport};
use derate_model::compare::{self, Comparison};
use derate_model::design::{KernelDesign, join_kernels};
use derate_model::estimate::Estimate;
use derate_model::measurement::Validation;
use derate_model::points::MeasuredPoint;
use derate_model::units::Hertz;
use derate_model::{Analysis, Figure};
use derate_reports::sections;
use derate_reports::{Bars, Chart, Document, Table};
use serde::Serialize;

use super::names::{Names, TABLES};
use crate::args::ReportFormat;

/// Everything for machines; what `--compare` reads.
pub(super) const REPORT: &str = "report.json";

/// GitHub takes no longer comment, and its texts count in UTF-16.
const LONGEST_COMMENT: usize = 65_536;

/// Nobody reads more rows in a comment.
const MOST_FIGURES: usize = 40;

/// `derate.report/1`: the audit, the estimate and what was measured in one file.
#[derive(Serialize)]
pub(super) struct Json<'a> {
    schema: &'static str,
    inputs: Inputs,
    audit: AuditReport,
    estimate: &'a Estimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<&'a Validation>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    points: &'a [MeasuredPoint],
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel_design: Option<KernelDesign>,
}

/// What peaks are derived from.
#[derive(Serialize)]
struct Inputs {
    clock: Figure<Hertz>,
    dsp_budget: Figure<f64>,
}

impl<'a> Json<'a> {
    pub(super) fn new(
        analysis: &Analysis,
        audit: &Audit,
        estimate: &'a Estimate,
        validation: Option<&'a Validation>,
        points: &'a [MeasuredPoint],
    ) -> Self {
        let audit = AuditReport::new(analysis, audit);
        let inputs =
            Inputs { clock: analysis.clock(), dsp_budget: analysis.platform.dsp_budget().clone() };
        // A name of `serves` that the model does not have stops the loading of the project.
        let kernel_design = join_kernels(analysis).ok().flatten();
        Self { schema: compare::SCHEMA, inputs, audit, estimate, validation, points, kernel_design }
    }
}

/// What a report is made of.
pub(super) struct Subject<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) audit: &'a Audit,
    pub(super) estimate: &'a Estimate,
    pub(super) report: &'a Json<'a>,
    pub(super) document: &'a Document,
    /// The same where nothing can be changed.
    pub(super) paper: &'a dyn Fn() -> &'a Document,
    pub(super) comparison: Option<&'a Comparison>,
}

/// A file: its path from the report's folder, and its bytes.
pub(crate) type File = (String, Vec<u8>);

/// The longest Markdown that a comment holds, of at most `most` items.
fn fit_comment(most: usize, document: impl Fn(usize) -> Document) -> Result<Vec<u8>, Error> {
    let mut most = most;
    loop {
        let bytes = derate_reports::render_markdown(&document(most))?;
        let units = String::from_utf8_lossy(&bytes).encode_utf16().count();
        if units <= LONGEST_COMMENT || most == 0 {
            return Ok(bytes);
        }
        most /= 2;
    }
}

impl Subject<'_> {
    /// The files of one format.
    pub(super) fn format_files(&self, format: ReportFormat) -> Result<Vec<File>, Error> {
        let one = |name: &str, bytes| Ok(vec![(name.to_owned(), bytes)]);
        match format {
            ReportFormat::Xlsx => one("derate.xlsx", derate_reports::render_xlsx(self.document)?),
            ReportFormat::Html => one("report.html", derate_reports::render_html(self.document)?),
            ReportFormat::Typst => one("report.typ", derate_reports::render_typst((self.paper)())?),
            ReportFormat::Md => one("report.md", self.comment_markdown()?),
            ReportFormat::Json => one(REPORT, self.report_json()?),
            ReportFormat::Sarif => {
                let log = sections::log(&self.analysis.sources, self.audit);
                one("report.sarif", derate_reports::render_sarif(&log)?)
            }
            // The caller expands it.
            ReportFormat::All => Ok(Vec::new()),
            ReportFormat::Svg => self.figure_files(),
            ReportFormat::Csv => table_files(self.document),
        }
    }

    /// On one line: machines read it, and half of it would be blanks.
    pub(super) fn report_json(&self) -> Result<Vec<u8>, Error> {
        let mut json = serde_json::to_vec(self.report)?;
        json.push(b'\n');
        Ok(json)
    }

    /// As many findings as a comment holds.
    fn comment_markdown(&self) -> Result<Vec<u8>, Error> {
        fit_comment(self.audit.findings.len(), |most| {
            let points = self.report.points;
            sections::digest(self.analysis, self.audit, self.estimate, points, most)
        })
    }

    /// What changed, with as many figures as a comment holds, at most 40.
    pub(super) fn change_markdown(&self) -> Result<Option<Vec<u8>>, Error> {
        let told =
            |comparison| fit_comment(MOST_FIGURES, |most| sections::comparison(comparison, most));
        self.comparison.map(told).transpose()
    }

    fn figure_files(&self) -> Result<Vec<File>, Error> {
        picture_files((self.paper)().charts(), self.document.bars())
    }
}

/// A picture of each chart.
pub(crate) fn picture_files<'a>(
    charts: impl Iterator<Item = &'a Chart>,
    bars: impl Iterator<Item = &'a Bars>,
) -> Result<Vec<File>, Error> {
    let mut names = Names::default();
    let mut files = Vec::new();
    for chart in charts {
        files.push((names.file("", &chart.name, "svg"), derate_reports::render_svg(chart)?));
    }
    for chart in bars {
        files.push((names.file("", &chart.name, "svg"), derate_reports::render_bars_svg(chart)?));
    }
    Ok(files)
}

/// A file of each of these tables.
pub(crate) fn data_files(tables: &[Table]) -> Result<Vec<File>, Error> {
    let file = |table: &Table| {
        Ok((format!("{TABLES}{}.csv", table.name), derate_reports::render_csv(table)?))
    };
    tables.iter().map(file).collect()
}

/// A file of each table.
pub(crate) fn table_files(document: &Document) -> Result<Vec<File>, Error> {
    let mut names = Names::default();
    let tables = document.all_tables();
    tables
        .iter()
        .map(|table| {
            Ok((names.file(TABLES, &table.name, "csv"), derate_reports::render_csv(table)?))
        })
        .collect()
}
