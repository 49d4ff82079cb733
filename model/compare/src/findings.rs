//! Findings of two reports, matched by rule and subject.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{array_items, text_of};
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
        /// Its old message.
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
    /// Its message, or the last one.
    pub message: String,
}

/// Rule, subject and number: lines move, so they do not count.
type FindingKey = (String, String, usize);

/// A finding with its identity.
struct KnownFinding<'a> {
    key: FindingKey,
    finding: &'a Value,
    allowed: bool,
}

/// The findings of a report, then those that it allows. Equal ones are numbered through both: which of them a comment
/// allows changes no other.
fn list_findings(report: &Value) -> Vec<KnownFinding<'_>> {
    let mut numbers: BTreeMap<(String, String), usize> = BTreeMap::new();
    let standing = array_items(report, "/audit/findings").iter().map(|finding| (finding, false));
    let allowed = array_items(report, "/audit/allowed").iter().map(|finding| (finding, true));
    let all = standing.chain(allowed).map(|(finding, allowed)| {
        let (code, subject) = (text_of(finding, "code"), text_of(finding, "subject"));
        let number = numbers.entry((code.clone(), subject.clone())).or_default();
        *number += 1;
        KnownFinding { key: (code, subject, *number), finding, allowed }
    });
    all.collect()
}

fn read_level(finding: &Value) -> Option<Level> {
    let word = text_of(finding, "level");
    [Level::Error, Level::Warning, Level::Note].into_iter().find(|level| level.as_str() == word)
}

fn describe_change(change: Change, finding: &Value) -> FindingChange {
    let line =
        finding.get("line").and_then(Value::as_u64).map_or_else(String::new, |l| format!(":{l}"));
    FindingChange {
        change,
        code: text_of(finding, "code"),
        level: read_level(finding),
        place: text_of(finding, "file") + &line,
        message: text_of(finding, "message"),
    }
}

/// How many findings there are: errors, warnings, notes.
pub(super) fn count_by_level(report: &Value) -> [usize; 3] {
    let of = |wanted| {
        array_items(report, "/audit/findings")
            .iter()
            .filter(|one| read_level(one) == Some(wanted))
            .count()
    };
    [Level::Error, Level::Warning, Level::Note].map(of)
}

/// New ones first, then those that changed, then those that are gone.
pub(super) fn find_changes(old: &Value, new: &Value) -> Vec<FindingChange> {
    let (old, new) = (list_findings(old), list_findings(new));
    let by_key =
        |all: &'_ [KnownFinding<'_>], key: &FindingKey| all.iter().position(|one| one.key == *key);
    let (mut fresh, mut changed, mut gone) = (Vec::new(), Vec::new(), Vec::new());
    for KnownFinding { key, finding, allowed } in &new {
        let was = by_key(&old, key).and_then(|at| old.get(at));
        match (was, allowed) {
            (None, true) => {
                fresh
                    .push(describe_change(Change::NewAllowed(text_of(finding, "reason")), finding));
            }
            (Some(KnownFinding { allowed: true, .. }), true) => {}
            (Some(KnownFinding { allowed: false, .. }), true) => {
                gone.push(describe_change(Change::Allowed(text_of(finding, "reason")), finding));
            }
            (None | Some(KnownFinding { allowed: true, .. }), false) => {
                fresh.push(describe_change(Change::New, finding));
            }
            (Some(KnownFinding { finding: was, .. }), false) => {
                let (level, message) = (read_level(was), text_of(was, "message"));
                let now =
                    describe_change(Change::Changed { level, message: message.clone() }, finding);
                if now.level != level || now.message != message {
                    changed.push(now);
                }
            }
        }
    }
    let left = old.iter().filter(|one| !one.allowed && by_key(&new, &one.key).is_none());
    gone.extend(left.map(|one| describe_change(Change::Gone, one.finding)));
    fresh.into_iter().chain(changed).chain(gone).collect()
}
