//! What of a folder is not audited: what the user leaves out, and libraries of others.

use derate_model::NotAuditedReport;
use derate_model::load::LoadedFolder;
use derate_model::units::figures::{count, list_few};

use super::NAMED;

/// One line for the libraries of others, in which so many findings are not shown.
pub(super) fn say_libraries(folder: &LoadedFolder, hidden: usize) -> Option<String> {
    let names: Vec<&str> = folder.vendored.list().map(|(library, _)| library).collect();
    let hidden = match hidden {
        0 => String::new(),
        some => format!("; {} there not shown", count(some, "finding")),
    };
    let what = match names.as_slice() {
        [] => return None,
        [_] => "a library of others, read where designs include it",
        _ => "libraries of others, read where designs include them",
    };
    let names = list_few(&names, NAMED);
    Some(format!("not audited: {names}: {what}{hidden}; name a folder to audit it\n"))
}

/// The libraries of others, a folder each.
pub(super) fn list_libraries(
    folder: &LoadedFolder,
) -> impl Iterator<Item = NotAuditedReport> + use<'_> {
    folder.vendored.list().map(|(library, sources)| NotAuditedReport {
        file: library.to_owned(),
        reason: format!(
            "a library of others: {}, read where designs include them",
            count(sources, "source")
        ),
    })
}

/// What `--exclude` leaves out, a word each.
pub(super) fn list_left_out(folder: &LoadedFolder) -> Vec<NotAuditedReport> {
    let report = |(word, files): (&str, &usize)| NotAuditedReport {
        file: word.to_owned(),
        reason: format!("--exclude leaves out {}", count(*files, "file")),
    };
    folder.exclude.words().zip(&folder.left_out).map(report).collect()
}
