//! An alias's name promises another kind of number than its type holds.
//!
//! ## What it does
//!
//! Resolves every alias and compares the kind of number that its name promises (`fp16_t`, `bfloat16_t`, `int8_t`) with
//! the one that it holds, where the width is as promised. A number that counts elements (`float16`, a vector of sixteen)
//! is not reported, nor is raw storage of the promised width. A name that says `uint16` or `u16_t` and nothing else promises
//! that there is no sign; `int8` over unsigned bytes is not reported.
//!
//! The width is right, so the finding is a warning; declarations of one alias that are alike are one finding.
//!
//! A type that a build may not have is a note: its branch is undecided, or a macro that nothing defines gives the promised one.
//!
//! Where no `derate.toml` names the files, only those that a kernel is compiled from count: `long` of a processor's
//! header may have 32 bits. An alias that nothing in the design uses is a note there, and so is one of a design
//! without a known kernel, one whose file has a type that keeps the promise as a comment (`// typedef ap_fixed<32, 16> fixed_t;`: a switch),
//! one that is what its name promises in the step beside it, in a file of the same name with two thirds of its lines,
//! and a word of 128 bits or more that has another sign alone, and is only cut, copied and compared for equality with others of its type. So is a name that promises only to be
//! alike: `like_float`, `float_like`, `pseudo_float`.
//!
//! ## Why it matters
//!
//! The bytes are right, the numbers are not: range, rounding, DSP cost and accumulation interval are those of the type
//! behind the name. An accuracy that was measured in FP16 says nothing about a kernel in fixed point, and a peak for FP16
//! operators is not its peak.
//!
//! ## Example
//!
//! ```cpp
//! using fp16_t = ap_fixed<16, 6>; // 16 bits, but from -32 to 32 in steps of 2^-10
//! ```
//!
//! ## How to fix
//!
//! Name the alias after what it is (`fixed16_6_t`), or make it what its name says (`half`, `ap_float<16, 8>`), and count
//! DSPs and accuracy for that type.

use derate_hls::{ClaimedFormat, Lie, NumberKind, ScalarType, TypeClaim};
use serde_json::json;

use crate::AuditInput;
use crate::alias_use::explain_unused;
use crate::{Finding, Label, Level};
use derate_project::ResolvedAlias;
use derate_project::alias_variants::find_open_choice;

/// Words of a name that promise something like a number, and not the number.
const ALIKE: [&str; 6] = ["like", "pseudo", "quasi", "fake", "emulated", "emu"];

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reach = input.reach();
    let reached = input.code.aliases.iter().filter(|alias| reach.has(alias.alias.span.file));
    reached.filter_map(|alias| make_finding(input, alias)).collect()
}

/// The range of a fixed-point number, and the cost of its arithmetic, in words.
fn describe_format(actual: ScalarType, claim: &TypeClaim) -> Vec<String> {
    if actual.kind() == NumberKind::Integer && matches!(claim.format, ClaimedFormat::Int { .. }) {
        return vec![
            "it has a sign: its largest value is about half of what the name promises, \
                     and half of all patterns are negative"
                .to_owned(),
        ];
    }
    let claimed = &claim.text;
    let kind = match actual.kind() {
        NumberKind::Float => "floating",
        NumberKind::Fixed => "fixed",
        NumberKind::Integer => "integer",
    };
    let mut notes = Vec::new();
    if let ScalarType::Fixed { width, integer, signed, .. } = actual {
        let fraction = i64::from(width) - i64::from(integer);
        notes.push(if signed {
            let top = i64::from(integer) - 1;
            format!("it holds -2^{top} to just below 2^{top}, in steps of 2^{}", -fraction)
        } else {
            format!("it holds 0 to just below 2^{integer}, in steps of 2^{}", -fraction)
        });
    }
    let arithmetic = if kind == "integer" { "integer" } else { &format!("{kind}-point") };
    notes.push(format!(
        "its operators are {arithmetic} ones: DSPs, latency and rounding are not those of {claimed}"
    ));
    notes
}

/// `byte`, `half`, `word`: half a word, where the file declares one of the others, too.
fn is_half_word(input: &AuditInput<'_>, alias: &ResolvedAlias) -> bool {
    let words = ["byte", "word", "ubyte", "uword", "dword", "BYTE", "WORD", "DWORD"];
    let name = alias.alias.name.to_ascii_lowercase();
    let beside = |one: &ResolvedAlias| {
        one.alias.span.file == alias.alias.span.file && words.contains(&one.alias.name.as_str())
    };
    matches!(name.as_str(), "half" | "uhalf") && input.code.aliases.iter().any(beside)
}

fn make_finding(input: &AuditInput<'_>, alias: &ResolvedAlias) -> Option<Finding> {
    if is_half_word(input, alias) {
        return None;
    }
    let Some(Lie::Format { claim, actual, bits }) = &alias.lie else { return None };
    let (name, claimed) = (&alias.alias.name, &claim.text);
    let underlying = actual.to_string();
    let tensors = input
        .code
        .declarations
        .iter()
        .filter(|d| d.tensor.is_some() && d.goes_through(alias))
        .count();
    let mut labels = vec![Label::new(alias.alias.span, format!("`{underlying}`, not `{claimed}`"))];
    labels.extend(
        alias
            .resolution
            .hops
            .iter()
            .skip(1)
            .filter(|hop| hop.span != alias.alias.span)
            .map(|hop| Label::new(hop.span, format!("`{}` is `{}`", hop.name, hop.spelling))),
    );
    let mut all = describe_format(*actual, claim);
    if tensors > 0 {
        all.push(format!("{} declared with it", derate_units::figures::count(tensors, "tensor")));
    }
    let open = find_open_choice(input.sources, alias);
    let unused = explain_unused(input, alias);
    let is_alike = name.split('_').any(|word| ALIKE.contains(&word.to_ascii_lowercase().as_str()));
    let alike = is_alike.then(|| format!("the name promises something like {claimed} alone"));
    let is_note = open.is_some() || unused.is_some() || is_alike;
    let level = if is_note { Level::Note } else { Level::Warning };
    all.extend(alike);
    all.extend(open);
    all.extend(unused);
    let message = format!("`{name}` is `{underlying}` and holds other numbers than `{claimed}`");
    let at = alias.alias.span;
    let place = format!("`{}:{}`", input.sources.name(at.file), input.sources.line(at));
    Some(
        Finding::new("precision/alias-format", level, alias.alias.qualified())
            .with_cause(&message, place, 0.0)
            .with_message(message)
            .with_labels(labels)
            .with_notes(all)
            .with_help(format!(
                "rename `{name}` after what it is, or make it the type that its name promises"
            ))
            .with_evidence(json!({
                "alias": alias.alias.qualified(),
                "claimed": claimed,
                "underlying": underlying,
                "bits": *bits,
                "tensors": tensors,
            })),
    )
}
