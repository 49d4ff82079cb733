//! The arguments of `derate report`.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, ValueEnum};

use super::Preprocess;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Writes all files or none, and prints findings and verdict. Files are replaced as a whole; figures and tables of an \
        earlier run that this one does not write are removed, unless they were changed since. A file that the report is \
        made from is never overwritten.\n\n\
        Exits with 0 where the files were written, whatever the findings say: `derate audit` is what exits with 1.\n\n\
        Examples:\n  derate report\n  derate report fixtures/smolvla --out reports/out\n  \
        derate report --format xlsx,typst\n  derate report --points measured.csv\n  \
        derate report --compare before/report.json"
)]
pub(crate) struct Report {
    /// The project: a folder with a derate.toml, or that file
    #[arg(default_value = ".")]
    pub(crate) project: PathBuf,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    /// The folder to write to; made where it is not there
    #[arg(long, short, value_name = "DIR", default_value = "reports/out")]
    pub(crate) out: PathBuf,
    /// What to write; several with commas
    #[arg(
        long,
        short,
        value_parser = Formats,
        value_name = "FORMAT",
        value_delimiter = ',',
        default_value = "all"
    )]
    pub(crate) format: Vec<ReportFormat>,
    /// Measured points for the roofline: a CSV file with the columns name, oi, rate (with its unit), source; after
    /// those that derate.toml names
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// The report.json of an earlier run: what changed since is a section of the report, and is printed as Markdown in
    /// the place of the findings
    #[arg(long, value_name = "OLD.json")]
    pub(crate) compare: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// All that follow
    All,
    /// derate.xlsx: the workbook
    Xlsx,
    /// report.html: the page, one file; its figures can be changed
    Html,
    /// report.typ: the paper; `typst compile report.typ` makes a PDF
    Typst,
    /// report.md: verdict, findings and ladder, for a pull request
    Md,
    /// report.json: everything, for machines (derate.report/1)
    Json,
    /// report.sarif: the findings as SARIF 2.1.0
    Sarif,
    /// A picture of every figure
    Svg,
    /// A file of every table in tables/, every digit
    Csv,
}

impl ReportFormat {
    /// The formats of `all`.
    pub(crate) const EACH: [Self; 8] = [
        Self::Xlsx,
        Self::Html,
        Self::Typst,
        Self::Md,
        Self::Json,
        Self::Sarif,
        Self::Svg,
        Self::Csv,
    ];
}

/// A format; a blank after a comma is none of its letters.
#[derive(Clone)]
struct Formats;

impl TypedValueParser for Formats {
    type Value = ReportFormat;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<ReportFormat, clap::Error> {
        let word = value.to_str().map_or(value, |word| OsStr::new(word.trim()));
        EnumValueParser::new().parse_ref(command, argument, word)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let all = ReportFormat::value_variants().iter();
        Some(Box::new(all.filter_map(ValueEnum::to_possible_value)))
    }
}
