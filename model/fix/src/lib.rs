//! Fixes findings: [`apply_fixes`] chooses among the edits that the rules offer, and audits the result again.

mod apply_fixes;
mod comment;

pub use apply_fixes::{FixOutcome, Fixable, FixedFinding, RefusedFix, apply_fixes};
pub use derate_finding::{Edit, Fix, Strategy};
pub use derate_hls::{Patch, apply_patches, unified_diff};
