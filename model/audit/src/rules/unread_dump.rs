//! The dump leaves something open.
//!
//! ## What it does
//!
//! Reports what looks like part of the dump and was not understood, dtypes that are not known, tensors that are named
//! twice or have no element, lists that say of themselves that they are cut, and lists that end inside a layer.
//!
//! ## Why it matters
//!
//! Totals of a dump that was read in part are totals of another model. Silence would make them look whole.
//!
//! ## Example
//!
//! `q_proj.weight: torch.Size([960, 9` — the file was cut.
//!
//! ## How to fix
//!
//! Write the dump again, or mend the line.

use serde::Serialize;

use super::evidence;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct UnreadDump {
    lines: usize,
    reasons: Vec<String>,
}

/// So many reasons are told.
const TOLD: usize = 3;

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let problems = &analysis.shape.problems;
    let Some(first) = problems.first() else { return Vec::new() };
    let reasons: Vec<String> = problems
        .iter()
        .take(TOLD)
        .map(|p| {
            format!(
                "line {}: {}: {}",
                analysis.sources.position(p.span).line,
                p.kind.as_str(),
                p.reason
            )
        })
        .collect();
    let total = problems
        .len()
        .saturating_add(usize::try_from(analysis.shape.further_problems).unwrap_or(usize::MAX));
    vec![Finding {
        code: "shape/unread-lines",
        level: Level::Warning,
        subject: analysis.sources.name(first.span.file).to_owned(),
        message: format!("the dump leaves {} open: its totals may be wrong", count(total, "thing")),
        labels: vec![Label::new(first.span, first.reason.clone())],
        notes: if problems.len() > 1 { reasons.clone() } else { Vec::new() },
        help: "write the dump again, or mend the line".to_owned(),
        evidence: evidence(&UnreadDump { lines: total, reasons }),
        fixes: Vec::new(),
    }]
}
