//! A rule: its code, its check, and its manual page, which is the doc comment of its file.

use super::rules::ALL;
use super::{Finding, Level};
use crate::Analysis;

/// A check of one thing.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// `family/name`.
    pub code: &'static str,
    /// The gravest level that its findings have.
    pub level: Level,
    /// Source text of its file, from which the manual page is read.
    source: &'static str,
    /// The check.
    pub(super) check: fn(&Analysis) -> Vec<Finding>,
}

impl Rule {
    pub(super) const fn new(
        code: &'static str,
        level: Level,
        source: &'static str,
        check: fn(&Analysis) -> Vec<Finding>,
    ) -> Self {
        Self { code, level, source, check }
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
pub fn rules() -> &'static [Rule] {
    ALL
}

/// The rule of that code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    rules().iter().find(|rule| rule.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_sorted_and_unique() {
        let codes: Vec<&str> = rules().iter().map(|rule| rule.code).collect();
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(codes, sorted);
    }

    #[test]
    fn every_rule_has_a_whole_manual_page() {
        for rule in rules() {
            let manual = rule.manual();
            for heading in ["## What it does", "## Why it matters", "## Example", "## How to fix"] {
                assert!(manual.contains(heading), "{} lacks `{heading}`", rule.code);
            }
            assert!(rule.summary().ends_with('.'), "{}: {}", rule.code, rule.summary());
        }
    }
}
