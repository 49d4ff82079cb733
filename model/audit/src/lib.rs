//! The audit: rules that check the claims against the code, the model and the card. Findings are data, never errors.
//!
//! [`audit`] runs all rules on an analysis. A rule is one file in `rules/`, whose doc comment is its manual page.
//!
//! ```
//! use derate_audit::{Level, find_rule, nearest_rule};
//!
//! let rule = find_rule("report/ii").expect("the rule exists");
//! assert_eq!(rule.level, Level::Warning);
//! assert_eq!(rule.summary(), "A loop misses its target initiation interval.");
//! assert_eq!(nearest_rule("report/cosin"), Some("report/cosim"));
//! ```

mod alias_use;
mod allow;
mod catalogue;
mod comments;
mod folds;
mod input;
mod levels;
mod modelled;
mod needs;
mod not_checked;
mod page;
mod reach;
mod read_allows;
mod report;
mod rule;
mod rules;
mod sink;
mod uncalled;

pub use catalogue::{all_rules, find_rule, nearest_rule};
pub use derate_finding::{Finding, Group, Label};
pub use derate_project::Level;
pub use input::AuditInput;
pub use levels::check_rule_codes;
pub use needs::Needs;
pub use not_checked::{NotChecked, list_checked, list_not_checked};
pub use page::rules_page;
pub use report::{AllowedReport, AuditReport, FindingReport, Related, Summary};
pub use rule::Rule;
pub use sink::{Allowed, Audit};

use derate_estimate::Analysis;

/// All findings, the gravest first, then by code and place; and those that a comment allows.
pub fn audit(analysis: &Analysis) -> Audit {
    audit_designs(&[AuditInput::of_analysis(analysis)])
}

/// The same of designs that lie in one folder and have their texts in common; what is wrong in a file of two designs is
/// found once.
pub fn audit_designs(designs: &[AuditInput<'_>]) -> Audit {
    // Neighbours go to one thread: copies of a design are read once.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = designs.len().div_ceil(threads).max(1);
    let mut found = Vec::new();
    std::thread::scope(|scope| {
        let parts = designs.chunks(share);
        let workers: Vec<_> = parts.map(|part| scope.spawn(|| find_all(part))).collect();
        for worker in workers {
            found.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    sink::settle_findings(designs, found)
}

/// What the rules find in these designs, in their order.
fn find_all(designs: &[AuditInput<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for input in designs {
        let design = input.design_name().map(str::to_owned);
        let own = all_rules().iter().flat_map(|rule: &Rule| rule.check_design(input));
        found.extend(own.map(|one| Finding { design: design.clone(), ..one }));
    }
    found
}
