//! Findings of two reports, told apart by rule and subject.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{items, text};
use derate_project::Level;

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    New,
    /// It was not there, and a comment allows it; the reason.
    NewAllowed(String),
    /// It is no longer there.
    Gone,
    /// A comment allows it now; the reason.
    Allowed(String),
    /// Level or message are others; the old ones.
    Changed {
        /// The level that it had.
        level: Option<Level>,
        /// What it said.
        message: String,
    },
}

/// A finding that is not what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingChange {
    /// What became of it.
    pub change: Change,
    /// The rule.
    pub code: String,
    /// How much it matters, or mattered.
    pub level: Option<Level>,
    /// `file:line`, in the newer of the reports that have it.
    pub place: String,
    /// What it says, or said.
    pub message: String,
}

/// Rule, subject and number: lines move, so they do not count.
type Key = (String, String, usize);

/// A finding with its identity.
struct Known<'a> {
    key: Key,
    finding: &'a Value,
    allowed: bool,
}

/// The findings of a report, then those that it allows. Equal ones are numbered through both: which of them a comment
/// allows changes no other.
fn known(report: &Value) -> Vec<Known<'_>> {
    let mut numbers: BTreeMap<(String, String), usize> = BTreeMap::new();
    let standing = items(report, "/audit/findings").iter().map(|finding| (finding, false));
    let allowed = items(report, "/audit/allowed").iter().map(|finding| (finding, true));
    let all = standing.chain(allowed).map(|(finding, allowed)| {
        let (code, subject) = (text(finding, "code"), text(finding, "subject"));
        let number = numbers.entry((code.clone(), subject.clone())).or_default();
        *number += 1;
        Known { key: (code, subject, *number), finding, allowed }
    });
    all.collect()
}

fn level(finding: &Value) -> Option<Level> {
    let word = text(finding, "level");
    [Level::Error, Level::Warning, Level::Note].into_iter().find(|level| level.as_str() == word)
}

fn told(change: Change, finding: &Value) -> FindingChange {
    let line =
        finding.get("line").and_then(Value::as_u64).map_or_else(String::new, |l| format!(":{l}"));
    FindingChange {
        change,
        code: text(finding, "code"),
        level: level(finding),
        place: text(finding, "file") + &line,
        message: text(finding, "message"),
    }
}

/// How many stand, by level: errors, warnings, notes.
pub(super) fn remaining(report: &Value) -> [usize; 3] {
    let of = |wanted| {
        items(report, "/audit/findings").iter().filter(|one| level(one) == Some(wanted)).count()
    };
    [Level::Error, Level::Warning, Level::Note].map(of)
}

/// New ones first, then those that changed, then those that are gone.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<FindingChange> {
    let (old, new) = (known(old), known(new));
    let by_key = |all: &'_ [Known<'_>], key: &Key| all.iter().position(|one| one.key == *key);
    let (mut fresh, mut changed, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for Known { key, finding, allowed } in &new {
        let was = by_key(&old, key).and_then(|at| old.get(at));
        match (was, allowed) {
            (None, true) => {
                fresh.push(told(Change::NewAllowed(text(finding, "reason")), finding));
            }
            (Some(Known { allowed: true, .. }), true) => {}
            (Some(Known { allowed: false, .. }), true) => {
                gone.push(told(Change::Allowed(text(finding, "reason")), finding));
            }
            (None | Some(Known { allowed: true, .. }), false) => {
                fresh.push(told(Change::New, finding));
            }
            (Some(Known { finding: was, .. }), false) => {
                let (level, message) = (level(was), text(was, "message"));
                let now = told(Change::Changed { level, message: message.clone() }, finding);
                if now.level != level || now.message != message {
                    changed.push(now);
                }
            }
        }
    }
    let left = old.iter().filter(|one| !one.allowed && by_key(&new, &one.key).is_none());
    gone.extend(left.map(|one| told(Change::Gone, one.finding)));
    fresh.into_iter().chain(changed).chain(gone).collect()
}
