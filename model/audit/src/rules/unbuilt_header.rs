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

use crate::{Finding, Level};
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    analysis.unbuilt.iter().map(|file| report_header(analysis, *file)).collect()
}

fn report_header(analysis: &Analysis, file: FileId) -> Finding {
    let (name, text) = (analysis.sources.name(file), analysis.sources.text(file));
    let end = text.find('\n').unwrap_or(text.len());
    Finding::new("source/unbuilt", Level::Note, name)
        .with_message(format!("nothing of the design includes `{name}`: it decides nothing"))
        .with_label(Span { file, start: 0, end }, "no kernel and no other source reads this")
        .with_help("take it out of [hls] sources, or include it where it belongs")
        .with_evidence(json!({ "file": name }))
}
