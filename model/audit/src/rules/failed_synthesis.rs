//! The last synthesis that a log has ended in an error.
//!
//! ## What it does
//!
//! Reads the logs of HLS beside the sources of a design (`vitis_hls.log`, `vivado_hls.log`, `solution1.log`, `nohup.out`): an error of
//! the last synthesis in one, where neither another log nor a report has a later one of the same top that came to its end. Errors of
//! simulations and of exports do not count, nor do a licence or a part that the machine of the log lacks. It is a warning where the
//! source still has the line with the name that the error is about. It is a note where the error names none, where the source has
//! changed since, and where there are reports and they or the log have no date. Nothing is said where the line or the name is gone.
//!
//! ## Why it matters
//!
//! Nothing was built of this source. The reports beside it are of a run before, and so are their cycles and resources.
//!
//! ## Example
//!
//! `ERROR: [HLS 207-3776] use of undeclared identifier 'taps' (fir.cpp:15:38)` at the end of `vitis_hls.log`, and no report behind it.
//!
//! ## How to fix
//!
//! Correct what the error names and run the synthesis again. If that was done, remove the old log or commit the new one.

use derate_hls::{Beside, ErrorFit, FailedRun, LoggedError, Span, list_failed};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Label, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let failed = list_failed(&input.build.runs, &input.all_reports());
    failed.iter().filter_map(|run| report_failed(input, run)).collect()
}

fn report_failed(input: &AuditInput<'_>, run: &FailedRun<'_>) -> Option<Finding> {
    let error = run.find_error()?;
    let fit = run.find_fit(input.sources, &input.code.list_read());
    let is_sure = fit == ErrorFit::Here;
    let doubts = [!is_sure, run.beside == Beside::Undated];
    if fit == ErrorFit::Gone || doubts == [true, true] {
        return None;
    }
    let level = if doubts.contains(&true) { Level::Note } else { Level::Warning };
    let top = run.attempt.top.as_deref().or_else(|| find_only_top(input));
    let what = top.map_or("the design".to_owned(), |top| format!("`{top}`"));
    let others = run.attempt.errors.len() - 1;
    let more = (others > 0).then(|| match others {
        _ if run.attempt.has_more => format!("the log has at least {others} more errors"),
        1 => "the log has one more error".to_owned(),
        _ => format!("the log has {others} more errors"),
    });
    let beside = match run.beside {
        Beside::Nothing => "no report is of it",
        Beside::Older => "the reports are older: they are of a run before",
        Beside::Undated => {
            "the log or the reports have no date, so the reports may be of a later run"
        }
    };
    let doubt = match fit {
        ErrorFit::Here | ErrorFit::Gone => None,
        ErrorFit::Open => Some("whether the source still has the error is not known"),
        ErrorFit::Moved => {
            Some("the source has changed since, or something that is read declares the name")
        }
    };
    let finding = Finding::new("report/failed-synthesis", level, top.unwrap_or("the design"))
        .by_file()
        .with_message(format!("the last synthesis of {what} ended in an error: {}", error.message))
        .with_labels(list_labels(error, error.find_line(input.sources).filter(|_| is_sure)))
        .with_notes([beside.to_owned()])
        .with_notes(doubt.map(str::to_owned))
        .with_notes(more)
        .with_help("correct what the error names and run the synthesis again")
        .with_evidence(json!({ "top": top, "errors": run.attempt.errors.len(), "has_more": run.attempt.has_more }));
    Some(finding)
}

/// The top that alone is named, where the log names none.
fn find_only_top<'a>(input: &AuditInput<'a>) -> Option<&'a str> {
    let mut tops = input.tops()?.iter();
    tops.next().filter(|_| tops.next().is_none()).map(String::as_str)
}

/// The line of the source goes before that of the log.
fn list_labels(error: &LoggedError, line: Option<Span>) -> Vec<Label> {
    let source = line.map(|span| Label::new(span, "the error is about this line"));
    source.into_iter().chain([Label::new(error.span, "the log says so")]).collect()
}
