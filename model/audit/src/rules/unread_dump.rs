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
use derate_dump::DumpProblem;
use derate_estimate::Analysis;
use derate_units::figures::grouped;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    analysis.shape.problems.iter().map(|problem| report_problem(analysis, problem)).collect()
}

fn report_problem(analysis: &Analysis, problem: &DumpProblem) -> Finding {
    let (file, further) =
        (analysis.sources.name(problem.span.file), analysis.shape.further_problems);
    let (kind, reason) = (problem.kind.as_str(), &problem.reason);
    let note = format!("{} more are not listed", grouped(further as f64));
    Finding::new("shape/unread-lines", Level::Warning, file)
        .by_file()
        .with_message(format!("the dump leaves something open ({kind}): its totals may be wrong"))
        .with_label(problem.span, reason.clone())
        .with_notes((further > 0).then_some(note))
        .with_help("write the dump again, or fix the line")
        .with_evidence(json!({ "kind": kind, "reason": reason }))
}
