//! Files among the sources that are not read, or not as a whole: silence about them would be a lie.

use derate_hls::{AlloSource, FileId, Language, Sources, read_allo};
use serde::Serialize;

use super::Code;
use derate_units::figures::{count, list_few};

/// A file that is not read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NotAudited {
    /// The file.
    pub file: FileId,
    /// What it is, as the end of a sentence.
    pub reason: String,
}

/// The sources by their readers.
#[derive(Default)]
pub(super) struct Sorted {
    pub(super) cpp: Vec<FileId>,
    pub(super) allo: Vec<AlloSource>,
    pub(super) not_audited: Vec<NotAudited>,
}

/// Gives each file to its reader.
pub(super) fn sort_files(sources: &Sources, files: &[FileId]) -> Sorted {
    let mut sorted = Sorted::default();
    for &file in files {
        match Language::of_text(sources.name(file), sources.text(file)) {
            Language::Cpp => sorted.cpp.push(file),
            Language::Python => match read_allo(sources, file) {
                Some(source) => sorted.allo.push(source),
                None => sorted.not_audited.push(NotAudited {
                    file,
                    reason: "it is Python and does not import Allo".to_owned(),
                }),
            },
            Language::Other(what) => {
                sorted.not_audited.push(NotAudited { file, reason: format!("it is {what}") });
            }
        }
    }
    sorted
}

/// A file that was not read, or only in part.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct NotAuditedReport {
    /// The file or the folder, as the project names it.
    pub file: String,
    /// What of it is not audited, and why.
    pub reason: String,
}

/// All such files: Allo's Python, then the others.
pub(super) fn list_reports(sources: &Sources, code: &Code) -> Vec<NotAuditedReport> {
    let allo = code.allo.iter().map(|source| NotAuditedReport {
        file: sources.name(source.file).to_owned(),
        reason: ONLY_ANNOTATIONS.to_owned(),
    });
    let others = code.not_audited.iter().map(|other| NotAuditedReport {
        file: sources.name(other.file).to_owned(),
        reason: other.reason.clone(),
    });
    allo.chain(others).collect()
}

/// The reason for Allo's Python.
pub const ONLY_ANNOTATIONS: &str =
    "only the annotations of this Allo Python were read: no body, no schedule";

/// So many files are named in a sentence.
const NAMED: usize = 3;

/// The same in one line of a summary; nothing where all was read.
pub(super) fn summary_line(sources: &Sources, code: &Code) -> Option<String> {
    let named = |files: Vec<&str>| list_few(&files, NAMED);
    let allo: Vec<&str> = code.allo.iter().map(|source| sources.name(source.file)).collect();
    let others: Vec<&str> = code.not_audited.iter().map(|one| sources.name(one.file)).collect();
    let mut parts = Vec::new();
    if !allo.is_empty() {
        parts.push(format!(
            "{} with only the annotations read ({})",
            count(allo.len(), "Allo/Python file"),
            named(allo)
        ));
    }
    if !others.is_empty() {
        parts.push(format!(
            "{} that derate does not read ({})",
            count(others.len(), if parts.is_empty() { "file" } else { "other file" }),
            named(others)
        ));
    }
    (!parts.is_empty()).then(|| format!("not audited: {}", parts.join("; ")))
}
