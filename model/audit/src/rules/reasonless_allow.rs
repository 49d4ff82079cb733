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

use serde::Serialize;

use super::evidence;
use crate::allow::{Allow, Standing};
use crate::{Finding, Label, Level};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct ReasonlessAllow<'a> {
    allow: &'a str,
}

/// See the module's page.
pub(super) fn check(allows: &[Allow]) -> Vec<Finding> {
    allows.iter().filter(|allow| allow.standing == Standing::Reasonless).map(finding).collect()
}

fn finding(allow: &Allow) -> Finding {
    let code = allow.code.as_str();
    Finding {
        code: "audit/reasonless-allow",
        level: Level::Note,
        subject: code.to_owned(),
        message: format!("`{code}` is not allowed here: the comment gives no reason"),
        labels: vec![Label::new(allow.span, "a reason is missing")],
        notes: Vec::new(),
        help: format!("write `derate: allow({code}): ` and why"),
        evidence: evidence(&ReasonlessAllow { allow: code }),
        fixes: Vec::new(),
    }
}
