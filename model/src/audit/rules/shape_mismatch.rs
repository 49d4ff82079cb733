//! The header and the dump disagree about a tensor's name, dimensions or number format.
//!
//! ## What it does
//!
//! Reads the parameter path from the namespaces of each array (`_0` stands for `0`), finds the tensor of the dump that
//! it stands for, and compares names, dimensions and the width of the declared type's name with the dump's dtype.
//!
//! ## Why it matters
//!
//! The dump is what the model is, the header is what is built. Where they differ, the estimate is of another model, or
//! the accelerator computes something else.
//!
//! ## Example
//!
//! The dump says `q_proj.weight: torch.Size([960, 960])`, the header declares `weight[720][960]`.
//!
//! ## How to fix
//!
//! Generate the header anew from the dump, or give the dump that the header was made from.

use std::collections::BTreeSet;

use serde::Serialize;

use super::evidence;
use crate::audit::{Finding, Label, Level};
use crate::present::figures::count;
use crate::{Analysis, Declaration, Tensor};

/// So many tensors are named in a sentence.
const NAMED: usize = 3;

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct ShapeMismatch {
    kind: &'static str,
    tensors: Vec<String>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let code = &analysis.code;
    if !code.declares_tensors() {
        return Vec::new();
    }
    let pairs: Vec<(&Declaration, &Tensor)> = code
        .declarations
        .iter()
        .filter_map(|d| Some((d, analysis.shape.get(d.tensor.as_deref()?)?)))
        .collect();
    let declared: BTreeSet<&str> = pairs.iter().map(|(_, tensor)| tensor.name.as_str()).collect();
    let files: BTreeSet<_> = pairs.iter().map(|(declaration, _)| declaration.span.file).collect();

    let dims: Vec<_> = pairs.iter().filter(|(d, t)| differs(d, t)).collect();
    let dtypes: Vec<_> = pairs
        .iter()
        .filter_map(|(d, t)| dtype_differs(analysis, d, t).map(|text| (*d, *t, text)))
        .collect();
    let undeclared: Vec<&Tensor> =
        analysis.shape.tensors.iter().filter(|t| !declared.contains(t.name.as_str())).collect();
    let unknown: Vec<&Declaration> = code
        .declarations
        .iter()
        .filter(|d| d.tensor.is_none() && d.path.contains('.') && files.contains(&d.span.file))
        .collect();

    let mut findings = Vec::new();
    findings.extend(finding(
        "dimensions",
        "other dimensions than in the dump",
        dims.iter().map(|(d, t)| {
            (
                t.name.clone(),
                Label::new(d.span, extents(d)),
                Label::new(t.span, format!("{:?} here", t.dims)),
            )
        }),
    ));
    findings.extend(finding(
        "dtype",
        "another number format than in the dump",
        dtypes.iter().map(|(d, t, text)| {
            let stored = t.dtype.map(|p| format!("stored as {p}")).unwrap_or_default();
            (t.name.clone(), Label::new(d.element_span, text.clone()), Label::new(t.span, stored))
        }),
    ));
    findings.extend(finding(
        "undeclared",
        "in the dump and not in the code",
        undeclared.iter().map(|t| {
            let dump = Label::new(t.span, "no array stands for it");
            (t.name.clone(), dump.clone(), dump)
        }),
    ));
    findings.extend(finding(
        "not-in-dump",
        "in the code and not in the dump",
        unknown.iter().map(|d| {
            let code = Label::new(d.span, "no tensor has this path");
            (d.path.clone(), code.clone(), code)
        }),
    ));
    findings
}

fn extents(declaration: &Declaration) -> String {
    let dims: Vec<String> = declaration
        .dims
        .iter()
        .map(|dim| dim.map_or_else(|| "?".to_owned(), |n| n.to_string()))
        .collect();
    format!("[{}] here", dims.join(", "))
}

/// What is not known on either side is no disagreement.
fn differs(declaration: &Declaration, tensor: &Tensor) -> bool {
    tensor.shape_known
        && (declaration.dims.len() != tensor.dims.len()
            || declaration
                .dims
                .iter()
                .zip(&tensor.dims)
                .any(|(declared, dumped)| declared.is_some_and(|d| d != *dumped)))
}

/// A lying alias is taken at its word here: that it lies is another rule's finding.
fn dtype_differs(
    analysis: &Analysis,
    declaration: &Declaration,
    tensor: &Tensor,
) -> Option<String> {
    let dumped = tensor.dtype?;
    let lying = analysis.code.aliases_of(declaration).find(|alias| alias.lie.is_some());
    let bits = match lying {
        Some(alias) => alias.claimed_bits()?,
        None => declaration.precision.as_ref().ok()?.bits(),
    };
    (bits != dumped.bits()).then(|| format!("`{}`, {bits} bits", declaration.element))
}

/// One finding for all tensors of a kind, with the first of them labelled.
fn finding(
    kind: &'static str,
    what: &str,
    cases: impl Iterator<Item = (String, Label, Label)>,
) -> Option<Finding> {
    let (mut tensors, mut labels) = (Vec::new(), Vec::new());
    for (tensor, offender, other) in cases {
        if labels.is_empty() {
            let same = offender == other;
            labels.push(offender);
            if !same {
                labels.push(other);
            }
        }
        tensors.push(tensor);
    }
    let first = tensors.first()?.clone();
    let mut named =
        tensors.iter().take(NAMED).map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", ");
    if tensors.len() > NAMED {
        named.push_str(", ...");
    }
    let (noun, verb) = match (kind, tensors.len()) {
        ("dimensions" | "dtype", 1) => ("tensor", "has"),
        ("dimensions" | "dtype", _) => ("tensor", "have"),
        (_, 1) => ("tensor", "is"),
        _ => ("tensor", "are"),
    };
    Some(Finding {
        code: "shape/mismatch",
        // A table of constants among the weights is no disagreement for certain.
        level: if kind == "not-in-dump" { Level::Warning } else { Level::Error },
        subject: first,
        message: format!("{} {verb} {what}", count(tensors.len(), noun)),
        labels,
        notes: vec![named],
        help: "generate the header anew from the dump, or give the dump that it was made from"
            .to_owned(),
        evidence: evidence(&ShapeMismatch { kind, tensors }),
        fixes: Vec::new(),
    })
}
