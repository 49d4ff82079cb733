//! Findings of one rule in one place, or of copies of one line, which a reader sees together.

use derate_audit::{Finding, Group};
use derate_hls::Sources;

/// So many findings of a group are shown in full.
const IN_FULL: usize = 3;

/// So many of the others are named by their lines.
const LINES: usize = 10;

/// Findings that are shown as one: of one rule and level, in one file, function or kind, or with the same words in several
/// files.
pub(super) struct FindingGroup<'a> {
    pub(super) first: &'a Finding,
    others: Vec<&'a Finding>,
}

/// Findings in groups, in the order of their first ones.
pub(super) fn group_findings(findings: &[Finding]) -> Vec<FindingGroup<'_>> {
    let mut groups: Vec<FindingGroup<'_>> = Vec::new();
    for finding in findings {
        match groups.iter_mut().find(|group| belong_together(group.first, finding)) {
            Some(group) => group.others.push(finding),
            None => groups.push(FindingGroup { first: finding, others: Vec::new() }),
        }
    }
    groups
}

fn belong_together(a: &Finding, b: &Finding) -> bool {
    let file = |one: &Finding| one.place().map(|place| place.file);
    (a.code, a.level, &a.group) == (b.code, b.level, &b.group)
        && match a.group {
            Group::Alone => is_copy(a, b),
            Group::File => file(a) == file(b),
            Group::Name(_) => true,
        }
}

/// Whether two findings say the same of the same name in two files: one of the files is a copy of the other, or both have the
/// line from a third.
fn is_copy(a: &Finding, b: &Finding) -> bool {
    let places = a.place().zip(b.place());
    places.is_some_and(|(a, b)| a.file != b.file)
        && (&a.subject, &a.message, &a.help) == (&b.subject, &b.message, &b.help)
        && a.labels.iter().map(|label| &label.text).eq(b.labels.iter().map(|label| &label.text))
}

impl<'a> FindingGroup<'a> {
    /// The findings that are shown in full.
    pub(super) fn shown(&self) -> impl Iterator<Item = &'a Finding> {
        std::iter::once(self.first).chain(self.others.iter().copied()).take(IN_FULL)
    }

    /// How many findings it has.
    pub(super) fn cases(&self) -> usize {
        1 + self.others.len()
    }

    /// What is wrong first, and how often else: in how many places, where all say the same.
    pub(super) fn message(&self) -> String {
        let is_same = self.others.iter().all(|other| other.message == self.first.message);
        match self.others.len() {
            0 => self.first.message.clone(),
            more if is_same => format!("{} (in {} places)", self.first.message, more + 1),
            more => format!("{} (and {more} more)", self.first.message),
        }
    }

    /// Figures and reasons of the findings that are shown in full, and the places of the others.
    pub(super) fn notes(&self, sources: &Sources) -> Vec<String> {
        let mut notes = self.first.notes.clone();
        for other in self.shown().skip(1) {
            let is_copy = other.message == self.first.message;
            let message = (!is_copy).then(|| format!("also: {}", other.message));
            for note in message.iter().chain(&other.notes) {
                if !notes.contains(note) {
                    notes.push(note.clone());
                }
            }
        }
        let rest = self.others.get(IN_FULL - 1..).unwrap_or_default();
        if !rest.is_empty() {
            notes.push(format!("and at {}", list_places(sources, rest)));
        }
        notes
    }
}

/// `a.h:12, 14, b.h:3 and 7 more places`.
fn list_places(sources: &Sources, findings: &[&Finding]) -> String {
    let mut last = None;
    let places = findings.iter().take(LINES).filter_map(|one| one.place()).map(|place| {
        let line = sources.position(place).line;
        match last.replace(place.file) {
            Some(file) if file == place.file => line.to_string(),
            _ => format!("{}:{line}", sources.name(place.file)),
        }
    });
    let places = places.collect::<Vec<_>>().join(", ");
    match findings.len().saturating_sub(LINES) {
        0 => places,
        more => format!("{places} and {more} more places"),
    }
}

/// `gemm.cpp:12`, or the rule where the finding has no place.
pub(super) fn describe_place(sources: &Sources, finding: &Finding) -> String {
    finding.place().map_or_else(
        || finding.code.to_owned(),
        |place| format!("{}:{}", sources.name(place.file), sources.position(place).line),
    )
}
