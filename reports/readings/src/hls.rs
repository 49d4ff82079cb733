//! Reports, v++ configurations and kernels as a document and as data: `derate.hls/1`.

mod cells;
mod connectivity;
mod linked;
mod located;
mod report;
mod source;

use derate_hls::{AlloSource, Connectivity, FileId, Header, Report, Sources};
use derate_render::{Block, Document, Section};
use serde::Serialize;
use serde_json::Value;

use super::annotations;
use super::hls_synthesis::{SynthesisReport, SynthesisStudy, describe};
use derate_units::command::quote_word;

/// What was read of one file.
#[derive(Debug)]
pub enum HlsFile {
    /// What a tool printed.
    Report(Box<Report>),
    /// The settings of v++.
    Connectivity(Connectivity),
    /// C++ with kernels.
    Source(Box<Header>),
    /// Allo's Python, of which the annotations are read.
    Allo(Box<AlloSource>),
    /// A file that is not read, with the reason.
    NotAudited(String),
}

/// `derate.hls/1`.
#[derive(Debug, Serialize)]
pub struct HlsReport {
    schema: &'static str,
    command: String,
    files: Vec<FileReport>,
    /// The kernels whose syntheses the folders have reports of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kernels: Vec<SynthesisReport>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    /// `report`, `connectivity`, `source`, `allo` or `not-audited`.
    kind: &'static str,
    content: Value,
}

/// What `derate hls` prints of files and of the reports in `folders`: data for machines, a document for people.
pub fn hls(
    sources: &Sources,
    files: &[(FileId, HlsFile)],
    folders: &[String],
    kernels: &[SynthesisStudy<'_>],
) -> (HlsReport, Document) {
    let named = files.iter().map(|(file, _)| quote_word(sources.name(*file)));
    let names: Vec<String> = named.chain(folders.iter().map(|folder| quote_word(folder))).collect();
    let (kernels, trees): (Vec<_>, Vec<_>) = kernels.iter().map(describe).unzip();
    let report = HlsReport {
        schema: derate_hls::REPORT_SCHEMA,
        command: format!("derate hls {} --format json", names.join(" ")),
        files: files.iter().map(|(file, content)| file_report(sources, *file, content)).collect(),
        kernels,
    };
    let document = Document {
        title: "What the tools and the kernels say".to_owned(),
        subtitle: names.join(", "),
        controls: Vec::new(),
        sections: files
            .iter()
            .map(|(file, content)| {
                Section::new("File", sources.name(*file), make_blocks(sources, content))
            })
            .chain(trees.into_iter().flatten())
            .collect(),
    };
    (report, document)
}

fn file_report(sources: &Sources, file: FileId, content: &HlsFile) -> FileReport {
    let (kind, value) = match content {
        HlsFile::Report(report) => ("report", serde_json::to_value(report)),
        HlsFile::Connectivity(connectivity) => ("connectivity", serde_json::to_value(connectivity)),
        HlsFile::Source(header) => {
            ("source", serde_json::to_value(source::list_functions(sources, header)))
        }
        HlsFile::Allo(source) => {
            ("allo", serde_json::to_value(annotations::read_content(sources, source)))
        }
        HlsFile::NotAudited(reason) => ("not-audited", serde_json::to_value(reason)),
    };
    FileReport {
        file: sources.name(file).to_owned(),
        kind,
        content: located::with_lines(sources, file, value.unwrap_or_default()),
    }
}

fn make_blocks(sources: &Sources, content: &HlsFile) -> Vec<Block> {
    match content {
        HlsFile::Report(report) => report::report_blocks(sources, report),
        HlsFile::Connectivity(connectivity) => {
            connectivity::connectivity_blocks(sources, connectivity)
        }
        HlsFile::Source(header) => source::source_blocks(sources, header),
        HlsFile::Allo(source) => {
            let mut blocks = vec![Block::Table(annotations::tabulate_annotations(
                &annotations::list_annotations(sources, source),
            ))];
            blocks.extend(source.unparsed.iter().map(|region| {
                let line = sources.position(region.span).line;
                Block::Prose(format!("line {line}: not read: {}", region.reason))
            }));
            blocks.push(Block::Prose(format!("Not audited: {}", derate_project::ONLY_ANNOTATIONS)));
            blocks
        }
        HlsFile::NotAudited(reason) => vec![Block::Prose(format!("Not audited: {reason}"))],
    }
}
