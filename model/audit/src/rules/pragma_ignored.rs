//! The tool ignored a pragma, or took it with a warning.
//!
//! ## What it does
//!
//! Lists the pragmas and directives to which the report gives the status `warning` or `invalid`, with the tool's
//! message where there is one. A warning that the pragma is deprecated is a note: the tool took it. So is one that says what
//! the tool derives from the pragma (`Inferring pragma`). So is `loop_tripcount`, which changes no hardware. So is one in a function that the sources have and that neither the
//! top nor what it calls names: nothing is built of it. So are those that cost nothing by the report itself: `data_pack` where
//! the arguments are `hls::vector`, `m_axi` for an argument that is a value, and `dataflow` of a function whose row is one, a mode or a partition of an
//! array that its own pragma cuts in that dimension and function, `loop_flatten` outside of a loop, `unroll off` of a loop that the report has, and `stream` of an argument of the top. Where an include was not found, that is not known. What the tool says in
//! the same words of several pragmas of a kind in one report is one finding with its places.
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

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Report, ReportedPragma, find_harmless, top_name};
use serde_json::json;

use derate_project::reached::{find_reached, index_functions, is_unused};

use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Label, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let functions = index_functions(input.code);
    let mut reached: BTreeMap<&str, Option<BTreeSet<String>>> = BTreeMap::new();
    let mut found = Vec::new();
    for report in &input.build.reports {
        let top = top_name(report);
        let reached = reached
            .entry(top)
            .or_insert_with(|| find_reached(input.sources, input.code, &functions, top))
            .as_ref();
        let is_unused = |pragma: &ReportedPragma| {
            reached.is_some_and(|reached| {
                is_unused((input.code, input.sources), &functions, reached, pragma)
            })
        };
        let own = report.pragmas.iter();
        let free = |pragma: &_| find_harmless(&input.build.reports, report, pragma);
        found.extend(own.filter_map(|pragma| report_pragma(report, pragma, is_unused, free)));
    }
    join_places(drop_repeats(input, found))
}

/// Places that are shown of one kind.
const PLACES: usize = 12;

/// One finding for all pragmas of a kind of which a report says the same.
fn join_places(findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let is_alike = |(known, _): &&mut (Finding, usize)| {
            let file = |one: &Finding| one.place().map(|place| place.file);
            let said = |one: &Finding| one.labels.first().map(|label| label.text.clone());
            known.level == finding.level
                && file(known) == file(&finding)
                && said(known) == said(&finding)
                && known.evidence.get("kind") == finding.evidence.get("kind")
        };
        let Some((known, number)) = joined.iter_mut().find(is_alike) else {
            joined.push((finding, 1));
            continue;
        };
        *number += 1;
        if known.labels.len() < PLACES {
            let text = format!("`{}`: the same", finding.subject);
            known.labels.extend(finding.place().map(|place| Label::new(place, text)));
        }
    }
    for (finding, number) in joined.iter_mut().filter(|(_, number)| *number > 1) {
        finding.message = format!("{}; {number} places have it", finding.message);
    }
    joined.into_iter().map(|(finding, _)| finding).collect()
}

fn report_pragma(
    report: &Report,
    pragma: &ReportedPragma,
    is_unused: impl Fn(&ReportedPragma) -> bool,
    free: impl Fn(&ReportedPragma) -> Option<&'static str>,
) -> Option<ReportFinding> {
    let (top, status) = (top_name(report), pragma.status.value.as_str());
    let verdict = match status {
        "invalid" => "is invalid",
        "warning" => "has a warning of the tool",
        _ => return None,
    };
    let name = format!("{} {}", pragma.kind.value, pragma.options.value);
    let name = name.trim_end();
    let why = pragma.message.as_ref().map(|message| message.value.as_str());
    let why = why.filter(|why| !why.is_empty()).unwrap_or("the report does not say why");
    let at = pragma.location.as_ref().map(|at| format!(" at {}", at.value)).unwrap_or_default();
    // What is only old is taken as it was, and so is one from which the tool derives another.
    let derives = status == "warning" && why.starts_with("Inferring pragma");
    let is_count = pragma.kind.value.to_ascii_lowercase().ends_with("tripcount");
    let is_taken = derives || is_count || status == "warning" && why.contains("deprecated");
    let unused = !is_taken && is_unused(pragma);
    let free = free(pragma);
    let level = if is_taken || unused || free.is_some() { Level::Note } else { Level::Warning };
    let text = format!("{status}: {why}");
    let key = make_key(&[top, name, &at, &text]);
    // The tool does not say that it ignores a pragma which it only warns of.
    let help = match status {
        _ if derives => "",
        "warning" => {
            "look at what the tool warns of there, and at whether the schedule has what the pragma asks for"
        }
        _ => "replace it by what the tool asks for, or remove it",
    };
    let finding = Finding::new("report/pragma-ignored", level, name)
        .by_file()
        .with_message(format!("in `{top}` pragma `{name}`{at} {verdict}{}", quote(why)))
        .with_label(pragma.kind.span, text)
        .with_notes(is_count.then_some("a trip count changes no hardware, only the report"))
        .with_notes(unused.then(|| format!("`{top}` does not call the function around it")))
        .with_notes(free)
        .with_help(help)
        .with_evidence(json!({ "status": status, "pragma": name, "kind": pragma.kind.value }));
    Some(ReportFinding { key, instance: None, weight: 0, finding })
}

/// Letters of the tool's message that are shown.
const SHOWN: usize = 160;

/// The first sentence of the tool's message.
fn quote(message: &str) -> String {
    let first = message.split(". ").next().unwrap_or(message).trim_end_matches('.');
    let shown: String = first.chars().take(SHOWN).collect();
    let more = if shown.len() < first.len() { " ..." } else { "" };
    format!(": {shown}{more}")
}
