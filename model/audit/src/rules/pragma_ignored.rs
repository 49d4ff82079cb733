//! The tool ignored a pragma, or took it with a warning.
//!
//! ## What it does
//!
//! Lists the pragmas and directives to which the report gives the status `warning` or `invalid`, with the tool's
//! message where there is one. A warning that the pragma is deprecated is a note: the tool took it.
//!
//! ## Why it matters
//!
//! A pragma that is ignored reads in the code as if it held. An analysis that counts on its pipeline, its partition or
//! its dataflow counts on something that was not built.
//!
//! ## Example
//!
//! `data_pack` is invalid since 2020.1: the structure goes through the port member by member.
//!
//! ## How to fix
//!
//! Replace it by what the tool's message asks for (`aggregate` for `data_pack`, `bind_storage` for `resource`), or
//! remove it.

use derate_hls::{Report, ReportedPragma};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let found = input.build.reports.iter().flat_map(|report| {
        report.pragmas.iter().filter_map(move |pragma| report_pragma(report, pragma))
    });
    drop_repeats(input, found)
}

fn report_pragma(report: &Report, pragma: &ReportedPragma) -> Option<ReportFinding> {
    let (top, status) = (top_name(report), pragma.status.value.as_str());
    let verdict = match status {
        "invalid" => "is invalid",
        "warning" => "was taken with a warning",
        _ => return None,
    };
    let name = format!("{} {}", pragma.kind.value, pragma.options.value);
    let name = name.trim_end();
    let why = pragma.message.as_ref().map(|message| message.value.as_str());
    let why = why.filter(|why| !why.is_empty()).unwrap_or("the report does not say why");
    let at = pragma.location.as_ref().map(|at| format!(" at {}", at.value)).unwrap_or_default();
    // What is only old is taken as it was.
    let level = match status {
        "warning" if why.contains("deprecated") => Level::Note,
        _ => Level::Warning,
    };
    let text = format!("{status}{at}: {why}");
    let key = make_key(&[top, name, &text]);
    let finding = Finding::new("report/pragma-ignored", level, name)
        .by_file()
        .with_message(format!("in `{top}` pragma `{name}` {verdict}"))
        .with_label(pragma.kind.span, text)
        .with_help("replace it by what the tool asks for, or remove it")
        .with_evidence(json!({ "status": status, "pragma": name }));
    Some(ReportFinding { key, instance: None, weight: 0, finding })
}
