//! Findings with their places as file and line: the JSON contract `derate.audit/2`.

use derate_hls::Sources;
use serde::Serialize;

use super::{Allowed, Audit, Finding, Level, NotChecked};
use derate_estimate::Analysis;
use derate_project::NotAuditedReport;

/// All findings of one audit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AuditReport {
    /// `derate.audit/2`.
    pub schema: &'static str,
    /// The command that gives it again.
    pub command: String,
    /// How many of each level.
    pub summary: Summary,
    /// The gravest first.
    pub findings: Vec<FindingReport>,
    /// What a comment in the source allows.
    pub allowed: Vec<AllowedReport>,
    /// Source files that were not read, or only in part.
    pub not_audited: Vec<NotAuditedReport>,
    /// Rules that say nothing because something is not known; empty for a project with a model.
    pub not_checked: Vec<NotChecked>,
}

/// How many findings of each level.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Summary {
    /// Claims that do not hold.
    pub error: usize,
    /// Claims that may not hold.
    pub warning: usize,
    /// Things worth knowing.
    pub note: usize,
    /// Findings that a comment allows; they count in no level.
    pub allowed: usize,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindingReport {
    /// The rule's code.
    pub code: &'static str,
    /// How grave it is.
    pub level: Level,
    /// The design that it is found in; null for a project with a model.
    pub design: Option<String>,
    /// The offender's file, as the project names it.
    pub file: Option<String>,
    /// Its line, from 1.
    pub line: Option<usize>,
    /// Its column, from 1.
    pub column: Option<usize>,
    /// What it is about.
    pub subject: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Figures and reasons.
    pub notes: Vec<String>,
    /// Other places, such as the claim that is contradicted.
    pub related: Vec<Related>,
    /// The rule's evidence.
    pub evidence: serde_json::Value,
}

/// A finding that a comment in the source allows.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct AllowedReport {
    /// The rule's code.
    pub code: &'static str,
    /// How grave it would be.
    pub level: Level,
    /// The offender's file, as the project names it.
    pub file: String,
    /// The offender's line, from 1.
    pub line: usize,
    /// What it is about.
    pub subject: String,
    /// What is wrong.
    pub message: String,
    /// Why it is allowed.
    pub reason: String,
}

/// Another place that a finding refers to.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Related {
    /// File, as the project names it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What to see there.
    pub message: String,
}

impl Summary {
    /// Counts findings.
    pub fn of(audit: &Audit) -> Self {
        let count = |level| audit.findings.iter().filter(|f| f.level == level).count();
        Self {
            error: count(Level::Error),
            warning: count(Level::Warning),
            note: count(Level::Note),
            allowed: audit.allowed.len(),
        }
    }
}

impl AuditReport {
    /// The findings of a project, with their places.
    pub fn new(analysis: &Analysis, audit: &Audit) -> Self {
        let not_audited = analysis.code.not_audited_files(&analysis.sources);
        let command = analysis.command("audit", "--format json");
        Self::of(&analysis.sources, audit, command, not_audited, Vec::new())
    }

    /// The findings of the designs of a folder.
    pub fn of(
        sources: &Sources,
        audit: &Audit,
        command: String,
        not_audited: Vec<NotAuditedReport>,
        not_checked: Vec<NotChecked>,
    ) -> Self {
        let Audit { findings, allowed } = audit;
        Self {
            schema: "derate.audit/2",
            command,
            summary: Summary::of(audit),
            findings: findings.iter().map(|finding| FindingReport::new(sources, finding)).collect(),
            allowed: allowed.iter().map(|one| AllowedReport::new(sources, one)).collect(),
            not_audited,
            not_checked,
        }
    }
}

impl AllowedReport {
    fn new(sources: &Sources, Allowed { finding, reason, at, .. }: &Allowed) -> Self {
        Self {
            code: finding.code,
            level: finding.level,
            file: sources.name(at.file).to_owned(),
            line: sources.position(*at).line,
            subject: finding.subject.clone(),
            message: finding.message.clone(),
            reason: reason.clone(),
        }
    }
}

impl FindingReport {
    fn new(sources: &Sources, finding: &Finding) -> Self {
        let (primary, related) = match finding.labels.split_first() {
            Some((first, rest)) => (Some(first), rest),
            None => (None, &[][..]),
        };
        let position = primary.map(|label| sources.position(label.span));
        Self {
            code: finding.code,
            level: finding.level,
            design: finding.design.clone(),
            file: primary.map(|label| sources.name(label.span.file).to_owned()),
            line: position.map(|p| p.line),
            column: position.map(|p| p.column),
            subject: finding.subject.clone(),
            message: finding.message.clone(),
            help: finding.help.clone(),
            notes: finding.notes.clone(),
            related: related
                .iter()
                .map(|label| Related {
                    file: sources.name(label.span.file).to_owned(),
                    line: sources.position(label.span).line,
                    message: label.text.clone(),
                })
                .collect(),
            evidence: finding.evidence.clone(),
        }
    }
}
