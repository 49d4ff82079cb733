//! Nothing of the design includes a header: it decides nothing.
//!
//! ## What it does
//!
//! Where `[[kernel]]` says what is built, looks for headers of `[hls] sources` that neither a kernel nor another source
//! includes, directly or not. Their arrays hold no tensors then, no claim is compared with them, and what other rules find in
//! them is a note.
//!
//! ## Why it matters
//!
//! A header of an earlier version contradicts every claim about the present one. Bytes and formats are those of the kernels.
//!
//! ## Example
//!
//! Kernels on `ap_int<8>`, and beside them `model_weights.h`, which declares every weight as `float`.
//!
//! ## How to fix
//!
//! Take it out of `[hls] sources`, or include it where it belongs.

use derate_hls::{FileId, Span};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    input.unbuilt().into_iter().flatten().map(|file| report_header(input, *file)).collect()
}

fn report_header(input: &AuditInput<'_>, file: FileId) -> Finding {
    let (name, text) = (input.sources.name(file), input.sources.text(file));
    let end = text.find('\n').unwrap_or(text.len());
    Finding::new("source/unbuilt", Level::Note, name)
        .with_message(format!("nothing of the design includes `{name}`: it decides nothing"))
        .with_label(Span { file, start: 0, end }, "no kernel and no other source reads this")
        .with_help("take it out of [hls] sources, or include it where it belongs")
        .with_evidence(json!({ "file": name }))
}
