//! The audit: rules that check the claims against the code and the model. Findings are data, never errors.

pub mod compare;

mod addend;
mod alias_variants;
mod allow;
mod allow_groups;
mod asked_interval;
mod comments;
mod finding;
pub mod fix;
mod levels;
mod page;
mod report;
mod rule;
mod rules;
mod sink;
mod words;

pub use derate_project::Level;
pub use finding::{Finding, Label};
pub use levels::check_rule_codes;
pub use page::rules_page;
pub use report::{AllowedReport, AuditReport, FindingReport, Related, Summary};
pub use rule::{Rule, all_rules, find_rule, nearest_rule};
pub use sink::{Allowed, Audit};

use derate_estimate::Analysis;

/// All findings, the gravest first, then by code and place; and those that a comment allows.
pub fn audit(analysis: &Analysis) -> Audit {
    let found = all_rules().iter().flat_map(|rule| rule.check_project(analysis)).collect();
    sink::settle_findings(analysis, found)
}
