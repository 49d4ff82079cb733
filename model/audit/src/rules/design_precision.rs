//! A kernel computes in another number format than is claimed.
//!
//! ## What it does
//!
//! Reads from the source of each kernel of `[[kernel]]` what its ports hold and what most of its products multiply, and
//! compares that with the kernel's own `precision`, else with `[claims] precision`. What decides is the source: a header that
//! no kernel includes does not. It reports operands of another width, and products of floating point where integers are
//! claimed. A kernel whose products are in several formats is not judged.
//!
//! ## Why it matters
//!
//! Bytes, peak and roofs follow from the format. A figure for int8 says nothing of a kernel that multiplies float.
//!
//! ## Example
//!
//! `precision = "int8"`, and a kernel whose ports are `const float *`.
//!
//! ## How to fix
//!
//! Claim what the kernel computes in, or compute in what is claimed.

use derate_units::{ElementFormat, Precision};
use serde_json::json;

use crate::{Finding, Level};
use derate_design::DesignKernel;
use derate_design::{find_design, pair_sections};
use derate_estimate::Analysis;
use derate_hls::Span;
use derate_project::{ClaimedPrecision, KernelSection};

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(design) = find_design(analysis) else { return Vec::new() };
    let judge = |(section, kernel)| judge_kernel(analysis, section, kernel);
    pair_sections(analysis, &design).filter_map(judge).collect()
}

/// What is said of the kernel, and where.
fn find_claim(analysis: &Analysis, section: &KernelSection) -> Option<(Precision, Span)> {
    if let Some(claim) = &section.precision {
        return Some((claim.value, claim.span));
    }
    let claim = analysis.project.claims.precision.as_ref()?;
    match claim.value {
        ClaimedPrecision::Uniform(precision) => Some((precision, claim.span)),
        ClaimedPrecision::AsStored => None,
    }
}

fn is_float(precision: Precision) -> bool {
    matches!(precision.format(), ElementFormat::Float { .. })
}

fn judge_kernel(
    analysis: &Analysis,
    section: &KernelSection,
    kernel: &DesignKernel,
) -> Option<Finding> {
    let (claimed, span) = find_claim(analysis, section)?;
    let formats = kernel.formats.as_ref()?;
    let operands = formats.operands.or(formats.arithmetic)?;
    // Memory pads what is claimed as it pads the type of the source.
    let is_wider = operands.number_bits() != claimed.number_bits();
    // Integers may carry the bits of a float; a float carries no integer.
    let computes_float = formats.arithmetic.is_some_and(is_float) && !is_float(claimed);
    if !is_wider && !computes_float {
        return None;
    }
    let (name, claim) = (&kernel.name, claimed.key());
    let arithmetic = formats.arithmetic.unwrap_or(operands);
    let finding = Finding::new("design/precision", Level::Error, name)
        .with_message(if is_wider {
            format!("`{name}` reads operands of {}, not of {claim}", operands.key())
        } else {
            format!("`{name}` multiplies {}, not {claim}", arithmetic.key())
        })
        .with_label(span, format!("claimed: {claim}"))
        .with_label(section.name.span, format!("its source multiplies {}", arithmetic.key()))
        .with_help("claim what the kernel computes in, or compute in what is claimed")
        .with_evidence(json!({
            "kernel": name, "claimed": claim, "operands": operands.key(),
            "arithmetic": formats.arithmetic.map(Precision::key),
        }));
    Some(finding)
}
