//! Part of the code or of a report could not be read, so it is not audited.
//!
//! ## What it does
//!
//! Reports the regions of a source file that could not be parsed as C++, the lines of a report or of a v++
//! configuration that could not be read, and the sections that a report lacks or breaks off in; files that a pattern of
//! `[hls] reports` matches and that are not reports; once each, the includes in quotes that were not found (vendors' headers
//! need not be there: their types are known); the
//! files of `[hls] sources` that are not read at all, or not as a whole: only the annotations of Allo's Python are read, and
//! nothing of other Python, Tcl, Verilog, MLIR and the like; and how many circumstances were not tried: a macro that nothing
//! defines might be defined, or another source might change how a header reads, but derate reads at most 24 such variants of
//! at most 2 MiB in all.
//!
//! ## Why it matters
//!
//! The audit reports nothing about what it did not read. That does not mean that nothing is wrong there.
//!
//! ## Example
//!
//! A header that is cut in the middle of a declaration, or a template file with `${TYPE}` in it.
//!
//! ## How to fix
//!
//! Fix the syntax, or give the generated file instead of the template: for a kernel that Allo generates, `kernel.cpp`.
//! Take out of `[hls] sources` what is not a source of the accelerator. Name the folders of includes with `include = [...]`
//! under `[hls]`, or with `-I`. Say with `defines` under `[hls]`, or with `-D`, which macros the design is built with.

use derate_hls::{FileId, Include, Span, Unparsed};
use serde_json::json;

use crate::{Finding, Level};
use derate_estimate::Analysis;
use derate_project::Foreign;
use derate_units::figures::count;

/// So many files are named in a sentence.
const NAMED: usize = 5;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let regions = analysis
        .code
        .headers()
        .iter()
        .filter_map(|h| report_unparsed(analysis, h.file, &h.unparsed));
    let build = analysis
        .build
        .unread()
        .filter_map(|regions| report_unparsed(analysis, regions.first()?.span.file, regions));
    let allo = analysis
        .code
        .allo
        .iter()
        .filter_map(|source| report_unparsed(analysis, source.file, &source.unparsed));
    let foreign = analysis.build.foreign.iter().filter_map(|one| report_foreign(analysis, one));
    let missing =
        analysis.code.missing().into_iter().map(|include| report_missing(analysis, include));
    regions
        .chain(build)
        .chain(foreign)
        .chain(allo)
        .chain(missing)
        .chain(annotations_only(analysis))
        .chain(report_other_files(analysis))
        .chain(report_untried(analysis))
        .collect()
}

/// Circumstances under which aliases and constants might be otherwise, and that were not looked at.
fn report_untried(analysis: &Analysis) -> Option<Finding> {
    let untried = analysis.code.untried;
    let sources = analysis.project.hls.sources.first().filter(|_| untried > 0)?;
    let (were, they) = if untried == 1 { ("was", "it is") } else { ("were", "they are") };
    Some(Finding::new("source/unread", Level::Note, "circumstances")
        .with_message(format!(
            "{} under which the sources read otherwise {were} not tried: {they} too many, or too \
             large to read again",
            count(untried, "circumstance")
        ))
        .with_label(sources.span, "the sources")
        .with_note("types and extents may be others where macros that nothing defines are \
                    defined, or where another source includes a header")
        .with_help("say which macros are defined: `defines` under [hls], or -D; or name fewer \
                    sources")
        .with_evidence(json!({ "untried": untried })))
}

/// Allo's Python, whose bodies and schedules were not read.
fn annotations_only(analysis: &Analysis) -> Option<Finding> {
    let files: Vec<FileId> = analysis.code.allo.iter().map(|source| source.file).collect();
    let message = format!(
        "only the annotations of {} were read: bodies and schedules are not audited",
        count(files.len(), "Allo/Python file")
    );
    let help = "name the C++ that Allo generates (`kernel.cpp` of its project folder) under \
                [hls] sources too";
    report_whole_files(analysis, &files, message, "Allo's Python", help)
}

fn report_other_files(analysis: &Analysis) -> Option<Finding> {
    let others = &analysis.code.not_audited;
    let files: Vec<FileId> = others.iter().map(|other| other.file).collect();
    let message = format!(
        "{} of [hls] sources {} not audited: derate does not read {}",
        count(files.len(), "file"),
        if files.len() == 1 { "is" } else { "are" },
        if files.len() == 1 { "it" } else { "them" },
    );
    let help = "take out of [hls] sources what is neither C++ nor Allo's Python";
    report_whole_files(analysis, &files, message, &others.first()?.reason, help)
}

/// A finding about whole files, at the first line of each.
fn report_whole_files(
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
    Some(
        Finding::new("source/unread", Level::Note, sources.name(first).to_owned())
            .with_message(message)
            .with_label(Span { file: first, start: 0, end }, what)
            .with_note(format!("{named}{more}"))
            .with_help(help.to_owned())
            .with_evidence(json!({ "files": names })),
    )
}

/// A file that a pattern of `[hls] reports` took in.
fn report_foreign(analysis: &Analysis, foreign: &Foreign) -> Option<Finding> {
    let Foreign { name, pattern, reason } = foreign;
    let claim = analysis.project.hls.reports.iter().find(|claim| claim.value == *pattern)?;
    Some(
        Finding::new("source/unread", Level::Note, name.clone())
            .with_message(format!("`{name}` is not a report and is not audited"))
            .with_label(claim.span, format!("this pattern matches it: {reason}"))
            .with_help("narrow the pattern, or move the file")
            .with_evidence(json!({ "file": name, "regions": 0 })),
    )
}

fn report_missing(analysis: &Analysis, include: &Include) -> Finding {
    let path = &include.path;
    let file = analysis.sources.name(include.span.file).to_owned();
    Finding::new("source/unread", Level::Note, path.clone())
        .with_message(format!("`{path}` was not found: what it declares is unknown"))
        .with_label(include.span, "included here")
        .with_help("name its folder in `include` under [hls], or with -I")
        .with_evidence(json!({ "file": file, "path": path }))
}

fn report_unparsed(analysis: &Analysis, file: FileId, regions: &[Unparsed]) -> Option<Finding> {
    let first = regions.first()?;
    let name = analysis.sources.name(file);
    Some(
        Finding::new("source/unread", Level::Note, name.to_owned())
            .with_message(format!(
                "{} of `{name}` could not be read and {} not audited",
                count(regions.len(), "region"),
                if regions.len() == 1 { "is" } else { "are" }
            ))
            .with_label(first.span, first.reason.clone())
            .with_help(if analysis.build.reports.iter().any(|report| report.unread == regions) {
                "give the whole report as the tool wrote it".to_owned()
            } else {
                "fix the syntax, or give the generated file instead of its template".to_owned()
            })
            .with_evidence(json!({ "file": name, "regions": regions.len() })),
    )
}
