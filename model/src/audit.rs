//! The audit: rules that hold the claims against the code and the model. Findings are data, never errors.

mod finding;
pub mod fix;
mod report;
mod rule;
mod rules;

pub use finding::{Finding, Label, Level};
pub use report::{AuditReport, FindingReport, Related, Summary};
pub use rule::{Rule, rule, rules};

use crate::Analysis;

/// All findings, the gravest first, then by code and place.
pub fn audit(analysis: &Analysis) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        rules().iter().flat_map(|rule| (rule.check)(analysis)).collect();
    findings.sort_by(|a, b| {
        (a.level, a.code, a.place(), &a.subject).cmp(&(b.level, b.code, b.place(), &b.subject))
    });
    findings.dedup_by(|a, b| (a.code, a.place(), &a.subject) == (b.code, b.place(), &b.subject));
    findings
}
