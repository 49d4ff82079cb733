//! What is unknown of the modules of one kernel is one finding.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{ModuleCalls, Sources};
use derate_units::figures::{count, list_few};
use serde_json::Value;

use crate::{Finding, Label, Level};

/// Modules that are shown with their places, and those that are named.
const SHOWN: usize = 4;
const NAMED: usize = 12;

/// One finding for all modules of one top in a folder. Notes differ in what they say: a loop without end is not one whose
/// count is the range of a type.
pub(super) fn join(
    sources: &Sources,
    calls: &ModuleCalls<'_>,
    findings: Vec<Finding>,
) -> Vec<Finding> {
    let mut kernels: BTreeMap<(String, String, Level, String), Vec<Finding>> = BTreeMap::new();
    let mut order = Vec::new();
    for finding in findings {
        let file = finding.place().map_or("", |place| sources.name(place.file));
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let kind = if finding.level == Level::Note { word(&finding, "unknown") } else { "" };
        let top = find_top(calls, word(&finding, "module")).to_owned();
        let key = (folder, top, finding.level, kind.to_owned());
        let of_kernel = kernels.entry(key.clone()).or_default();
        if of_kernel.is_empty() {
            order.push(key);
        }
        of_kernel.push(finding);
    }
    order.iter().filter_map(|key| kernels.remove(key).and_then(join_one)).collect()
}

/// The module that has this one in it and is in no other; empty where the reports do not show what calls it.
fn find_top<'a>(calls: &ModuleCalls<'a>, module: &'a str) -> &'a str {
    let around = calls.around(module);
    if around.is_empty() {
        return if calls.within(module).nth(1).is_some() { module } else { "" };
    }
    around.into_iter().find(|one| calls.around(one).is_empty()).unwrap_or("")
}

/// The first loop whose trips are unknown, with the others beside it.
fn join_one(mut all: Vec<Finding>) -> Option<Finding> {
    all.sort_by_key(|one| match word(one, "unknown") {
        "trips" => 0,
        "" => 2,
        _ => 1,
    });
    let mut all = all.into_iter();
    let first = all.next()?;
    let others: Vec<Finding> = all.collect();
    let own = word(&first, "module");
    let names: BTreeSet<&str> = others.iter().map(|one| word(one, "module")).collect();
    let names: Vec<String> =
        names.iter().filter(|name| **name != own).map(|name| format!("`{name}`")).collect();
    if others.is_empty() {
        return Some(first);
    }
    let like = format!("; the like is unknown of {}", count(names.len(), "more module"));
    let message = first.message.clone() + if names.is_empty() { "" } else { &like };
    let labels = others.iter().take(SHOWN).filter_map(|one| {
        let label = one.labels.first()?;
        Some(Label::new(label.span, format!("in `{}`: {}", word(one, "module"), label.text)))
    });
    let named = (!names.is_empty()).then(|| format!("the others: {}", list_few(&names, NAMED)));
    let mut joined = first.with_message(message).with_labels(labels).with_notes(named);
    joined.evidence["more_modules"] = names.len().into();
    Some(joined)
}

fn word<'a>(finding: &'a Finding, key: &str) -> &'a str {
    finding.evidence.get(key).and_then(Value::as_str).unwrap_or_default()
}
