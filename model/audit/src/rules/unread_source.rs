//! Part of the code or of a report could not be read, so nothing is said of it.
//!
//! ## What it does
//!
//! Reports the regions of a source file that are no C++ that could be parsed, the lines of a report or of a v++
//! configuration that could not be read, and the sections that a report lacks or breaks off in; files that a pattern of
//! `[hls] reports` takes in and that are no reports; once each, the includes in quotes that were not found (vendors' headers
//! need not be there: their types are known); the
//! files of `[hls] sources` that are not read at all, or not as a whole: of Allo's Python only the annotations are read, of
//! other Python, Tcl, Verilog, MLIR and the like nothing; and how many circumstances were not tried: macros that nothing
//! defines might be defined, and other sources read a header as another text, but at most 24 such readings of at most 2 MiB
//! in all are made.
//!
//! ## Why it matters
//!
//! The audit is silent about what it did not read. That silence must not be taken for a clean bill.
//!
//! ## Example
//!
//! A header that is cut in the middle of a declaration, or a template file with `${TYPE}` in it.
//!
//! ## How to fix
//!
//! Mend the syntax, or give the generated file instead of the template: of a kernel that Allo generates, the `kernel.cpp`.
//! Take out of `[hls] sources` what is no source of the accelerator. Name the folders of includes with `include = [...]`
//! under `[hls]`, or with `-I`. Say with `defines` under `[hls]`, or with `-D`, which macros the design is built with.

use derate_hls::{FileId, Include, Span, Unparsed};
use serde::Serialize;

use super::evidence;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_project::Foreign;
use derate_units::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnreadSource {
    file: String,
    regions: usize,
}

/// What the finding about whole files stands on.
#[derive(Debug, Serialize)]
struct NotAudited {
    files: Vec<String>,
}

/// So many files are named in a sentence.
const NAMED: usize = 5;

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let regions =
        analysis.code.headers().iter().filter_map(|h| unparsed(analysis, h.file, &h.unparsed));
    let build = analysis
        .build
        .unread()
        .filter_map(|regions| unparsed(analysis, regions.first()?.span.file, regions));
    let allo = analysis
        .code
        .allo
        .iter()
        .filter_map(|source| unparsed(analysis, source.file, &source.unparsed));
    let foreign = analysis.build.foreign.iter().filter_map(|one| foreign(analysis, one));
    let missing = analysis.code.missing().into_iter().map(|include| not_found(analysis, include));
    regions
        .chain(build)
        .chain(foreign)
        .chain(allo)
        .chain(missing)
        .chain(annotations_only(analysis))
        .chain(unread(analysis))
        .chain(untried(analysis))
        .collect()
}

/// What the finding about circumstances stands on.
#[derive(Debug, Serialize)]
struct Untried {
    untried: usize,
}

/// Circumstances under which aliases and constants might be otherwise, and that were not looked at.
fn untried(analysis: &Analysis) -> Option<Finding> {
    let untried = analysis.code.untried;
    let sources = analysis.project.hls.sources.first().filter(|_| untried > 0)?;
    let (were, they) = if untried == 1 { ("was", "it is") } else { ("were", "they are") };
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: "circumstances".to_owned(),
        message: format!(
            "{} under which the sources read otherwise {were} not tried: {they} too many, or too large to read again",
            count(untried, "circumstance")
        ),
        labels: vec![Label::new(sources.span, "the sources")],
        notes: vec![
            "types and extents may be others where macros that nothing defines are defined, or where another source includes a header"
                .to_owned(),
        ],
        help: "say which macros are defined: `defines` under [hls], or -D; or name fewer sources".to_owned(),
        evidence: evidence(&Untried { untried }),
        fixes: Vec::new(),
    })
}

/// Allo's Python, of which bodies and schedules were not read.
fn annotations_only(analysis: &Analysis) -> Option<Finding> {
    let files: Vec<FileId> = analysis.code.allo.iter().map(|source| source.file).collect();
    let message = format!(
        "of {} only the annotations were read: bodies and schedules are not audited",
        count(files.len(), "Allo/Python file")
    );
    let help = "name the C++ that Allo generates (`kernel.cpp` of its project folder) under [hls] sources too";
    whole(analysis, &files, message, "Allo's Python", help)
}

fn unread(analysis: &Analysis) -> Option<Finding> {
    let others = &analysis.code.not_audited;
    let files: Vec<FileId> = others.iter().map(|other| other.file).collect();
    let message = format!(
        "{} of [hls] sources {} not audited: derate does not read {}",
        count(files.len(), "file"),
        if files.len() == 1 { "is" } else { "are" },
        if files.len() == 1 { "it" } else { "them" },
    );
    let help = "take out of [hls] sources what is no C++ and no Python of Allo";
    whole(analysis, &files, message, &others.first()?.reason, help)
}

/// A finding about whole files, at the first line of each.
fn whole(
    analysis: &Analysis,
    files: &[FileId],
    message: String,
    what: &str,
    help: &str,
) -> Option<Finding> {
    let first = *files.first()?;
    let sources = &analysis.sources;
    let end = sources.text(first).find('\n').unwrap_or(sources.text(first).len());
    let names: Vec<String> = files.iter().map(|file| sources.name(*file).to_owned()).collect();
    let more = if names.len() > NAMED { ", ..." } else { "" };
    let named = names.iter().take(NAMED).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: sources.name(first).to_owned(),
        message,
        labels: vec![Label::new(Span { file: first, start: 0, end }, what)],
        notes: vec![format!("{named}{more}")],
        help: help.to_owned(),
        evidence: evidence(&NotAudited { files: names }),
        fixes: Vec::new(),
    })
}

/// A file that a pattern of `[hls] reports` took in.
fn foreign(analysis: &Analysis, foreign: &Foreign) -> Option<Finding> {
    let Foreign { name, pattern, reason } = foreign;
    let claim = analysis.project.hls.reports.iter().find(|claim| claim.value == *pattern)?;
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: name.clone(),
        message: format!("`{name}` is no report and is not audited"),
        labels: vec![Label::new(claim.span, format!("this pattern takes it in: {reason}"))],
        notes: Vec::new(),
        help: "narrow the pattern, or move the file".to_owned(),
        evidence: evidence(&UnreadSource { file: name.clone(), regions: 0 }),
        fixes: Vec::new(),
    })
}

/// What an include that was not found stands on.
#[derive(Debug, Serialize)]
struct MissingInclude {
    file: String,
    path: String,
}

fn not_found(analysis: &Analysis, include: &Include) -> Finding {
    let path = &include.path;
    let file = analysis.sources.name(include.span.file).to_owned();
    Finding {
        code: "source/unread",
        level: Level::Note,
        subject: path.clone(),
        message: format!("`{path}` was not found: what it declares is not known"),
        labels: vec![Label::new(include.span, "included here".to_owned())],
        notes: Vec::new(),
        help: "name its folder in `include` under [hls], or with -I".to_owned(),
        evidence: evidence(&MissingInclude { file, path: path.clone() }),
        fixes: Vec::new(),
    }
}

fn unparsed(analysis: &Analysis, file: FileId, regions: &[Unparsed]) -> Option<Finding> {
    let first = regions.first()?;
    let name = analysis.sources.name(file);
    Some(Finding {
        code: "source/unread",
        level: Level::Note,
        subject: name.to_owned(),
        message: format!(
            "{} of `{name}` could not be read and {} not audited",
            count(regions.len(), "region"),
            if regions.len() == 1 { "is" } else { "are" }
        ),
        labels: vec![Label::new(first.span, first.reason.clone())],
        notes: Vec::new(),
        help: if analysis.build.reports.iter().any(|report| report.unread == regions) {
            "give the whole report as the tool wrote it".to_owned()
        } else {
            "mend the syntax, or give the generated file instead of its template".to_owned()
        },
        evidence: evidence(&UnreadSource { file: name.to_owned(), regions: regions.len() }),
        fixes: Vec::new(),
    })
}
