//! A comment allows a finding and does not say why, so it allows nothing.
//!
//! ## What it does
//!
//! Reports every `derate: allow(code)` without a reason behind a colon. The finding that it meant to suppress stays.
//!
//! ## Why it matters
//!
//! Whoever reads the code next, a reviewer or its author in a year, must know whether the finding was understood or
//! only silenced.
//!
//! ## Example
//!
//! ```cpp
//! using bfloat16_t = float; // derate: allow(precision/alias-width)
//! ```
//!
//! ## How to fix
//!
//! Write the reason: `// derate: allow(precision/alias-width): C simulation only; synthesis sets BF16`.

use serde_json::json;

use crate::allow::{Allow, AllowState};
use crate::{Finding, Level};

pub(super) fn check_comments(allows: &[Allow]) -> Vec<Finding> {
    allows.iter().filter(|allow| allow.state == AllowState::Reasonless).map(make_finding).collect()
}

fn make_finding(allow: &Allow) -> Finding {
    let code = allow.code.as_str();
    Finding::new("audit/reasonless-allow", Level::Note, code.to_owned())
        .with_message(format!("`{code}` is not allowed here: the comment gives no reason"))
        .with_label(allow.span, "a reason is missing")
        .with_help(format!("write `derate: allow({code}): ` and why"))
        .with_evidence(json!({ "allow": code }))
}
