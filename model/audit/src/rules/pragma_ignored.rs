//! The tool ignored a pragma, or took it with a warning.
//!
//! ## What it does
//!
//! Lists the pragmas and directives to which the report gives the status `warning` or `invalid`, with the tool's
//! message where there is one. A warning that the pragma is deprecated is a note: the tool took it. So is one in a function that
//! the sources have and that the top does not call, directly or through others: nothing is built of it.
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

use std::collections::BTreeSet;

use derate_hls::{Function, Report, ReportedPragma};
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key, top_name};
use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let found = input.build.reports.iter().flat_map(|report| {
        report.pragmas.iter().filter_map(move |pragma| report_pragma(input, report, pragma))
    });
    drop_repeats(input, found)
}

/// Whether the sources have the function of a pragma, and the top calls it neither directly nor through others.
fn is_unused(input: &AuditInput<'_>, top: &str, pragma: &ReportedPragma) -> bool {
    let Some(function) = &pragma.function else { return false };
    // The report has small letters, often, and the variable behind a comma.
    let name = function.value.split(',').next().unwrap_or_default().trim().to_ascii_lowercase();
    let of_name = |name: &str| -> Vec<&Function> {
        let is_it = |one: &&Function| one.name.eq_ignore_ascii_case(name) && one.body.is_some();
        input.code.functions().filter(is_it).collect()
    };
    if of_name(&name).is_empty() || of_name(top).is_empty() {
        return false;
    }
    let (mut seen, mut open) = (BTreeSet::new(), vec![top.to_ascii_lowercase()]);
    while let Some(next) = open.pop() {
        if next == name {
            return false;
        }
        let calls = of_name(&next).into_iter().flat_map(|one| &one.calls);
        let callees = calls.map(|call| bare_name(&call.callee).to_ascii_lowercase());
        open.extend(callees.filter(|callee| seen.insert(callee.clone())));
    }
    true
}

/// A function without its namespaces and the arguments of its template.
fn bare_name(callee: &str) -> &str {
    let name = callee.split('<').next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default().trim()
}

fn report_pragma(
    input: &AuditInput<'_>,
    report: &Report,
    pragma: &ReportedPragma,
) -> Option<ReportFinding> {
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
    let is_old = status == "warning" && why.contains("deprecated");
    let unused = !is_old && is_unused(input, top, pragma);
    let level = if is_old || unused { Level::Note } else { Level::Warning };
    let text = format!("{status}: {why}");
    let key = make_key(&[top, name, &at, &text]);
    let finding = Finding::new("report/pragma-ignored", level, name)
        .by_file()
        .with_message(format!("in `{top}` pragma `{name}`{at} {verdict}"))
        .with_label(pragma.kind.span, text)
        .with_notes(unused.then(|| format!("`{top}` does not call the function around it")))
        .with_help("replace it by what the tool asks for, or remove it")
        .with_evidence(json!({ "status": status, "pragma": name }));
    Some(ReportFinding { key, instance: None, weight: 0, finding })
}
