//! A rule: its code, its check, and its manual page, which is the doc comment of its file.

use super::allow::Allow;
use super::{AuditInput, Finding, Level, Needs};
use derate_estimate::Analysis;
use derate_machine::Platform;
use derate_project::Project;

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

/// What a rule looks at, which says what it needs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    /// Code, reports and the v++ configuration; what else there is only adds to the findings.
    Files(fn(&AuditInput<'_>) -> Vec<Finding>),
    /// The kernels as the model schedules them for a part.
    Part(fn(&AuditInput<'_>) -> Vec<Finding>),
    /// These, against the card.
    Platform(fn(&AuditInput<'_>, &Platform) -> Vec<Finding>),
    /// These, against the claims of `derate.toml`.
    Claims(fn(&AuditInput<'_>, &Project) -> Vec<Finding>),
    /// The whole project with its model.
    Model(fn(&Analysis) -> Vec<Finding>),
    /// The comments that allow findings, once it is known what each of them did.
    Allows(fn(&[Allow]) -> Vec<Finding>),
}

/// Rules that hold claims and reports against figures of the card.
const ABOUT_THE_CARD: [&str; 6] = [
    "bandwidth/theoretical-as-achieved",
    "clock/above-fmax",
    "latency/batch-1",
    "peak/underivable",
    "report/part",
    "report/utilisation",
];

impl Rule {
    pub(super) const fn new(
        code: &'static str,
        level: Level,
        source: &'static str,
        check: Check,
    ) -> Self {
        Self { code, level, source, check }
    }

    /// What it needs beside code, reports and the v++ configuration.
    pub fn needs(&self) -> Needs {
        match self.check {
            Check::Files(_) | Check::Allows(_) => Needs::Files,
            Check::Part(_) => Needs::Part,
            Check::Platform(_) => Needs::Platform,
            Check::Claims(_) => Needs::Claims,
            Check::Model(_) => Needs::Model,
        }
    }

    /// Whether its findings are about the card as much as about the project.
    pub(super) fn depends_on_card(&self) -> bool {
        matches!(self.needs(), Needs::Part | Needs::Platform)
            || self.code.starts_with("design/")
            || ABOUT_THE_CARD.contains(&self.code)
    }

    /// What it finds in a design; nothing where what it needs is not there.
    pub(super) fn check_design(&self, input: &AuditInput<'_>) -> Vec<Finding> {
        match self.check {
            Check::Files(check) | Check::Part(check) => check(input),
            Check::Platform(check) => {
                input.platform.map_or_else(Vec::new, |platform| check(input, platform))
            }
            Check::Claims(check) => {
                input.project.map_or_else(Vec::new, |project| check(input, project))
            }
            Check::Model(check) => input.analysis.map_or_else(Vec::new, check),
            Check::Allows(_) => Vec::new(),
        }
    }

    /// What it finds in comments that allow.
    pub(super) fn check_allows(&self, allows: &[Allow]) -> Vec<Finding> {
        match self.check {
            Check::Allows(check) => check(allows),
            _ => Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_about_the_card_is_a_rule() {
        assert!(ABOUT_THE_CARD.iter().all(|code| crate::find_rule(code).is_some()));
    }
}
