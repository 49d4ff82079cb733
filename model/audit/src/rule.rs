//! A rule: its code, its check, and its manual page, which is the doc comment of its file.

use super::allow::Allow;
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
