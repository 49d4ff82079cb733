//! A comment allows a finding that is not there.
//!
//! ## What it does
//!
//! Looks at every `derate: allow(code): reason` in the sources and in `derate.toml`, and reports those that suppress
//! nothing: no finding of that rule stands on the line that the comment speaks of, no rule has that code, or the form
//! is not that of an allow. A comment beside code speaks of its own line, a comment that stands alone of the next one.
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
//! Remove the comment, mend its code, or move it to the line of the finding or directly above.

use serde::Serialize;

use super::evidence;
use crate::allow::{Allow, Standing};
use crate::{Finding, Label, Level};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnusedAllow<'a> {
    allow: &'a str,
    speaks_of_line: usize,
    reason: &'a str,
}

/// See the module's page.
pub(super) fn check(allows: &[Allow]) -> Vec<Finding> {
    allows.iter().filter_map(finding).collect()
}

fn finding(allow: &Allow) -> Option<Finding> {
    let Allow { code, line, reason, .. } = allow;
    let code = one_line(code);
    let (message, label, help) = match allow.standing {
        Standing::Used | Standing::Reasonless => return None,
        Standing::Unused => (
            format!("nothing is allowed here: line {line} has no finding of `{code}`"),
            format!("speaks of line {line}"),
            "remove the comment, or move it to the line of the finding or directly above"
                .to_owned(),
        ),
        Standing::UnknownCode => (
            format!("nothing is allowed here: no rule is called `{code}`"),
            "no such rule".to_owned(),
            "mend the code; `derate rules` lists them".to_owned(),
        ),
        Standing::Malformed => (
            "nothing is allowed here: this is not the form of an allow".to_owned(),
            "not understood".to_owned(),
            "write `derate: allow(code): reason`".to_owned(),
        ),
    };
    Some(Finding {
        code: "audit/unused-allow",
        level: Level::Note,
        subject: code.clone(),
        message,
        labels: vec![Label::new(allow.span, label)],
        notes: Vec::new(),
        help,
        evidence: evidence(&UnusedAllow { allow: &code, speaks_of_line: *line, reason }),
        fixes: Vec::new(),
    })
}

/// What stands between the brackets may be anything.
fn one_line(code: &str) -> String {
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}
