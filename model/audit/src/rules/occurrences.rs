//! Cases of one rule in one file: the first are named and labelled, all are counted.

use derate_hls::{Report, Sources};

use crate::Label;

/// So many cases are named in a sentence, and labelled.
pub(super) const NAMED: usize = 3;

/// One case of a rule.
#[derive(Debug)]
pub(super) struct Occurrence {
    /// What it is about: a loop, a port, a resource.
    pub name: String,
    /// The place that says so.
    pub label: Label,
}

impl Occurrence {
    pub(super) fn new(name: impl Into<String>, label: Label) -> Self {
        Self { name: name.into(), label }
    }
}

/// `a`, `b`, `c` and 4 more.
pub(super) fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    let first = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let rest = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{rest}", first.join(", "))
}

/// The names of all cases.
pub(super) fn names_of(cases: &[Occurrence]) -> Vec<String> {
    cases.iter().map(|case| case.name.clone()).collect()
}

/// The labels of the first cases.
pub(super) fn first_labels(cases: &[Occurrence]) -> Vec<Label> {
    cases.iter().take(NAMED).map(|case| case.label.clone()).collect()
}

/// The file of the occurrences, which is the same for all.
pub(super) fn file_of(sources: &Sources, cases: &[Occurrence]) -> String {
    cases.first().map_or_else(String::new, |case| sources.name(case.label.span.file).to_owned())
}

/// The top function or the design, as the report names it.
pub(super) fn top_name(report: &Report) -> &str {
    report.top.as_ref().map_or("the design", |top| top.value.as_str())
}
