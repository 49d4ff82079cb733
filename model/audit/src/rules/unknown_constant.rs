//! A dimension constant has a value that no tensor has.
//!
//! ## What it does
//!
//! Takes the constants of a header that declares tensors whose names refer to a dimension (`..._DIM`, `HIDDEN...`,
//! `VOCAB...`), and looks each value up among the dimensions of the dump. It names the nearest one that exists.
//!
//! ## Why it matters
//!
//! Such a constant is a leftover of another model or of a formula that did not round as the model does. A kernel that
//! is sized with it computes too much or reads past the end of its weights.
//!
//! ## Example
//!
//! ```cpp
//! constexpr size_t EXPERT_GATE_DIM = 1920; // the tensors say 2048
//! ```
//!
//! ## How to fix
//!
//! Give it the value that the dump has, or remove it.

use std::collections::BTreeMap;

use derate_hls::{Constant, Reason};
use serde_json::json;

use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_finding::{Edit, Fix, find_value};
use derate_units::figures::count;

/// Words in a constant's name for a tensor's dimension.
const WORDS: [&str; 10] = [
    "DIM",
    "DIMS",
    "HIDDEN",
    "VOCAB",
    "FFN",
    "INTERMEDIATE",
    "EMBED",
    "CHANNELS",
    "FEATURES",
    "PATCHES",
];

/// Words that say that the constant is a part of a dimension.
const PARTS: [&str; 8] = ["HEAD", "TILE", "BLOCK", "GROUP", "PACK", "BUF", "SLICE", "LANES"];

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let dims = analysis.shape.dims();
    let code = &analysis.code;
    let with_tensors =
        |file| code.declarations.iter().any(|d| d.tensor.is_some() && d.span.file == file);
    code.headers()
        .iter()
        .filter(|header| with_tensors(header.file))
        .flat_map(|header| &header.constants)
        .filter(|constant| names_a_dimension(&constant.name))
        .filter_map(|constant| make_finding(analysis, constant, &dims))
        .collect()
}

fn names_a_dimension(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let has = |words: &[&str]| name.split('_').any(|word| words.contains(&word));
    has(&WORDS) && !has(&PARTS)
}

/// The nearest dimension in place of the value, unless another is as near.
fn nearest_edit(
    analysis: &Analysis,
    constant: &Constant,
    value: u64,
    nearest: u64,
    dims: &BTreeMap<u64, usize>,
) -> Result<Edit, Reason> {
    let distance = nearest.abs_diff(value);
    match dims.keys().find(|dim| **dim != nearest && dim.abs_diff(value) == distance) {
        Some(other) => {
            Err(format!("{nearest} and {other} are equally near: choose one by hand").into())
        }
        None => {
            find_value(&analysis.sources, constant).map(|span| Edit::new(span, nearest.to_string()))
        }
    }
}

fn make_finding(
    analysis: &Analysis,
    constant: &Constant,
    dims: &BTreeMap<u64, usize>,
) -> Option<Finding> {
    let value = u64::try_from(constant.value?).ok()?;
    if dims.contains_key(&value) {
        return None;
    }
    let (&nearest, &tensors) = dims.iter().min_by_key(|(dim, _)| dim.abs_diff(value))?;
    let mut labels =
        vec![Label::new(constant.span, format!("no tensor has a dimension of {value}"))];
    if let Some(tensor) =
        analysis.shape.tensors.iter().find(|t| t.shape_known && t.dims.contains(&nearest))
    {
        labels.push(Label::new(tensor.span, format!("the nearest that exists: {nearest}")));
    }
    Some(
        Finding::new("shape/unknown-constant", Level::Warning, constant.name.clone())
            .with_message(format!(
                "`{}` is {value}, and no tensor of the dump has that dimension",
                constant.name
            ))
            .with_labels(labels)
            .with_note(format!(
                "the nearest dimension is {nearest}; it occurs {} in the dump",
                count(tensors, "time")
            ))
            .with_help(format!(
                "set `{}` to {nearest} if that is meant, or remove it",
                constant.name
            ))
            .with_evidence(json!({
                "constant": constant.name,
                "value": value,
                "nearest": nearest,
                "occurrences": tensors,
            }))
            .with_fix(Fix::only(
                format!("set `{}` to {nearest}", constant.name),
                nearest_edit(analysis, constant, value, nearest, dims).map(|edit| vec![edit]),
            )),
    )
}
