//! The audit: rules that check the claims against the code, the model and the card. Findings are data, never errors.
//!
//! [`audit`] runs all rules on an analysis. A rule is one file in `rules/`, whose doc comment is its manual page.
//! [`fix`] has the edits that fix a finding, and [`compare`] what changed between two reports.
//!
//! ```
//! use derate_audit::{Level, find_rule, nearest_rule};
//!
//! let rule = find_rule("report/ii").expect("the rule exists");
//! assert_eq!(rule.level, Level::Warning);
//! assert_eq!(rule.summary(), "A loop misses its target initiation interval.");
//! assert_eq!(nearest_rule("report/cosin"), Some("report/cosim"));
//! ```

pub mod compare;

mod addend;
mod alias_variants;
mod allow;
mod asked_interval;
mod catalogue;
mod claim_groups;
mod comments;
mod edit;
mod finding;
pub mod fix;
mod kernel_design;
mod levels;
mod modelled;
mod page;
mod read_allows;
mod report;
mod rule;
mod rules;
mod sink;
mod words;

pub use catalogue::{all_rules, find_rule, nearest_rule};
pub use derate_project::Level;
pub use finding::{Finding, Group, Label};
pub use levels::check_rule_codes;
pub use page::rules_page;
pub use report::{AllowedReport, AuditReport, FindingReport, Related, Summary};
pub use rule::Rule;
pub use sink::{Allowed, Audit};

use derate_estimate::Analysis;

/// All findings, the gravest first, then by code and place; and those that a comment allows.
pub fn audit(analysis: &Analysis) -> Audit {
    let found = all_rules().iter().flat_map(|rule| rule.check_project(analysis)).collect();
    sink::settle_findings(analysis, found)
}
