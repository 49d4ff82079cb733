//! The dump's form hides or turns round something that the figures need.
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

use serde::Serialize;

use super::evidence;
use crate::{Finding, Label, Level};
use derate_dump::{DumpNote, NoteKind};
use derate_estimate::Analysis;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct DumpForm {
    form: String,
    kind: &'static str,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    analysis.shape.notes.iter().map(|note| finding(analysis, note)).collect()
}

fn finding(analysis: &Analysis, note: &DumpNote) -> Finding {
    Finding {
        code: "shape/dump-form",
        level: match note.kind {
            NoteKind::Collapsed | NoteKind::ShapeUnknown | NoteKind::LowerBound => Level::Warning,
            NoteKind::Reversed | NoteKind::OperationCounts => Level::Note,
        },
        subject: note.kind.as_str().to_owned(),
        message: note.text.clone(),
        labels: vec![Label::new(note.span, "seen here")],
        notes: Vec::new(),
        help: "dump every parameter with its shape and dtype".to_owned(),
        evidence: evidence(&DumpForm {
            form: analysis.shape.format.to_string(),
            kind: note.kind.as_str(),
        }),
        fixes: Vec::new(),
    }
}
