//! What is unknown of the modules of one kernel is one finding.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{ModuleCalls, Sources, find_solution};
use serde_json::Value;

use crate::{Finding, Level};

/// The findings with what they have in common: the modules of one top in a folder are those of one kernel. Notes differ in what
/// they say: a loop without end is not one whose count is the range of a type. A loop whose trips are unknown says most.
pub(super) fn add_causes(
    sources: &Sources,
    calls: &ModuleCalls<'_>,
    findings: Vec<Finding>,
) -> Vec<Finding> {
    let folder_of = |finding: &Finding| {
        let file = finding.place().map_or("", |place| sources.name(place.file));
        file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
    };
    // A report of all modules may lie above the only solution of its project.
    let folders: BTreeSet<String> = findings.iter().map(folder_of).collect();
    let solution_of = |folder: String| {
        let mut below = folders.iter().filter(|other| {
            let rest = other.strip_prefix(&folder).filter(|rest| rest.starts_with('/'));
            rest.is_some() && find_solution(other).is_some()
        });
        match (find_solution(&folder), below.next(), below.next()) {
            (None, Some(only), None) => only.clone(),
            _ => folder,
        }
    };
    let folder_of = |finding: &Finding| solution_of(folder_of(finding));
    let top_of = |finding: &Finding| find_top(calls, word(finding, "module")).to_owned();
    let mut tops: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in &findings {
        let top = Some(top_of(finding)).filter(|top| !top.is_empty());
        tops.entry(folder_of(finding)).or_default().extend(top);
    }
    let with_cause = |finding: Finding| {
        let (folder, unknown) = (folder_of(&finding), word(&finding, "unknown"));
        let kind = if finding.level == Level::Note { unknown } else { "" };
        // The only top of a folder has what no report shows a caller of.
        let is_only = tops.get(&folder).is_none_or(|tops| tops.len() < 2);
        let top = if is_only { String::new() } else { top_of(&finding) };
        let weight = f64::from(u8::from(!unknown.is_empty()) + u8::from(unknown == "trips"));
        let cause = format!("{folder} {top} {kind}");
        let place = format!("`{}`", word(&finding, "module"));
        finding.with_cause(cause, place, weight)
    };
    findings.into_iter().map(with_cause).collect()
}

/// The module that has this one in it and is in no other; empty where the reports do not show what calls it.
fn find_top<'a>(calls: &ModuleCalls<'a>, module: &'a str) -> &'a str {
    let around = calls.around(module);
    if around.is_empty() {
        return if calls.within(module).nth(1).is_some() { module } else { "" };
    }
    around.into_iter().find(|one| calls.around(one).is_empty()).unwrap_or("")
}

fn word<'a>(finding: &'a Finding, key: &str) -> &'a str {
    finding.evidence.get(key).and_then(Value::as_str).unwrap_or_default()
}
