//! The analysis counts other bytes for the weights than the code stores.
//!
//! ## What it does
//!
//! Adds up the bytes of all tensors three times: under the claimed precision, under the dump's dtypes, and as the
//! code's arrays are declared, down to the type behind each alias. A named precision is packed (`int4`: two to a byte), a
//! type of C++ is counted as memory lays it out (`ap_int<4>`: a byte each). Weights that a kernel of `[[kernel]]` reads are
//! stored as its source reads them. A header that nothing of the design includes stores nothing (`source/unbuilt`).
//!
//! Where no array of the code is a tensor of the dump, or no dump is named, the type alone is held against a claim of 16 bits: arrays and
//! pointers of wider floats among a kernel's arguments, and among the arguments that Allo's annotations give, are an error.
//! A kernel is a function whose interface a pragma gives, or one with other pragmas that no function calls; in a project
//! without such interfaces, any that no function calls.
//!
//! ## Why it matters
//!
//! Operational intensity is operations over bytes: a factor in the bytes is the same factor in the intensity, and in
//! the time that a memory-bound kernel takes. The two factors differ where a model mixes precisions, so both are shown.
//!
//! ## Example
//!
//! `precision = "bf16"` counts 2 bytes per element. A header whose 16-bit alias is `float` stores 4: the factor is 2.0
//! against the claim, and less against the dump if some of its tensors were FP32 all along. `gemm(float A[50][960], ...)`
//! and Allo's `A: float32[M, K]` are errors against that claim, whatever their names.
//!
//! ## How to fix
//!
//! Claim what the code stores, or store what is claimed. `precision = "as-stored"` takes each tensor as the dump says.

mod claim_fixes;
mod wide_arguments;

use std::collections::BTreeMap;

use derate_hls::{Reason, Span};
use serde_json::json;

use claim_fixes::list_fixes;

use crate::{AuditInput, Finding, Label, Level};
use derate_estimate::Analysis;
use derate_project::{Claim, ClaimedPrecision, Declaration, Project, Storage};
use derate_units::figures::{count, grouped, significant};
use derate_units::{Bytes, Precision};

/// Factors this close to 1 are not worth a finding.
const TOLERANCE: f64 = 0.01;

pub(super) fn check_project(input: &AuditInput<'_>, project: &Project) -> Vec<Finding> {
    let Some(claim) = &project.claims.precision else { return Vec::new() };
    match input.analysis {
        Some(analysis) => check_tensors(input, analysis, claim),
        // Without a dump there are no bytes to add up, only the types of arguments.
        None => wide_arguments::report_arguments(input, claim),
    }
}

/// The bytes of all tensors, or, where the code declares none, the types of arguments.
fn check_tensors(
    input: &AuditInput<'_>,
    analysis: &Analysis,
    claim: &Claim<ClaimedPrecision>,
) -> Vec<Finding> {
    let storage = Storage::claimed(claim.value, &analysis.shape);
    vec![match compare_bytes(analysis, &storage) {
        Ok(bytes) if (bytes.factor() - 1.0).abs() <= TOLERANCE => match bytes.left_out {
            Some((tensors, reason)) => {
                let reason = format!("it is unknown for {}: {reason}", count(tensors, "tensor"));
                report_unchecked(analysis, claim.span, &reason)
            }
            None => return Vec::new(),
        },
        Ok(bytes) => make_finding(analysis, claim, &storage, &bytes),
        Err(reason) => {
            let wide = wide_arguments::report_arguments(input, claim);
            if !wide.is_empty() && !analysis.is_storage_known() {
                return wide;
            }
            report_unchecked(analysis, claim.span, &reason)
        }
    }]
}

/// Bytes of the tensors that could be compared, under three readings.
struct ComparedBytes {
    claimed: Bytes,
    stored: Option<Bytes>,
    built: Bytes,
    /// How many tensors could not be compared, and why the first of them could not.
    left_out: Option<(usize, Reason)>,
}

impl ComparedBytes {
    fn factor(&self) -> f64 {
        self.built / self.claimed
    }
}

/// The sums over the tensors whose bytes are known both as claimed and as built; an error where there is none.
fn compare_bytes(analysis: &Analysis, claimed: &Storage) -> Result<ComparedBytes, Reason> {
    if !analysis.is_storage_known() {
        return Err("the code declares no tensor of the dump".into());
    }
    let (as_built, as_stored) = (analysis.built_tensors(), Storage::as_stored(&analysis.shape));
    let mut bytes = ComparedBytes {
        claimed: Bytes(0.0),
        stored: Some(Bytes(0.0)),
        built: Bytes(0.0),
        left_out: None,
    };
    for tensor in &analysis.shape.tensors {
        let sizes = || {
            let claimed = claimed.bytes_of(tensor)?;
            Ok::<_, Reason>((claimed, as_built.bytes_of(tensor)?, as_stored.bytes_of(tensor).ok()))
        };
        match sizes() {
            Ok((claimed, built, stored)) => {
                bytes.claimed = bytes.claimed + claimed;
                bytes.built = bytes.built + built;
                bytes.stored = bytes.stored.zip(stored).map(|(sum, size)| sum + size);
            }
            Err(reason) => bytes.left_out.get_or_insert((0, reason)).0 += 1,
        }
    }
    match bytes.left_out {
        Some((_, reason)) if bytes.claimed.0 <= 0.0 => Err(reason),
        None if bytes.claimed.0 <= 0.0 => Err("the dump has no element".into()),
        _ => Ok(bytes),
    }
}

/// Whether an array is declared for a tensor, and what one of its elements takes is not known.
fn has_unknown_format(declaration: &Declaration) -> bool {
    declaration.tensor.is_some() && declaration.precision.is_err()
}

/// Sources that were given and do not say are worth a warning.
fn report_unchecked(analysis: &Analysis, claim: Span, reason: &str) -> Finding {
    // Where kernels are described, those that are not are another rule's.
    let given = !analysis.project.hls.sources.is_empty() && analysis.built.is_empty();
    Finding::new(
        "precision/assumed-bytes",
        if given { Level::Warning } else { Level::Note },
        "claims.precision",
    )
    .with_message(format!("the bytes that the analysis counts cannot be checked: {reason}"))
    .with_label(claim, "not checked against the code")
    .with_help(
        if analysis.code.declarations.iter().any(has_unknown_format) {
            "declare the arrays with the extents of the dump, or give the dump that they were \
             made from; one that packs several elements into a word cannot be counted"
        } else {
            "give the headers that declare every tensor of the dump under [hls] sources"
        }
        .to_owned(),
    )
    .with_evidence(json!({ "unknown": reason }))
}

fn make_finding(
    analysis: &Analysis,
    claim: &Claim<ClaimedPrecision>,
    storage: &Storage,
    bytes: &ComparedBytes,
) -> Finding {
    let (claimed, built, factor) = (bytes.claimed, bytes.built, bytes.factor());
    let mut notes = vec![format!(
        "claimed ({}): {} B; as built: {} B, {}x",
        storage.name(),
        grouped(claimed.0),
        grouped(built.0),
        significant(factor, 6)
    )];
    if let Some(stored) = bytes.stored {
        notes.push(format!(
            "the dump's own dtypes: {} B, so {}x against the model as it is stored",
            grouped(stored.0),
            significant(built / stored, 6)
        ));
    }
    if let Some((tensors, reason)) = &bytes.left_out {
        notes.push(format!(
            "{} not counted: {reason}",
            if *tensors == 1 { "1 tensor is".to_owned() } else { format!("{tensors} tensors are") }
        ));
    }
    let mut labels = vec![Label::new(claim.span, format!("{} B of weights", grouped(claimed.0)))];
    labels.extend(find_culprit(analysis, storage));
    Finding::new("precision/assumed-bytes", Level::Error, "claims.precision")
        .with_message(format!(
            "the analysis counts {} B of weights, the code stores {} B: {}x",
            grouped(claimed.0),
            grouped(built.0),
            significant(factor, 6)
        ))
        .with_labels(labels)
        .with_notes(notes)
        .with_help(advise_padding(analysis, storage).unwrap_or_else(|| {
            "claim the precision that the code stores, or change the type behind the alias"
                .to_owned()
        }))
        .with_evidence(json!({
            "claimed_precision": storage.name(),
            "bytes_claimed": claimed,
            "bytes_as_stored": bytes.stored,
            "bytes_as_built": built,
            "factor_against_claim": factor,
            "factor_against_dump": bytes.stored.map(|stored| built / stored),
        }))
        .with_fixes(list_fixes(analysis, claim, claimed))
}

/// What to do where the numbers are as wide as claimed, and memory pads them.
fn advise_padding(analysis: &Analysis, claimed: &Storage) -> Option<String> {
    let (claimed, built) = analysis.code.declarations.iter().find_map(|declaration| {
        let claimed = claimed.precision_of(declaration.tensor.as_deref()?).ok()?;
        let built = declaration.precision.clone().ok()?;
        let same = claimed.number_bits() == built.number_bits() && claimed.bits() < built.bits();
        same.then_some((claimed, built))
    })?;
    Some(format!(
        "claim precision = \"{}\", as C++ lays out {} bits in {}; or pack {} to a byte in a \
         wider word, and say so with an array of those",
        built.key(),
        built.number_bits(),
        built.bits(),
        8 / claimed.bits().clamp(1, 8)
    ))
}

/// The type behind most of the difference, at the declaration that makes it so.
fn find_culprit(analysis: &Analysis, claimed: &Storage) -> Option<Label> {
    let mut places: BTreeMap<Span, (usize, Precision)> = BTreeMap::new();
    for declaration in &analysis.code.declarations {
        let Some(tensor) = &declaration.tensor else { continue };
        let (Ok(built), Ok(claimed)) = (&declaration.precision, claimed.precision_of(tensor))
        else {
            continue;
        };
        if built.bits() != claimed.bits() {
            let place = declaration.hops.first().copied().unwrap_or(declaration.element_span);
            places.entry(place).or_insert((0, *built)).0 += 1;
        }
    }
    let (span, (tensors, precision)) =
        places.into_iter().max_by_key(|(_, (tensors, _))| *tensors)?;
    Some(Label::new(
        span,
        format!(
            "{}: {}, {} bits per element",
            count(tensors, "tensor"),
            precision.in_memory(),
            precision.bits()
        ),
    ))
}
