//! The dump's form hides or reverses something that the figures need.
//!
//! ## What it does
//!
//! Reports what the form of the dump implies: a collapsed layer range that was expanded, shapes listed innermost first,
//! parameters that the form cannot show.
//!
//! ## Why it matters
//!
//! A dump that shows one layer for sixteen hides layers that differ: in smolVLA half of the expert's key and value
//! projections are smaller and FP32, and a collapsed dump counts two million parameters too many.
//!
//! ## Example
//!
//! `layers.[0..15].self_attn.k_proj.weight: torch.Size([320, 720])`
//!
//! ## How to fix
//!
//! Dump every parameter: `for n, p in model.named_parameters(): print(f"{n}: {p.shape} [{p.dtype}]")`.

use serde_json::json;

use crate::{Finding, Level};
use derate_dump::{DumpNote, NoteKind};
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    analysis.shape.notes.iter().map(|note| make_finding(analysis, note)).collect()
}

fn make_finding(analysis: &Analysis, note: &DumpNote) -> Finding {
    Finding::new(
        "shape/dump-form",
        match note.kind {
            NoteKind::Collapsed | NoteKind::ShapeUnknown | NoteKind::LowerBound => Level::Warning,
            NoteKind::Reversed | NoteKind::OperationCounts => Level::Note,
        },
        note.kind.as_str().to_owned(),
    )
    .with_message(note.text.clone())
    .with_label(note.span, "seen here")
    .with_help("dump every parameter with its shape and dtype")
    .with_evidence(json!({
        "form": analysis.shape.format.to_string(),
        "kind": note.kind.as_str(),
    }))
}
