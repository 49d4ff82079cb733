//! An alias is wider or narrower than its name or its comment promises.
//!
//! ## What it does
//!
//! Resolves every alias of the code to the type behind it and compares its width with the one that its name
//! (`bfloat16_t`) or the comment beside it ("16-bit") promises. It counts the tensors that are declared with the alias
//! and the bytes that they take.
//!
//! ## Why it matters
//!
//! Whoever counts bytes by the name is off by the same factor in every operational intensity, and a kernel that was
//! drawn right of the ridge point may stand left of it. A reviewer finds the line in a minute.
//!
//! ## Example
//!
//! ```cpp
//! using bfloat16_t = float; // 16-bit brain floating point
//! ```
//!
//! ## How to fix
//!
//! Either make the alias what it says (`ap_float<16, 8>`, or `half` if FP16 will do), or count with the width that it
//! has: `precision = "fp32"` under `[claims]`. `derate audit --fix code` does the first, `--fix claim` the second.

mod truth;

pub(super) use truth::{edits as true_type, truth};

use std::collections::BTreeSet;

use derate_hls::{ClaimSource, HlsType, Lie, TypeClaim, claims_of};
use serde::Serialize;

use super::evidence;
use crate::audit::{Finding, Label, Level};
use crate::present::figures::{count, grouped, significant};
use crate::{Analysis, Bytes, ClaimedPrecision, Declaration, ResolvedAlias};

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct AliasWidth {
    alias: String,
    underlying: String,
    claimed_bits: u32,
    bits: u64,
    tensors: usize,
    other_tensors: usize,
    bytes_declared: Bytes,
    bytes_as_built: Bytes,
    factor: f64,
    oi_factor: f64,
    why_not_the_ratio_of_widths: Option<String>,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    analysis.code.aliases.iter().filter_map(|alias| finding(analysis, alias)).collect()
}

/// Bytes of one declaration if each element took `bits`; nothing where an extent is unknown.
fn bytes(declaration: &Declaration, bits: u64) -> Option<Bytes> {
    let elements =
        declaration.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul((*dim)?))?;
    Some(Bytes(elements as f64 * bits as f64 / 8.0))
}

/// The promise that is not kept, and the width that the type has. A name is a promise; a comment may merely be old, and
/// may speak of something else, so only a plain number with one width in its comment counts, as a warning.
fn promise(alias: &ResolvedAlias) -> Option<(TypeClaim, u64, Level)> {
    match &alias.lie {
        Some(Lie::Width { claim, bits, .. }) => return Some((claim.clone(), *bits, Level::Error)),
        Some(_) => return None,
        None => {}
    }
    let HlsType::Scalar(scalar) = alias.resolution.known()? else { return None };
    let claims = claims_of(&alias.alias);
    let widths: BTreeSet<u32> = claims.iter().filter_map(|claim| claim.bits).collect();
    let bits = u64::from(scalar.bits());
    let [claim] = claims
        .iter()
        .filter(|c| matches!(c.source, ClaimSource::Comment(_)))
        .collect::<Vec<_>>()[..]
    else {
        return None;
    };
    // A carrier of several elements is wider than each of them.
    let contradicts = widths.len() == 1 && !widths.contains(&scalar.bits()) && bits <= 64;
    contradicts.then(|| (claim.clone(), bits, Level::Warning))
}

fn finding(analysis: &Analysis, alias: &ResolvedAlias) -> Option<Finding> {
    let (claim, bits, level) = promise(alias)?;
    let claimed_bits = claim.bits?;
    let underlying = alias.resolution.known().map(ToString::to_string)?;
    let code = &analysis.code;
    let tensors: Vec<&Declaration> = code
        .declarations
        .iter()
        .filter(|d| d.tensor.is_some() || !code.declares_tensors())
        .collect();
    let uses = |d: &Declaration| d.hops.iter().any(|hop| alias.is_at(*hop));
    let (mut declared, mut built, mut using) = (Bytes(0.0), Bytes(0.0), 0);
    for declaration in &tensors {
        // What cannot be sized is in neither sum.
        let Ok(precision) = &declaration.precision else { continue };
        let Some(size) = bytes(declaration, u64::from(precision.bits())) else { continue };
        built = built + size;
        if uses(declaration) {
            using += 1;
            declared = declared + bytes(declaration, u64::from(claimed_bits))?;
        } else {
            declared = declared + size;
        }
    }
    let others = tensors.len() - using;
    let widths = bits as f64 / f64::from(claimed_bits);
    let why = (using > 0 && others > 0).then(|| {
        format!(
            "not {}x in all: {} declared with other types and keep their width",
            significant(widths, 6),
            if others == 1 { "1 tensor is".to_owned() } else { format!("{others} tensors are") }
        )
    });
    let name = &alias.alias.name;
    let mut notes = Vec::new();
    if using > 0 {
        notes.push(format!(
            "{} are declared with it: {} B in all by its name, {} B as built, {}x",
            count(using, "tensor"),
            grouped(declared.0),
            grouped(built.0),
            significant(built / declared, 6),
        ));
        notes.extend(why.clone());
        notes.push(format!(
            "the operational intensity of a kernel on this type alone is {} of what its name gives",
            significant(1.0 / widths, 4)
        ));
    } else {
        notes.push("no tensor is declared with it".to_owned());
    }
    let mut labels = vec![Label::new(alias.alias.span, format!("{bits} bits: `{underlying}`"))];
    if let Some(claim) = &analysis.project.claims.precision
        && matches!(claim.value, ClaimedPrecision::AsStored | ClaimedPrecision::Uniform(_))
        && using > 0
    {
        labels.push(Label::new(
            claim.span,
            format!("the analysis counts {claimed_bits} bits per element here"),
        ));
    }
    Some(Finding {
        code: "precision/alias-width",
        level,
        subject: alias.alias.qualified(),
        message: format!("`{name}` has {bits} bits, not the {claimed_bits} of `{}`", claim.text),
        labels,
        notes,
        help: format!(
            "make `{name}` a {claimed_bits}-bit type, or count with the {bits} bits that it has under [claims] precision"
        ),
        evidence: evidence(&AliasWidth {
            alias: alias.alias.qualified(),
            underlying,
            claimed_bits,
            bits,
            tensors: using,
            other_tensors: others,
            bytes_declared: declared,
            bytes_as_built: built,
            factor: built / declared,
            oi_factor: 1.0 / widths,
            why_not_the_ratio_of_widths: why,
        }),
        fixes: vec![truth::fix(analysis, alias)],
    })
}
