//! Fixes findings: [`apply_fixes`] chooses among the edits that the rules offer, and audits the result again.

mod apply_fixes;
mod comment;
mod diff;
mod patch;

pub use crate::edit::{Edit, Fix, Strategy};
pub use apply_fixes::{FixOutcome, FixedFinding, RefusedFix, apply_fixes};
pub use diff::unified_diff;
pub use patch::{Patch, apply_patches};
