//! Findings of two reports, told apart by rule and subject.

use serde_json::Value;

use super::{items, text};
use crate::audit::Level;

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    New,
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

/// A finding's identity: lines move, so they do not count. Equal ones are numbered.
fn keyed<'a>(report: &'a Value, pointer: &str) -> Vec<((String, String, usize), &'a Value)> {
    let mut keyed: Vec<((String, String, usize), &Value)> = Vec::new();
    for finding in items(report, pointer) {
        let (code, subject) = (text(finding, "code"), text(finding, "subject"));
        let same = keyed.iter().filter(|((c, s, _), _)| (c, s) == (&code, &subject)).count();
        keyed.push(((code, subject, same), finding));
    }
    keyed
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

/// New ones first, then those that changed, then those that are gone.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<FindingChange> {
    let (before, after) = (keyed(old, "/audit/findings"), keyed(new, "/audit/findings"));
    let allowed = keyed(new, "/audit/allowed");
    let (mut fresh, mut changed) = (Vec::new(), Vec::new());
    for (key, finding) in &after {
        match before.iter().find(|(other, _)| other == key) {
            None => fresh.push(told(Change::New, finding)),
            Some((_, was)) => {
                let (level, message) = (level(was), text(was, "message"));
                let now = told(Change::Changed { level, message: message.clone() }, finding);
                if now.level != level || now.message != message {
                    changed.push(now);
                }
            }
        }
    }
    let gone = before.iter().filter(|(key, _)| !after.iter().any(|(other, _)| other == key));
    let gone = gone.map(|(key, finding)| match allowed.iter().find(|(other, _)| other == key) {
        Some((_, by)) => told(Change::Allowed(text(by, "reason")), finding),
        None => told(Change::Gone, finding),
    });
    fresh.into_iter().chain(changed).chain(gone).collect()
}
