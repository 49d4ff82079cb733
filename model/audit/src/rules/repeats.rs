//! One synthesis may be given in two forms, as a tree and as XML: what both say is reported once.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{Figure, FileId, Located, Sources};
use derate_units::figures::list_few;

use crate::AuditInput;
use crate::Finding;

/// A finding about a report, and what identifies its case.
pub(super) struct ReportFinding {
    /// The case with its figures, so that another synthesis of the same function is not a repetition.
    pub(super) key: String,
    /// The module that has it, where it is one fact for all instances of a function.
    pub(super) instance: Option<String>,
    /// How much it knows of its case; of two that say the same, the one that knows more is kept.
    pub(super) weight: usize,
    /// The finding, in its report.
    pub(super) finding: Finding,
}

/// A key from words; reports of different forms differ in blanks.
pub(super) fn make_key(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| word.split_whitespace().collect::<String>())
        .collect::<Vec<_>>()
        .join("|")
}

/// The number that a report prints, if it is one.
pub(super) fn known_count(figure: Option<&Located<Figure>>) -> Option<u64> {
    figure.and_then(|figure| figure.value.known())
}

/// The findings that do not repeat one of another report, in their order. Of equals the one is kept that knows more, then
/// the one whose report has more findings. Of several instances in that report the first is kept, with the number of them.
pub(super) fn drop_repeats(
    input: &AuditInput<'_>,
    all: impl IntoIterator<Item = ReportFinding>,
) -> Vec<Finding> {
    keep_best(input.sources, all.into_iter().collect())
}

/// One case: the report that it is kept from, and what else has it.
#[derive(Default)]
struct Case {
    home: Option<FileId>,
    /// The instance that is kept.
    kept: Option<String>,
    others: BTreeSet<FileId>,
    instances: BTreeSet<String>,
}

/// What is shown of many instances.
const SHOWN: usize = 4;

fn keep_best(sources: &Sources, all: Vec<ReportFinding>) -> Vec<Finding> {
    let file = |one: &ReportFinding| one.finding.place().map(|place| place.file);
    let mut counts: BTreeMap<Option<FileId>, usize> = BTreeMap::new();
    for one in &all {
        *counts.entry(file(one)).or_default() += 1;
    }
    let mut ranked: Vec<&ReportFinding> = all.iter().collect();
    ranked.sort_by_key(|one| Reverse((one.weight, counts.get(&file(one)))));
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for one in ranked {
        let case = cases.entry(one.key.clone()).or_insert_with(|| Case {
            home: file(one),
            kept: one.instance.clone(),
            ..Case::default()
        });
        case.others.extend(file(one).filter(|own| Some(*own) != case.home));
        case.instances.extend(one.instance.clone());
    }
    let kept = all.into_iter().filter_map(|one| {
        let case = cases.get(&one.key)?;
        let is_kept = file(&one) == case.home && one.instance == case.kept;
        is_kept.then(|| one.finding.with_notes(list_others(sources, case)))
    });
    kept.collect()
}

/// The other reports that say the same; of several instances only how many there are.
fn list_others(sources: &Sources, case: &Case) -> Vec<String> {
    let number = case.instances.len();
    if number < 2 {
        let says = |other: &FileId| format!("`{}` says the same", sources.name(*other));
        return case.others.iter().map(says).collect();
    }
    let names: Vec<String> = case.instances.iter().map(|name| format!("`{name}`")).collect();
    vec![format!("{number} modules have it: {}", list_few(&names, SHOWN))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_hls::Span;
    use derate_project::Level;

    /// The files and subjects that are kept, with their notes.
    fn kept(all: &[(&str, &str, usize)]) -> Vec<String> {
        let mut sources = Sources::default();
        let files = ["a", "all", "b", "c"].map(|name| (name, sources.add(name, "")));
        let of = |&(file, key, weight): &(&str, &str, usize)| {
            let file = files.iter().find(|(name, _)| *name == file).unwrap().1;
            let finding = Finding::new("report/ii", Level::Warning, key);
            let finding = finding.with_label(Span { file, start: 0, end: 0 }, "");
            ReportFinding { key: key.to_owned(), instance: None, weight, finding }
        };
        let kept = keep_best(&sources, all.iter().map(of).collect()).into_iter();
        let name = |one: &Finding| sources.name(one.place().unwrap().file).to_owned();
        kept.map(|one| format!("{} {} {}", name(&one), one.subject, one.notes.len())).collect()
    }

    #[test]
    fn the_parts_of_a_whole_are_reported_once_in_any_order() {
        let (a, b) = (("a", "x", 1), ("b", "y", 1));
        let (x, y) = (("all", "x", 1), ("all", "y", 1));
        for order in [[a, b, x, y], [x, y, b, a], [b, x, y, a]] {
            assert_eq!(kept(&order), ["all x 1", "all y 1"], "{order:?}");
        }
    }

    #[test]
    fn what_differs_stays_in_its_order_and_of_equals_the_one_that_knows_more() {
        let all = [("a", "x", 1), ("a", "x", 1), ("b", "y", 1), ("c", "z", 1)];
        assert_eq!(kept(&all), ["a x 0", "a x 0", "b y 0", "c z 0"]);
        assert_eq!(kept(&[("a", "x", 1), ("b", "x", 2)]), ["b x 1"]);
    }
}
