//! One synthesis may be given in two forms, as a tree and as XML: what both say is reported once.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::Finding;

/// A finding about a report, and what identifies its cases.
pub(super) struct ReportFinding {
    /// Each case with its figures, so that another synthesis of the same function is not a repetition.
    pub(super) keys: BTreeSet<String>,
    /// How much it knows of its cases; of two that say the same, the one that knows more is kept.
    pub(super) weight: usize,
    /// The finding.
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

/// The files that say the same, each with its place in the order.
type Others = Vec<(usize, String)>;

/// The findings that do not repeat another one, in their order.
pub(super) fn drop_repeats(all: impl IntoIterator<Item = ReportFinding>) -> Vec<Finding> {
    let mut all: Vec<(usize, ReportFinding)> = all.into_iter().enumerate().collect();
    // Those that say most come first, so that each later one finds whatever says it already.
    all.sort_by_key(|(_, said)| Reverse((said.keys.len(), said.weight)));
    let mut kept: Vec<(usize, ReportFinding, Others)> = Vec::new();
    for (place, said) in all {
        match kept.iter_mut().find(|(_, known, _)| said.keys.is_subset(&known.keys)) {
            Some((_, _, files)) => files.push((place, said.finding.subject)),
            None => kept.push((place, said, Vec::new())),
        }
    }
    kept.sort_by_key(|(place, ..)| *place);
    let told = |(_, mut said, mut files): (usize, ReportFinding, Others)| {
        files.sort();
        said.finding.notes.extend(files.iter().map(|(_, file)| format!("`{file}` says the same")));
        said.finding
    };
    kept.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use derate_project::Level;

    fn said(file: &str, keys: &str, weight: usize) -> ReportFinding {
        let finding = Finding {
            code: "report/ii",
            level: Level::Warning,
            subject: file.to_owned(),
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: String::new(),
            evidence: serde_json::Value::Null,
            fixes: Vec::new(),
        };
        ReportFinding { keys: keys.chars().map(String::from).collect(), weight, finding }
    }

    fn told(all: Vec<ReportFinding>) -> Vec<(String, usize)> {
        drop_repeats(all).into_iter().map(|one| (one.subject, one.notes.len())).collect()
    }

    fn is(expected: &[(&str, usize)]) -> Vec<(String, usize)> {
        expected.iter().map(|(file, notes)| ((*file).to_owned(), *notes)).collect()
    }

    #[test]
    fn the_parts_of_a_whole_are_told_once_in_any_order() {
        let of = |file: &str| match file {
            "a" => said("a", "x", 1),
            "b" => said("b", "y", 1),
            _ => said("all", "xy", 2),
        };
        for order in [["a", "b", "all"], ["all", "b", "a"], ["b", "all", "a"]] {
            assert_eq!(told(order.map(of).into()), is(&[("all", 2)]), "{order:?}");
        }
    }

    #[test]
    fn what_differs_stays_in_its_order_and_of_equals_the_one_that_knows_more() {
        let all = vec![said("a", "xy", 1), said("b", "yz", 1), said("c", "uvw", 1)];
        assert_eq!(told(all), is(&[("a", 0), ("b", 0), ("c", 0)]));
        assert_eq!(told(vec![said("a", "x", 1), said("b", "x", 2)]), is(&[("b", 1)]));
    }
}
