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
//! Write the dump again, or fix the line.

use serde_json::json;

use crate::{Finding, Level};
use derate_estimate::Analysis;
use derate_units::figures::count;

/// So many reasons are shown.
const TOLD: usize = 3;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
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
    vec![
        Finding::new(
            "shape/unread-lines",
            Level::Warning,
            analysis.sources.name(first.span.file).to_owned(),
        )
        .with_message(format!(
            "the dump leaves {} open: its totals may be wrong",
            count(total, "thing")
        ))
        .with_label(first.span, first.reason.clone())
        .with_notes(if problems.len() > 1 { reasons.clone() } else { Vec::new() })
        .with_help("write the dump again, or fix the line")
        .with_evidence(json!({ "lines": total, "reasons": reasons })),
    ]
}
