//! An alias is wider or narrower than its name or its comment promises.
//!
//! ## What it does
//!
//! Resolves every alias of the code to the type behind it and compares its width with the one that its name
//! (`bfloat16_t`) or the comment beside it ("16-bit") promises. It counts the tensors that are declared with the alias
//! and the bytes that they take. A wider type is no finding where the comment beside or above says `at least`, nor is an
//! integer of which it says that it holds floating point in software.
//!
//! Where no `derate.toml` names the files, only those that a kernel is compiled from count: `long` of a processor's
//! header may have 32 bits. An alias that nothing in the design uses is a note there, and so is one of a design without a known kernel, and one whose
//! file has a definition that keeps the promise as a comment. One that takes the memory that its name promises, as 32
//! bits for `float24_t`, is a warning. What several files say of one name is one finding.
//!
//! ## Why it matters
//!
//! Whoever counts bytes by the name is off by the same factor in every operational intensity, and a kernel that was
//! drawn right of the ridge point may be left of it. A reviewer finds the line in a minute.
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
//! has: `precision = "fp32"` under `[claims]`. `derate audit --fix=code` does the first, `--fix=claim` the second.

mod promised_type;

pub(super) use promised_type::{promised_type, retype_edits};

use derate_hls::ClaimSource;
use serde_json::json;

use crate::AuditInput;
use crate::alias_use::explain_unused;
use crate::{Finding, Label, Level};
use derate_estimate::scenario::derived_peaks;
use derate_project::alias_variants::find_open_choice;
use derate_project::{ClaimedPrecision, Declaration, ResolvedAlias};
use derate_units::figures::{grouped, significant};
use derate_units::{Bytes, Precision};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reach = input.reach();
    let reached = input.code.aliases.iter().filter(|alias| reach.has(alias.alias.span.file));
    reached.filter_map(|alias| make_finding(input, alias)).collect()
}

/// What the tensors take, by the alias's promise and as built.
#[derive(Default)]
struct Weight {
    using: usize,
    others: usize,
    /// Declared with the alias, and with something else too: of no known size.
    without_size: usize,
    declared: Bytes,
    built: Bytes,
    using_declared: Bytes,
    using_built: Bytes,
}

/// Types take whole powers of two of bytes in memory.
fn memory_bits(bits: u32) -> u32 {
    bits.max(8).next_power_of_two()
}

/// Bytes of one declaration if each element took `bits`; nothing where an extent is unknown.
fn bytes_at_width(declaration: &Declaration, bits: u32) -> Option<Bytes> {
    let elements =
        declaration.dims.iter().try_fold(1_u64, |product, dim| product.checked_mul((*dim)?))?;
    Some(Bytes(elements as f64 * f64::from(bits) / 8.0))
}

impl Weight {
    /// What cannot be sized is in no sum.
    fn of(input: &AuditInput<'_>, alias: &ResolvedAlias, claimed_bits: u32) -> Self {
        let all = !input.code.declares_tensors();
        let mut weight = Self::default();
        for declaration in input.code.declarations.iter().filter(|d| all || d.tensor.is_some()) {
            let built = declaration
                .precision
                .as_ref()
                .ok()
                .and_then(|p| bytes_at_width(declaration, p.bits()));
            let Some(built) = built else {
                weight.without_size += usize::from(declaration.goes_through(alias));
                continue;
            };
            let promised = bytes_at_width(declaration, memory_bits(claimed_bits))
                .filter(|_| declaration.goes_through(alias));
            weight.built = weight.built + built;
            weight.declared = weight.declared + promised.unwrap_or(built);
            if let Some(promised) = promised {
                weight.using += 1;
                weight.using_built = weight.using_built + built;
                weight.using_declared = weight.using_declared + promised;
            } else {
                weight.others += 1;
            }
        }
        weight
    }

    /// What is built over what is promised; nothing where no tensor is declared with the alias.
    fn factor(&self) -> Option<f64> {
        (self.using > 0).then(|| self.built / self.declared)
    }

    fn oi_factor(&self) -> Option<f64> {
        (self.using > 0).then(|| self.using_declared / self.using_built)
    }

    /// Why the whole does not grow as the alias does.
    fn why_not_the_ratio_of_widths(&self) -> Option<String> {
        let widths = self.using_built / self.using_declared;
        (self.using > 0 && self.others > 0).then(|| {
            format!(
                "not {}x in all: {} declared with other types and keep their width",
                significant(widths, 6),
                if self.others == 1 {
                    "1 tensor is".to_owned()
                } else {
                    format!("{} tensors are", self.others)
                }
            )
        })
    }

    fn describe(&self) -> Vec<String> {
        let (Some(factor), Some(oi_factor)) = (self.factor(), self.oi_factor()) else {
            return vec![match self.without_size {
                0 => "no tensor is declared with it".to_owned(),
                n => format!(
                    "{} declared with it, of no known size",
                    if n == 1 { "1 tensor is".to_owned() } else { format!("{n} tensors are") }
                ),
            }];
        };
        let mut notes = vec![format!(
            "{} declared with it: {} B in all by its name, {} B as built, {}x",
            if self.using == 1 {
                "1 tensor is".to_owned()
            } else {
                format!("{} tensors are", self.using)
            },
            grouped(self.declared.0),
            grouped(self.built.0),
            significant(factor, 6),
        )];
        notes.extend(self.why_not_the_ratio_of_widths());
        notes.push(format!(
            "the operational intensity of a kernel on this type alone is {} of what its name gives",
            significant(oi_factor, 4)
        ));
        notes
    }
}

/// Says that the derived peak is unknown once the alias is fixed, where the cost of the promised arithmetic is unknown.
fn note_unknown_cost(input: &AuditInput<'_>, promised: &str) -> Option<String> {
    let (precision, analysis) = (Precision::parse(promised)?, input.analysis?);
    derived_peaks(analysis, precision).is_empty().then(|| {
        format!(
            "no cost of a multiply-add in {precision} is known on {}: once the alias holds \
             {precision}, the peak that can be built is unknown until [design] gives \
             `dsp_per_mac = {{ {} = ... }}`",
            analysis.platform.name,
            precision.toml_key()
        )
    })
}

/// Where the analysis counts with the promised width.
fn claim_label(input: &AuditInput<'_>, claimed_bits: u32) -> Option<Label> {
    let claim = input.project?.claims.precision.as_ref()?;
    let text = match claim.value {
        ClaimedPrecision::Uniform(precision) if precision.bits() == memory_bits(claimed_bits) => {
            format!("the analysis counts {claimed_bits} bits per element here")
        }
        ClaimedPrecision::Uniform(_) => return None,
        ClaimedPrecision::AsStored => "the analysis counts each tensor as the dump says".to_owned(),
    };
    Some(Label::new(claim.span, text))
}

/// Whether a name of floating point is given to a fixed-point type: no width of that keeps what the name says.
fn is_fixed_float(promised: &str, underlying: &str) -> bool {
    let is_float =
        ["float", "fp", "bf", "half", "double"].iter().any(|one| promised.starts_with(one));
    is_float && ["ap_fixed", "ap_ufixed", "ac_fixed"].iter().any(|one| underlying.starts_with(one))
}

fn make_finding(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<Finding> {
    let (claim, bits) = alias.broken_width()?;
    let claimed_bits = claim.bits?;
    let underlying = alias.resolution.known().map(ToString::to_string)?;
    let weight = Weight::of(input, alias, claimed_bits);
    let name = &alias.alias.name;
    let mut labels = vec![Label::new(alias.alias.span, format!("{bits} bits: `{underlying}`"))];
    labels.extend(claim_label(input, claimed_bits).filter(|_| weight.using > 0));
    let mut notes = weight.describe();
    notes.extend(note_unknown_cost(input, &claim.text));
    let open = find_open_choice(input.sources, alias);
    let unused = explain_unused(input, alias);
    let level = match (&open, &claim.source) {
        _ if open.is_some() || unused.is_some() => Level::Note,
        // It takes the memory that its name promises.
        _ if u64::from(memory_bits(claimed_bits)) == bits.max(8).next_power_of_two() => {
            Level::Warning
        }
        (_, ClaimSource::Name) => Level::Error,
        _ => Level::Warning,
    };
    notes.extend(open);
    notes.extend(unused);
    Some(
        Finding::new("precision/alias-width", level, alias.alias.qualified())
        .with_message(format!(
            "`{name}` has {bits} bits, not the {claimed_bits} of `{}`",
            claim.text
        ))
        .with_labels(labels)
        .with_notes(notes)
        .with_help(if is_fixed_float(&claim.text, &underlying) {
            format!(
                "rename `{name}`: it is a fixed-point type of {bits} bits; count with these under [claims] precision"
            )
        } else {
            format!(
                "make `{name}` a {claimed_bits}-bit type, or count with the {bits} bits that it has \
                 under [claims] precision"
            )
        })
        .with_evidence(json!({
            "alias": alias.alias.qualified(),
            "underlying": underlying,
            "claimed_bits": claimed_bits,
            "bits": bits,
            "tensors": weight.using,
            "other_tensors": weight.others,
            "bytes_declared": weight.declared,
            "bytes_as_built": weight.built,
            "factor": weight.factor(),
            "oi_factor": weight.oi_factor(),
            "why_not_the_ratio_of_widths": weight.why_not_the_ratio_of_widths(),
        }))
        .with_fix(promised_type::make_fix(input, alias)),
    )
}
