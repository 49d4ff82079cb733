//! The audit: rules that hold the claims against the code and the model. Findings are data, never errors.

pub mod compare;

mod addend;
mod allow;
mod apart;
mod asked;
mod comments;
mod finding;
pub mod fix;
mod levels;
mod page;
mod report;
mod rule;
mod rules;
mod sink;
mod twins;
mod words;

pub use derate_project::Level;
pub use finding::{Finding, Label};
pub use levels::check_rule_codes;
pub use page::rules_page;
pub use report::{AllowedReport, AuditReport, FindingReport, Related, Summary};
pub use rule::{Rule, nearest_rule, rule, rules};
pub use sink::{Allowed, Audit};

use derate_estimate::Analysis;

/// All findings, the gravest first, then by code and place; those that a comment allows stand apart.
pub fn audit(analysis: &Analysis) -> Audit {
    let found = rules().iter().flat_map(|rule| rule.of_project(analysis)).collect();
    sink::settle(analysis, found)
}
