//! Part of the code or of a report could not be read, so it is not audited.
//!
//! ## What it does
//!
//! Reports the regions of a source file that derate cannot read (a compiler may: macros whose header is not there, and some
//! valid C++), the lines of a report or of a v++
//! configuration that could not be read, and the sections that a report lacks or breaks off in; files that a pattern of
//! `[hls] reports` matches and that are not reports; once each, the includes in quotes that were not found (vendors' headers
//! need not be there: their types are known); the
//! files of `[hls] sources` that are not read at all, or not as a whole: only the annotations of Allo's Python are read, and
//! nothing of other Python, Tcl, Verilog, MLIR and the like; and how many circumstances were not tried: a macro that nothing
//! defines might be defined, or another source might change how a header reads, but derate reads at most 24 such variants of
//! at most 2 MiB in all.
//!
//! A warning where a file cannot compile: a `}` comes before the `)` of a parenthesis.
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
//! Name the folders of headers whose macros are used. Give the generated file instead of the template: for a kernel that Allo
//! generates, `kernel.cpp`. Code that compiles needs no change. Take out of `[hls] sources` what is not a source of the accelerator. Name the folders of includes with `include = [...]`
//! under `[hls]`, or with `-I`. Say with `defines` under `[hls]`, or with `-D`, which macros the design is built with.

use std::collections::BTreeMap;

use derate_hls::{FileId, Include, Span, Unparsed, find_unclosed};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_project::{Foreign, NotAudited};
use derate_units::figures::count;

/// derate does not know whether a compiler takes what it cannot read itself.
const CODE: &str = "name the folder of a missing header with `include` under [hls] or -I; give the generated file in place \
                    of its template";

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let code = input.code;
    let is_code = |region: &&Unparsed| !is_table(input.sources.text(region.span.file));
    let unclosed: BTreeMap<FileId, usize> = code
        .headers()
        .iter()
        .filter(|header| !header.unparsed.is_empty())
        .filter_map(|header| Some((header.file, find_unclosed(input.sources.text(header.file))?)))
        .collect();
    // What follows from the parenthesis is not said.
    let is_other = |region: &&Unparsed| !unclosed.contains_key(&region.span.file);
    let sources = code.headers().iter().flat_map(|header| &header.unparsed);
    let sources = sources.filter(is_code).filter(is_other);
    let allo = code.allo.iter().flat_map(|source| &source.unparsed);
    let configuration = input.build.connectivity.iter().flat_map(|(_, cfg)| &cfg.unread);
    let regions = sources.chain(allo).map(|region| report_unparsed(input, region, CODE));
    let lines = "give the generated file instead of its template";
    let configuration = configuration.map(|region| report_unparsed(input, region, lines));
    let regions = regions.chain(configuration);
    let reports = input.build.reports.iter().flat_map(|report| &report.unread);
    let whole = "give the whole report as the tool wrote it";
    let reports = reports.map(|region| report_unparsed(input, region, whole));
    let foreign = input.build.foreign.iter().filter_map(|one| report_foreign(input, one));
    let missing = code.missing().into_iter().map(report_missing);
    let broken = unclosed.iter().map(|(&file, &at)| report_unclosed(input, file, at));
    regions
        .chain(broken)
        .chain(reports)
        .chain(foreign)
        .chain(missing)
        .chain(code.allo.iter().map(|source| report_annotations(input, source.file)))
        .chain(code.not_audited.iter().map(|other| report_other(input, other)))
        .chain(report_untried(input))
        .collect()
}

/// Whether a text is the inside of an initialiser, which a source includes between braces: numbers and commas.
fn is_table(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_hexdigit() || " \t\r\nxX+-.,{}uUlL".contains(c);
    text.contains(',') && text.contains(|c: char| c.is_ascii_digit()) && text.chars().all(is_part)
}

/// Circumstances under which aliases and constants might be otherwise, and that were not looked at.
fn report_untried(input: &AuditInput<'_>) -> Option<Finding> {
    let untried = input.code.untried;
    let named = input.project.and_then(|project| project.hls.sources.first());
    let first = input.code.files().first().map(|&file| Span { file, start: 0, end: 0 });
    let place = named.map(|sources| sources.span).or(first).filter(|_| untried > 0)?;
    let (were, they) = if untried == 1 { ("was", "it is") } else { ("were", "they are") };
    Some(Finding::new("source/unread", Level::Note, "circumstances")
        .with_message(format!(
            "{} under which the sources read otherwise {were} not tried: {they} too many, or too \
             large to read again",
            count(untried, "circumstance")
        ))
        .with_label(place, "the sources")
        .with_note("types and extents may be others where macros that nothing defines are \
                    defined, or where another source includes a header")
        .with_help("say which macros are defined: `defines` under [hls], or -D; or name fewer \
                    sources")
        .with_evidence(json!({ "untried": untried })))
}

/// Allo's Python, whose bodies and schedules were not read.
fn report_annotations(input: &AuditInput<'_>, file: FileId) -> Finding {
    let name = input.sources.name(file);
    report_file(input, file, "Allo's Python")
        .in_group("Allo")
        .with_message(format!(
            "only the annotations of `{name}` were read: bodies and schedules are not audited"
        ))
        .with_help(
            "name the C++ that Allo generates (`kernel.cpp` of its project folder) under [hls] \
             sources too",
        )
}

fn report_other(input: &AuditInput<'_>, other: &NotAudited) -> Finding {
    let name = input.sources.name(other.file);
    report_file(input, other.file, &other.reason)
        .in_group("others")
        .with_message(format!("`{name}` of [hls] sources is not audited: derate does not read it"))
        .with_help("take out of [hls] sources what is neither C++ nor Allo's Python")
}

/// A finding about a whole file, at its first line.
fn report_file(input: &AuditInput<'_>, file: FileId, what: &str) -> Finding {
    let (name, text) = (input.sources.name(file), input.sources.text(file));
    let end = text.find('\n').unwrap_or(text.len());
    Finding::new("source/unread", Level::Note, name)
        .with_label(Span { file, start: 0, end }, what)
        .with_evidence(json!({ "file": name }))
}

/// A file that a pattern of `[hls] reports` took in.
fn report_foreign(input: &AuditInput<'_>, foreign: &Foreign) -> Option<Finding> {
    let Foreign { name, pattern, reason } = foreign;
    let claim = input.project?.hls.reports.iter().find(|claim| claim.value == *pattern)?;
    Some(
        Finding::new("source/unread", Level::Note, name.clone())
            .with_message(format!("`{name}` is not a report and is not audited"))
            .with_label(claim.span, format!("this pattern matches it: {reason}"))
            .with_help("narrow the pattern, or move the file")
            .with_evidence(json!({ "file": name, "regions": 0 })),
    )
}

fn report_missing(include: &Include) -> Finding {
    let path = &include.path;
    Finding::new("source/unread", Level::Note, path.clone())
        .with_message(format!("`{path}` was not found: what it declares is unknown"))
        .with_label(include.span, "included here")
        .with_help("name its folder in `include` under [hls], or with -I")
        .with_evidence(json!({ "path": path }))
}

/// A text that no compiler reads.
fn report_unclosed(input: &AuditInput<'_>, file: FileId, at: usize) -> Finding {
    let span = Span { file, start: at, end: at + 1 };
    let (name, line) = (input.sources.name(file), input.sources.position(span).line);
    Finding::new("source/unread", Level::Warning, name)
        .by_file()
        .with_message(format!("`{name}` does not compile: nothing closes the `(` in line {line}"))
        .with_label(span, "`)` is missing")
        .with_help("add the `)`; what is behind it is not audited")
        .with_evidence(json!({ "file": name, "line": line }))
}

fn report_unparsed(input: &AuditInput<'_>, region: &Unparsed, help: &str) -> Finding {
    let name = input.sources.name(region.span.file);
    Finding::new("source/unread", Level::Note, name)
        .by_file()
        .with_message(format!("a region of `{name}` could not be read and is not audited"))
        .with_label(region.span, region.reason.clone())
        .with_help(help)
        .with_evidence(json!({ "reason": region.reason }))
}

#[cfg(test)]
mod tests {
    use super::is_table;

    #[test]
    fn numbers_and_commas_are_a_table() {
        for (text, is_it) in [
            ("1, -2,\n0x1F, 3.5e-2,\n", true),
            ("{1, 2},\n{3, 4}\n", true),
            ("1, SCALE, 3\n", false),
            ("int a = 1, b = 2;\n", false),
            ("1 2 3\n", false),
            (",,\n", false),
        ] {
            assert_eq!(is_table(text), is_it, "{text}");
        }
    }
}
