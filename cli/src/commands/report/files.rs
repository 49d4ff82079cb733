//! Every file of a report: its name and its bytes.

use anyhow::Error;
use derate_model::audit::{Audit, AuditReport};
use derate_model::estimate::Estimate;
use derate_model::measurement::Validation;
use derate_model::{Analysis, present};
use derate_reports::{Document, render};
use serde::Serialize;

use super::names::Names;
use crate::args::ReportFormat;

/// GitHub takes no longer comment, and its texts count in UTF-16.
const LONGEST_COMMENT: usize = 65_536;

/// `derate.report/1`: the audit, the estimate and what was measured in one file.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    audit: AuditReport,
    estimate: &'a Estimate,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<&'a Validation>,
}

/// What a report is made of.
pub(super) struct Subject<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) audit: &'a Audit,
    pub(super) estimate: &'a Estimate,
    pub(super) validation: Option<&'a Validation>,
    pub(super) document: &'a Document,
}

/// A file: its path from the report's folder, and its bytes.
pub(super) type File = (String, Vec<u8>);

impl Subject<'_> {
    /// The files of one format.
    pub(super) fn files(&self, format: ReportFormat) -> Result<Vec<File>, Error> {
        let one = |name: &str, bytes| Ok(vec![(name.to_owned(), bytes)]);
        match format {
            ReportFormat::Xlsx => one("derate.xlsx", render::xlsx(self.document)?),
            // ReportFormat::Html => one("report.html", render::html(self.document)?),
            ReportFormat::Typst => one("report.typ", render::typst(self.document)?),
            ReportFormat::Md => one("report.md", self.comment()?),
            ReportFormat::Json => one("report.json", self.json()?),
            ReportFormat::Sarif => {
                let log = present::log(&self.analysis.sources, self.audit);
                one("report.sarif", render::sarif(&log)?)
            }
            ReportFormat::Svg => self.figures(),
            ReportFormat::Csv => self.tables(),
        }
    }

    fn json(&self) -> Result<Vec<u8>, Error> {
        let mut json = serde_json::to_vec(&Json {
            schema: "derate.report/1",
            audit: AuditReport::new(self.analysis, self.audit),
            estimate: self.estimate,
            validation: self.validation,
        })?;
        json.push(b'\n');
        Ok(json)
    }

    /// As many findings as a comment holds.
    fn comment(&self) -> Result<Vec<u8>, Error> {
        let mut most = self.audit.findings.len();
        loop {
            let document = present::digest(self.analysis, self.audit, self.estimate, most);
            let bytes = render::markdown(&document)?;
            let units = String::from_utf8_lossy(&bytes).encode_utf16().count();
            if units <= LONGEST_COMMENT || most == 0 {
                return Ok(bytes);
            }
            most /= 2;
        }
    }

    fn figures(&self) -> Result<Vec<File>, Error> {
        let mut names = Names::default();
        let mut files = Vec::new();
        for chart in self.document.charts() {
            files.push((names.file("", &chart.name, "svg"), render::svg(chart)?));
        }
        for chart in self.document.bars() {
            files.push((names.file("", &chart.name, "svg"), render::bars_svg(chart)?));
        }
        Ok(files)
    }

    fn tables(&self) -> Result<Vec<File>, Error> {
        let mut names = Names::default();
        let tables = self.document.all_tables();
        tables
            .iter()
            .map(|table| Ok((names.file("tables/", &table.name, "csv"), render::csv(table)?)))
            .collect()
    }
}
