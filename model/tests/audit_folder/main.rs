//! What is found in folders without a model: each case is a few files.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod aliases;
mod builds;
mod directives;
mod failed;
#[path = "../fixture/files.rs"]
mod files;
mod intervals;
mod ports;
mod reports;
mod slight;
mod weights;

use derate_hls::Sources;
use derate_model::audit::{AuditInput, Finding, Level, audit_designs};

use derate_model::load::{Preprocess, load_folder};

/// What one rule finds: `level file:line message` of each, with its first note.
fn found(code: &str, files: &[(&str, &str)]) -> Vec<String> {
    find(code, files, |sources, one| {
        let span = one.place().unwrap();
        let level = if one.level == Level::Warning { "warning" } else { "note" };
        let line = sources.position(span).line;
        let last = if one.notes.is_empty() { String::new() } else { format!("; {}", one.notes[0]) };
        format!("{level} {}:{line} {}{last}", sources.name(span.file), one.message)
    })
}

/// The notes of the first finding of one rule.
fn notes(code: &str, files: &[(&str, &str)]) -> Vec<String> {
    find(code, files, |_, one| one.notes.clone()).into_iter().next().unwrap_or_default()
}

fn find<T>(code: &str, files: &[(&str, &str)], show: impl Fn(&Sources, &Finding) -> T) -> Vec<T> {
    let dir = files::write_files(files);
    let folder = load_folder(dir.path(), &Preprocess::default()).unwrap();
    let read = |design| AuditInput::of_design(&folder.sources, None, design);
    let inputs: Vec<AuditInput<'_>> = folder.designs.iter().map(read).collect();
    let findings = audit_designs(&inputs).findings;
    let own = findings.iter().filter(|one| one.code == code);
    own.map(|one| show(&folder.sources, one)).collect()
}
