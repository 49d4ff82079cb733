//! The header and the dump disagree about a tensor's name, dimensions or number format.
//!
//! ## What it does
//!
//! Reads the parameter path from the namespaces of each array (`_0` means `0`), finds the tensor of the dump with
//! that path, and compares names, dimensions and the width of the declared type's name with the dump's dtype. The
//! extents may come from an alias (`typedef float w_t[12][768];`). A kernel's `m_axi` argument that has a tensor's name and
//! other extents is a warning.
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
//! Generate the header again from the dump, or give the dump that the header was made from. Where the weights are
//! quantised on purpose and differ in their format alone, claim that precision: `precision = "int8"` under `[claims]`.

use std::collections::{BTreeMap, BTreeSet};

use derate_hls::{ClaimedFormat, Resolver, Span, TypeClaim};
use serde_json::json;

use crate::{Finding, Level};
use derate_dump::Tensor;
use derate_estimate::Analysis;
use derate_machine::m_axi::m_axi_ports;
use derate_project::{ClaimedPrecision, Declaration};
use derate_units::{ElementFormat, Precision};

/// An array and the tensor that it is declared for.
type Pair<'a> = (&'a Declaration, &'a Tensor);

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let code = &analysis.code;
    let arguments = find_other_arguments(analysis);
    if !code.declares_tensors() {
        return arguments;
    }
    let pairs: Vec<Pair<'_>> = code
        .declarations
        .iter()
        .filter_map(|d| Some((d, analysis.shape.get(d.tensor.as_deref()?)?)))
        .collect();
    let mut found = find_other_dimensions(&pairs);
    found.extend(find_other_dtypes(analysis, &pairs));
    found.extend(find_undeclared(analysis, &pairs));
    found.extend(find_undumped(analysis, &pairs));
    found.extend(arguments);
    found
}

/// A finding on one tensor: the sort of disagreement, the tensor's name, what is wrong with it, and the place.
fn new_finding(
    kind: &'static str,
    level: Level,
    tensor: &str,
    what: &str,
    (span, text): (Span, String),
) -> Finding {
    Finding::new("shape/mismatch", level, tensor)
        .in_group(kind)
        .with_message(format!("`{tensor}` {what}"))
        .with_label(span, text)
        .with_help(
            "generate the header again from the dump, or give the dump that it was made from",
        )
        .with_evidence(json!({ "kind": kind, "tensor": tensor }))
}

fn find_other_dimensions(pairs: &[Pair<'_>]) -> Vec<Finding> {
    let differing = pairs.iter().filter(|(d, tensor)| dims_differ(d, tensor));
    let report = |(d, tensor): &Pair<'_>| {
        let place = (d.span, format_extents(&d.dims));
        let what = "has other dimensions than in the dump";
        new_finding("dimensions", Level::Error, &tensor.name, what, place)
            .with_label(tensor.span, format!("{:?} here", tensor.dims))
    };
    differing.map(report).collect()
}

/// Ports to memory that have the name of one tensor, and extents of their own or of their alias. What a kernel takes in
/// tiles has a smaller array of another name; an open extent is a pointer and says nothing.
fn find_other_arguments(analysis: &Analysis) -> Vec<Finding> {
    let headers = analysis.code.headers();
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let mut tensors: BTreeMap<String, Option<&Tensor>> = BTreeMap::new();
    for tensor in &analysis.shape.tensors {
        let flat = tensor.name.replace('.', "_");
        tensors.entry(flat).and_modify(|known| *known = None).or_insert(Some(tensor));
    }
    let mut found = Vec::new();
    for function in headers.iter().flat_map(|header| &header.functions) {
        for port in m_axi_ports(function) {
            let parameter = port.parameter;
            let tensor = tensors.get(&parameter.name).copied().flatten();
            let Some(tensor) = tensor.filter(|tensor| tensor.shape_known) else { continue };
            let resolution = resolver.parameter(function, parameter);
            let dims = derate_project::extents(resolution.known());
            let known: Vec<u64> = dims.iter().flatten().copied().collect();
            if known.is_empty() || known == tensor.dims {
                continue;
            }
            let what = "has other dimensions as an argument of a kernel than in the dump";
            let place = (parameter.span, format_extents(&dims));
            let finding = new_finding("argument", Level::Warning, &tensor.name, what, place);
            found.push(finding.with_label(tensor.span, format!("{:?} here", tensor.dims)));
        }
    }
    found
}

fn format_extents(dims: &[Option<u64>]) -> String {
    let dims: Vec<String> =
        dims.iter().map(|dim| dim.map_or_else(|| "?".to_owned(), |n| n.to_string())).collect();
    format!("[{}] here", dims.join(", "))
}

/// What is unknown on either side does not disagree.
fn dims_differ(declaration: &Declaration, tensor: &Tensor) -> bool {
    tensor.shape_known
        && (declaration.dims.len() != tensor.dims.len()
            || declaration
                .dims
                .iter()
                .zip(&tensor.dims)
                .any(|(declared, dumped)| declared.is_some_and(|d| d != *dumped)))
}

fn find_other_dtypes(analysis: &Analysis, pairs: &[Pair<'_>]) -> Vec<Finding> {
    // A claim of one precision for all tensors says that the model is converted.
    let claimed = analysis.project.claims.precision.as_ref().map(|claim| claim.value);
    let level = match claimed {
        Some(ClaimedPrecision::Uniform(_)) => Level::Note,
        _ => Level::Error,
    };
    let advice = advise_quantised(analysis, pairs);
    let report = |(declaration, tensor): &Pair<'_>| {
        let dumped = tensor.dtype?;
        let place = (declaration.element_span, other_dtype(analysis, declaration, dumped)?);
        let what = "has another number format than in the dump";
        let finding = new_finding("dtype", level, &tensor.name, what, place)
            .with_label(tensor.span, format!("stored as {dumped}"));
        Some(match &advice {
            Some(advice) => finding.with_help(advice),
            None => finding,
        })
    };
    pairs.iter().filter_map(report).collect()
}

/// What to do where tensors differ in their format alone, and are declared by honest names: the model was quantised,
/// and the dump is of the one before.
fn advise_quantised(analysis: &Analysis, pairs: &[Pair<'_>]) -> Option<String> {
    if pairs.iter().any(|(declaration, tensor)| dims_differ(declaration, tensor)) {
        return None;
    }
    let mut built = Vec::new();
    for (declaration, tensor) in pairs {
        let Some(dumped) = tensor.dtype else { continue };
        if other_dtype(analysis, declaration, dumped).is_none() {
            continue;
        }
        let lies = analysis.code.aliases_of(declaration).any(|alias| alias.lie.is_some());
        let precision = *declaration.precision.as_ref().ok()?;
        if lies {
            return None;
        }
        if !built.contains(&precision) {
            built.push(precision);
        }
    }
    let claim = match built[..] {
        [] => return None,
        [one] => format!("claim that: `precision = \"{}\"` under [claims]", one.key()),
        _ => "dump the quantised model, as [claims] precision names one format for all".to_owned(),
    };
    Some(format!(
        "names and dimensions agree: if the weights are quantised on purpose, {claim}; else \
         generate the header again from the dump"
    ))
}

/// The name of an alias is believed here: another rule reports that its type differs. A declared format that the analysis
/// claims for all tensors is believed too.
fn other_dtype(
    analysis: &Analysis,
    declaration: &Declaration,
    dumped: Precision,
) -> Option<String> {
    let lie = analysis.code.aliases_of(declaration).find_map(|alias| alias.lie.as_ref());
    if let Some(lie) = lie {
        return (!promises_format(lie.claim(), dumped))
            .then(|| format!("`{}` promises {}", declaration.element, lie.claim()));
    }
    let built = *declaration.precision.as_ref().ok()?;
    let claimed = analysis.project.claims.precision.as_ref().map(|claim| claim.value);
    let expected = match claimed {
        Some(ClaimedPrecision::Uniform(precision)) => built.format() == precision.format(),
        _ => false,
    };
    (built.format() != dumped.format() && !expected)
        .then(|| format!("`{}`: {built}, {} bits", declaration.element, built.bits()))
}

/// Whether a name's promise is that number format.
fn promises_format(claim: &TypeClaim, precision: Precision) -> bool {
    let kind = match (claim.format, precision.format()) {
        (ClaimedFormat::Unspecified, _)
        | (ClaimedFormat::Int { .. }, ElementFormat::Integer { .. })
        | (ClaimedFormat::Fixed { .. }, ElementFormat::Fixed { .. }) => true,
        (ClaimedFormat::BrainFloat, _) => precision == Precision::BF16,
        (ClaimedFormat::Float, ElementFormat::Float { .. }) => precision != Precision::BF16,
        _ => false,
    };
    kind && claim.bits.is_none_or(|bits| bits == precision.bits())
}

/// Who annotates a kernel's arguments need not name every tensor.
fn find_undeclared(analysis: &Analysis, pairs: &[Pair<'_>]) -> Vec<Finding> {
    if pairs.iter().all(|(declaration, _)| declaration.annotated) {
        return Vec::new();
    }
    let declared: BTreeSet<&str> = pairs.iter().map(|(_, tensor)| tensor.name.as_str()).collect();
    let missing = analysis.shape.tensors.iter().filter(|t| !declared.contains(t.name.as_str()));
    let report = |tensor: &Tensor| {
        let place = (tensor.span, "no array is declared for it".to_owned());
        let what = "is in the dump and not in the code";
        new_finding("undeclared", Level::Warning, &tensor.name, what, place)
    };
    missing.map(report).collect()
}

/// Arrays in the same files as the tensors; a table at the top of a file is not a parameter.
fn find_undumped(analysis: &Analysis, pairs: &[Pair<'_>]) -> Vec<Finding> {
    let files: BTreeSet<_> = pairs.iter().map(|(declaration, _)| declaration.span.file).collect();
    let unknown = analysis
        .code
        .declarations
        .iter()
        .filter(|d| d.tensor.is_none() && d.path.contains('.') && files.contains(&d.span.file));
    let report = |d: &Declaration| {
        let place = (d.span, "no tensor has this path".to_owned());
        let what = "is in the code and not in the dump";
        new_finding("not-in-dump", Level::Warning, &d.path, what, place)
    };
    unknown.map(report).collect()
}
