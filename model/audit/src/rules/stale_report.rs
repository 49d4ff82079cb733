//! A synthesis report is of another version of its source.
//!
//! ## What it does
//!
//! Compares a report with the source that is named beside it: `report` and `source` of a `[[kernel]]`, and the reports and
//! kernels under `[hls]` with the same top function; where one of several reports fits, an older one beside it is a note. It looks for loops, labels, trip counts, arguments and pragmas that only
//! one of the two has, and that no directive can cause, and for a memory with more words than the array of its name. Where a design has several solutions, one report that fits is enough. Dates do not count: copies and checkouts change them. Nor does it
//! count that all pragmas and loops of a file have moved by one number of lines, or by more from loop to loop. A header in another folder than
//! the report names is not compared. The loops
//! of a function that calls one whose body was not read are not looked for: the tool may have put the other's loops into it.
//! What such a report says of its run is a note in the same audit.
//!
//! ## Why it matters
//!
//! Cycles and resources of an old report are those of a kernel that is not there any more.
//!
//! ## Example
//!
//! A report with a loop `tile_rows` of 64 iterations, and a source where that loop has 32 or another name.
//!
//! ## How to fix
//!
//! Synthesise the source again, or name the source that the report is of. `derate hls DIR --source FILE` shows both.

use std::collections::BTreeSet;

use derate_hls::{FileId, Span, Synthesis};
use serde_json::json;

use crate::AuditInput;
use crate::modelled::{each_kernel, list_differences};
use crate::{Finding, Label, Level};
use derate_estimate::{KernelReading, ModelledKernel};
use derate_project::KernelOrigin;

/// What is shown of many differences.
const SHOWN: usize = 3;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let analysis = input.analysis.into_iter();
    let pairs = analysis.flat_map(|one| one.project.kernels.iter().zip(&one.kernels));
    let described = pairs.filter_map(|(section, reading)| match (&section.origin, reading) {
        (KernelOrigin::Report(report), KernelReading::Reported(reading)) => {
            make_finding(&section.name.value, report.path.span, &reading.stale)
        }
        _ => None,
    });
    described.chain(list_reports(input)).collect()
}

/// The reports of `[hls]` and of the solutions of a design beside the kernels of its sources.
fn list_reports(input: &AuditInput<'_>) -> Vec<Finding> {
    let solutions = input.gather_solutions();
    if input.syntheses().is_empty() && solutions.is_empty() {
        return Vec::new();
    }
    let kernels: Vec<&ModelledKernel> = each_kernel(input).map(|(_, kernel)| kernel).collect();
    let compare = |synthesis: &Synthesis| {
        let own = kernels.iter().filter(|kernel| kernel.answer.top == synthesis.top);
        // Where several sources define the kernel, the report is of the one that fits.
        let stale = own.map(|kernel| list_differences(input, synthesis, kernel));
        let nearest = stale.min_by_key(Vec::len)?;
        Some((first_line(input, *synthesis.reports.first()?), nearest))
    };
    let judge = |syntheses: &[Synthesis], names_older: bool| -> Vec<Finding> {
        let tops: BTreeSet<&str> = syntheses.iter().map(|one| one.top.as_str()).collect();
        let found = tops.into_iter().filter_map(|top| {
            let all = syntheses.iter().filter(|one| one.top == top).filter_map(compare);
            judge_all(top, all.collect(), names_older)
        });
        found.collect()
    };
    // Of several solutions, one that fits is of this source, and the others are older tries.
    let mut found = judge(input.syntheses(), true);
    found.extend(judge(&solutions, false));
    found
}

/// The finding of all reports of one top, each with what differs: a warning where none fits. Where one fits, the others are older.
fn judge_all(top: &str, all: Vec<(Span, Vec<String>)>, names_older: bool) -> Option<Finding> {
    let fits = all.iter().any(|(_, stale)| stale.is_empty());
    let mut stale: Vec<(Span, Vec<String>)> =
        all.into_iter().filter(|(_, stale)| !stale.is_empty()).collect();
    stale.sort_by_key(|(_, stale)| stale.len());
    if fits && !names_older {
        return None;
    }
    let (at, first) = stale.first()?;
    let others =
        stale.iter().skip(1).map(|(other, _)| Label::new(*other, "of another version, too"));
    let mut finding = make_finding(top, *at, first)?.with_labels(others);
    if fits {
        finding.level = Level::Note;
        finding.notes.push("another report of it is of this version".to_owned());
    }
    Some(finding)
}

fn first_line(input: &AuditInput<'_>, file: FileId) -> Span {
    let text = input.sources.text(file);
    Span { file, start: 0, end: text.find('\n').unwrap_or(text.len()) }
}

fn make_finding(kernel: &str, at: Span, stale: &[String]) -> Option<Finding> {
    let (first, more) = (stale.first()?, stale.len().saturating_sub(SHOWN));
    let finding = Finding::new("report/stale", Level::Warning, kernel)
        .with_message(format!(
            "the report of `{kernel}` is of another version of its source: {first}"
        ))
        .with_label(at, "the report")
        .with_notes(stale.iter().take(SHOWN).skip(1).cloned())
        .with_notes((more > 0).then(|| format!("{more} more differences")))
        .with_help("synthesise the source again, or name the source that the report is of")
        .with_evidence(json!({ "kernel": kernel, "differences": stale }));
    Some(finding)
}
