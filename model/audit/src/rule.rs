//! A rule: its code, its check, and its manual page, which is the doc comment of its file.

use super::allow::Allow;
use super::rules::ALL;
use super::{Finding, Level};
use derate_estimate::Analysis;

/// A check of one thing.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// `family/name`.
    pub code: &'static str,
    /// The gravest level that its findings have, where `[audit.levels]` does not say otherwise.
    pub level: Level,
    /// Source text of its file, from which the manual page is read.
    source: &'static str,
    /// The check.
    check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// The project.
    Project(fn(&Analysis) -> Vec<Finding>),
    /// The comments that allow findings, once it is known what each of them did.
    Allows(fn(&[Allow]) -> Vec<Finding>),
}

impl Rule {
    pub(super) const fn new(
        code: &'static str,
        level: Level,
        source: &'static str,
        check: Check,
    ) -> Self {
        Self { code, level, source, check }
    }

    /// What it finds in a project.
    pub(super) fn check_project(&self, analysis: &Analysis) -> Vec<Finding> {
        match self.check {
            Check::Project(check) => check(analysis),
            Check::Allows(_) => Vec::new(),
        }
    }

    /// What it finds in comments that allow.
    pub(super) fn check_allows(&self, allows: &[Allow]) -> Vec<Finding> {
        match self.check {
            Check::Project(_) => Vec::new(),
            Check::Allows(check) => check(allows),
        }
    }

    /// What it says in one line.
    pub fn summary(&self) -> &'static str {
        self.source.lines().next().and_then(|line| line.strip_prefix("//! ")).unwrap_or_default()
    }

    /// The manual page, in Markdown.
    pub fn manual(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        let body: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        format!("# {}\n\n{}\n", self.code, body.join("\n").trim())
    }
}

/// All rules, sorted by code.
pub fn all_rules() -> &'static [Rule] {
    ALL
}

/// The rule of that code.
pub fn find_rule(code: &str) -> Option<&'static Rule> {
    all_rules().iter().find(|rule| rule.code == code)
}

/// The code that is most like a word that is none: the one of that name, else the one in which fewest letters differ.
pub fn nearest_rule(code: &str) -> Option<&'static str> {
    let name = code.rsplit('/').next().unwrap_or(code);
    let codes = || all_rules().iter().map(|rule| rule.code);
    if let Some(same) = codes().find(|own| own.rsplit('/').next() == Some(name)) {
        return Some(same);
    }
    // A longer word is not a typo, and would cost time.
    if code.len() > 80 {
        return None;
    }
    let whole = codes().map(|own| (edit_distance(code, own), own));
    let names =
        codes().map(|own| (edit_distance(name, own.rsplit('/').next().unwrap_or(own)), own));
    let (far, own) = whole.chain(names).min()?;
    (far * 3 <= name.chars().count()).then_some(own)
}

/// Letters to change, add or take out between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for (pair, y) in row.windows(2).zip(b.chars()) {
            if let [corner, above] = pair {
                left = (corner + usize::from(x != y)).min(above + 1).min(left + 1);
                next.push(left);
            }
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_and_unique() {
        let codes: Vec<&str> = all_rules().iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
    }

    #[test]
    fn a_slip_finds_the_rule_that_was_meant() {
        for (slip, meant) in [
            ("alias-width", Some("precision/alias-width")),
            ("shape/alias-width", Some("precision/alias-width")),
            ("shape/missmatch", Some("shape/mismatch")),
            ("kernel/acumulation", Some("kernel/accumulation")),
            ("no-such-thing", None),
            ("", None),
        ] {
            assert_eq!(nearest_rule(slip), meant, "{slip}");
        }
        assert_eq!((edit_distance("kitten", "sitting"), edit_distance("", "ab")), (3, 2));
    }

    #[test]
    fn every_rule_has_a_whole_manual_page() {
        for rule in all_rules() {
            let manual = rule.manual();
            for heading in ["## What it does", "## Why it matters", "## Example", "## How to fix"] {
                assert!(manual.contains(heading), "{} lacks `{heading}`", rule.code);
            }
            assert!(rule.summary().ends_with('.'), "{}: {}", rule.code, rule.summary());
        }
    }
}
