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

use derate_hls::{ClaimedFormat, Resolver, TypeClaim};
use serde_json::json;

use crate::{Finding, Label, Level};
use derate_dump::Tensor;
use derate_estimate::Analysis;
use derate_machine::m_axi::m_axi_ports;
use derate_project::{ClaimedPrecision, Declaration};
use derate_units::figures::count;
use derate_units::{ElementFormat, Precision};

/// So many tensors are named in a sentence.
const NAMED: usize = 3;

/// A sort of disagreement.
struct MismatchKind {
    name: &'static str,
    /// What the tensors have or are, behind their number.
    verb: [&'static str; 2],
    what: &'static str,
    level: Level,
}

/// A tensor, the place that disagrees, and what it disagrees with.
type Mismatch = (String, Label, Option<Label>);

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let code = &analysis.code;
    let argument = MismatchKind {
        name: "argument",
        verb: HAVE,
        what: "other dimensions as an argument of a kernel than in the dump",
        level: Level::Warning,
    };
    let arguments = make_finding(&argument, other_arguments(analysis));
    if !code.declares_tensors() {
        return arguments.into_iter().collect();
    }
    let pairs: Vec<(&Declaration, &Tensor)> = code
        .declarations
        .iter()
        .filter_map(|d| Some((d, analysis.shape.get(d.tensor.as_deref()?)?)))
        .collect();
    let dims = MismatchKind {
        name: "dimensions",
        verb: HAVE,
        what: "other dimensions than in the dump",
        level: Level::Error,
    };
    let undeclared = MismatchKind {
        name: "undeclared",
        verb: ARE,
        what: "in the dump and not in the code",
        level: Level::Warning,
    };
    let extra = MismatchKind {
        name: "not-in-dump",
        verb: ARE,
        what: "in the code and not in the dump",
        level: Level::Warning,
    };
    [
        make_finding(&dims, other_dimensions(&pairs)),
        make_finding(&dtype_kind(analysis), other_dtypes(analysis, &pairs)).map(|found| Finding {
            help: advise_quantised(analysis, &pairs).unwrap_or_else(|| found.help.clone()),
            ..found
        }),
        make_finding(&undeclared, not_declared(analysis, &pairs)),
        make_finding(&extra, not_dumped(analysis, &pairs)),
        arguments,
    ]
    .into_iter()
    .flatten()
    .collect()
}

const HAVE: [&str; 2] = ["has", "have"];
const ARE: [&str; 2] = ["is", "are"];

/// A claim of one precision for all tensors says that the model is converted: a format other than the dump's is a note.
fn dtype_kind(analysis: &Analysis) -> MismatchKind {
    let converted = matches!(analysis.project.claims.precision, Some(ref c) if matches!(c.value, ClaimedPrecision::Uniform(_)));
    let level = if converted { Level::Note } else { Level::Error };
    MismatchKind {
        name: "dtype",
        verb: HAVE,
        what: "another number format than in the dump",
        level,
    }
}

/// What to do where tensors differ in their format alone, and are declared by honest names: the model was quantised,
/// and the dump is of the one before.
fn advise_quantised(analysis: &Analysis, pairs: &[(&Declaration, &Tensor)]) -> Option<String> {
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

fn other_dimensions(pairs: &[(&Declaration, &Tensor)]) -> Vec<Mismatch> {
    pairs
        .iter()
        .filter(|(d, t)| dims_differ(d, t))
        .map(|(d, t)| {
            (
                t.name.clone(),
                Label::new(d.span, format_extents(&d.dims)),
                Some(Label::new(t.span, format!("{:?} here", t.dims))),
            )
        })
        .collect()
}

/// Ports to memory that have the name of one tensor, and extents of their own or of their alias. What a kernel takes in
/// tiles has a smaller array of another name; an open extent is a pointer and says nothing.
fn other_arguments(analysis: &Analysis) -> Vec<Mismatch> {
    let headers = analysis.code.headers();
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let mut tensors: BTreeMap<String, Option<&Tensor>> = BTreeMap::new();
    for tensor in &analysis.shape.tensors {
        let flat = tensor.name.replace('.', "_");
        tensors.entry(flat).and_modify(|known| *known = None).or_insert(Some(tensor));
    }
    let mut cases = Vec::new();
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
            cases.push((
                tensor.name.clone(),
                Label::new(parameter.span, format_extents(&dims)),
                Some(Label::new(tensor.span, format!("{:?} here", tensor.dims))),
            ));
        }
    }
    cases
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

fn other_dtypes(analysis: &Analysis, pairs: &[(&Declaration, &Tensor)]) -> Vec<Mismatch> {
    pairs
        .iter()
        .filter_map(|(declaration, tensor)| {
            let dumped = tensor.dtype?;
            let text = other_dtype(analysis, declaration, dumped)?;
            let dump = Label::new(tensor.span, format!("stored as {dumped}"));
            Some((tensor.name.clone(), Label::new(declaration.element_span, text), Some(dump)))
        })
        .collect()
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
fn not_declared(analysis: &Analysis, pairs: &[(&Declaration, &Tensor)]) -> Vec<Mismatch> {
    if pairs.iter().all(|(declaration, _)| declaration.annotated) {
        return Vec::new();
    }
    let declared: BTreeSet<&str> = pairs.iter().map(|(_, tensor)| tensor.name.as_str()).collect();
    let missing = analysis.shape.tensors.iter().filter(|t| !declared.contains(t.name.as_str()));
    missing
        .map(|t| (t.name.clone(), Label::new(t.span, "no array is declared for it"), None))
        .collect()
}

/// Arrays in the same files as the tensors; a table at the top of a file is not a parameter.
fn not_dumped(analysis: &Analysis, pairs: &[(&Declaration, &Tensor)]) -> Vec<Mismatch> {
    let files: BTreeSet<_> = pairs.iter().map(|(declaration, _)| declaration.span.file).collect();
    let unknown = analysis
        .code
        .declarations
        .iter()
        .filter(|d| d.tensor.is_none() && d.path.contains('.') && files.contains(&d.span.file));
    unknown.map(|d| (d.path.clone(), Label::new(d.span, "no tensor has this path"), None)).collect()
}

/// One finding for all tensors of a kind, with the first of them labelled.
fn make_finding(kind: &MismatchKind, cases: Vec<Mismatch>) -> Option<Finding> {
    let (first, offender, other) = cases.first()?.clone();
    let tensors: Vec<String> = cases.into_iter().map(|(tensor, ..)| tensor).collect();
    let mut named =
        tensors.iter().take(NAMED).map(|t| format!("`{t}`")).collect::<Vec<_>>().join(", ");
    if tensors.len() > NAMED {
        named.push_str(", ...");
    }
    let [one, many] = kind.verb;
    Some(
        Finding::new("shape/mismatch", kind.level, first)
            .with_message(format!(
                "{} {} {}",
                count(tensors.len(), "tensor"),
                if tensors.len() == 1 { one } else { many },
                kind.what
            ))
            .with_labels(std::iter::once(offender).chain(other))
            .with_note(named)
            .with_help(
                "generate the header again from the dump, or give the dump that it was made from",
            )
            .with_evidence(json!({ "kind": kind.name, "tensors": tensors })),
    )
}
