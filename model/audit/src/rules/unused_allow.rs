//! A comment allows a finding that is not there.
//!
//! ## What it does
//!
//! Looks at every `derate: allow(code): reason` in the sources and in `derate.toml`, and reports those that suppress
//! nothing: that rule has no finding on the line that the comment refers to, no rule has that code, or the form
//! is not that of an allow. A comment beside code refers to its own line, a comment on a line of its own to the next one.
//!
//! ## Why it matters
//!
//! A leftover allow hides the next finding of that rule, which nobody has looked at. One with a slip in its code looks
//! as if something were allowed, and nothing is.
//!
//! ## Example
//!
//! ```cpp
//! // derate: allow(precision/alias-width): the simulator needs float
//! using bfloat16_t = ap_float<16, 8>; // no longer a lie
//! ```
//!
//! ## How to fix
//!
//! Remove the comment, correct its code, or move it to the line of the finding or directly above.

use serde_json::json;

use crate::allow::{Allow, AllowState};
use crate::{Finding, Level};

pub(super) fn check_comments(allows: &[Allow]) -> Vec<Finding> {
    allows.iter().filter_map(make_finding).collect()
}

fn make_finding(allow: &Allow) -> Option<Finding> {
    let Allow { code, line, reason, .. } = allow;
    let code = one_line(code);
    let (message, label, help) = match allow.state {
        AllowState::Used | AllowState::Reasonless => return None,
        AllowState::Unused => (
            format!("nothing is allowed here: line {line} has no finding of `{code}`"),
            format!("refers to line {line}"),
            "remove the comment, or move it to the line of the finding or directly above"
                .to_owned(),
        ),
        AllowState::UnknownCode => (
            format!("nothing is allowed here: no rule is called `{code}`"),
            "no such rule".to_owned(),
            "correct the code; `derate rules` lists them".to_owned(),
        ),
        AllowState::Malformed => (
            "nothing is allowed here: this is not the form of an allow".to_owned(),
            "not understood".to_owned(),
            "write `derate: allow(code): reason`".to_owned(),
        ),
    };
    Some(
        Finding::new("audit/unused-allow", Level::Note, code.clone())
            .with_message(message)
            .with_label(allow.span, label)
            .with_help(help)
            .with_evidence(json!({ "allow": &code, "speaks_of_line": *line, "reason": reason })),
    )
}

/// The text between the brackets may be anything.
fn one_line(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}
