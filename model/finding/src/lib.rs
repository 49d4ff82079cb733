//! What a rule found: the words, the places, the evidence, and the edits that may fix it.
//!
//! ```
//! use derate_finding::{Finding, Fix};
//! use derate_project::Level;
//!
//! let fix = Fix::only("delete the pragma", Ok(Vec::new()));
//! let finding = Finding::new("report/ii", Level::Warning, "loop").with_message("II is 2").with_fix(fix);
//! assert!(finding.place().is_none());
//! ```

mod edit;
mod finding;
mod join;
mod twins;

pub use edit::{
    Edit, Fix, Strategy, add_beside, add_include, find_spelling, find_value, restate_claim,
    round_down,
};
pub use finding::{Finding, Group, Joint, Label};
pub use join::join_causes;
pub use twins::Twins;
