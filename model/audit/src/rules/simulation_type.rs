//! C simulation and hardware compute with different types.
//!
//! ## What it does
//!
//! Looks for an alias whose declarations depend on a macro that separates simulation from synthesis (`__SYNTHESIS__`,
//! `CSIM_DEBUG`) and resolve to different types. A macro that nothing defines counts as undefined; where
//! that decides, the rule reports the alias if the type in the other branch has another width: as a warning for the macros that
//! the tool sets, as a note for those that somebody would have to define. A macro of a platform, such as `SDSOC`, separates
//! one hardware from another. Where the macros of the scripts (`-D`) decide the condition, both compute with the same type, and
//! nothing is said. Declarations in files of which no source reads both are different aliases.
//!
//! ## Why it matters
//!
//! The accuracy that C simulation reports is that of one type, the hardware computes with the other. Bytes and DSPs that
//! are counted from the simulation's type are not those of the card.
//!
//! ## Example
//!
//! ```cpp
//! #ifdef __SYNTHESIS__
//! typedef ap_fixed<16, 6> data_t;
//! #else
//! typedef float data_t;
//! #endif
//! ```
//!
//! ## How to fix
//!
//! Simulate with the type of the hardware, which `ap_fixed` and `half` allow, or report both and say which one a figure
//! is from.

use derate_hls::Resolution;
use serde::Serialize;
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_project::alias_variants::{
    AliasVariants, Otherwise, declared_otherwise, find_alias_variants,
};
use derate_project::{Alternative, ResolvedAlias, When, condition_holds};

/// Parts of the names of macros that are set in simulation only, or in synthesis only.
const TOOLS: [&str; 8] =
    ["SYNTHESIS", "CSIM", "COSIM", "SIMULATION", "VITIS_HLS", "VIVADO_HLS", "HLS_SYN", "SCVERIFY"];

const NOTE: &str = "what C simulation says of accuracy holds for its own type only; bytes and DSPs are those \
     of the other";

#[derive(Debug, Serialize)]
struct Branch {
    condition: String,
    underlying: String,
}

/// Whether simulation and synthesis decide which of the declarations holds.
pub(super) fn depends_on_the_tool(twins: &AliasVariants<'_>) -> bool {
    let names_a_tool = |condition: &&str| TOOLS.iter().any(|tool| condition.contains(tool));
    twins.conditions().is_some_and(|all| all.iter().any(names_a_tool))
}

/// Whether the macros of the scripts decide, in simulation and in synthesis alike.
fn is_decided(input: &AuditInput<'_>, twins: &AliasVariants<'_>) -> bool {
    twins.all.iter().any(|(alias, _)| {
        let defined = input.defined_for(alias.alias.span.file);
        alias
            .alias
            .condition
            .as_deref()
            .is_some_and(|condition| condition_holds(condition, &defined))
    })
}

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let variants = find_alias_variants(input.code);
    let undecided = variants.iter().flat_map(|twins| twins.split_by_reader(input.code));
    let undecided = undecided.filter(depends_on_the_tool);
    let undecided = undecided.filter(|twins| !is_decided(input, twins));
    let undecided = undecided.map(|twins| make_finding(&twins));
    let others = declared_otherwise(input.code, simulation_alternative);
    undecided.chain(others.iter().map(|other| report_undefined_macro(input, other))).collect()
}

/// Whether the tool defines one of the macros, in synthesis or in simulation.
fn is_set_by_the_tool(when: &When) -> bool {
    let When::Defined(macros) = when else { return true };
    macros.iter().any(|(name, _)| name.starts_with("__"))
}

fn simulation_alternative(alias: &ResolvedAlias) -> Option<&Alternative<Resolution>> {
    let bits = alias.resolution.bits()?;
    alias.alternatives.iter().find(|one| {
        let When::Defined(macros) = &one.when else { return false };
        let of_a_tool = |(name, _): &(String, String)| TOOLS.iter().any(|tool| name.contains(tool));
        macros.iter().any(of_a_tool) && one.what.bits().is_some_and(|other| other != bits)
    })
}

fn report_undefined_macro(input: &AuditInput<'_>, (alias, other): &Otherwise<'_>) -> Finding {
    let name = alias.alias.qualified();
    let shown = |resolution: &Resolution| {
        let kind = resolution.known().map(ToString::to_string).unwrap_or_default();
        (kind, resolution.bits().unwrap_or_default())
    };
    let ((here, bits), (there, other_bits)) = (shown(&alias.resolution), shown(&other.what));
    let under = other.when.words(input.sources);
    let branches = vec![
        Branch { condition: format!("{under} is not defined"), underlying: here.clone() },
        Branch { condition: under.clone(), underlying: there.clone() },
    ];
    let (level, then) = if is_set_by_the_tool(&other.when) {
        (Level::Warning, "simulation and hardware compute with different types")
    } else {
        (Level::Note, "nothing defines it; where a simulation does, it computes with another type")
    };
    Finding::new("precision/simulation-type", level, name.clone())
        .with_message(format!("`{name}` is `{here}`, and `{there}` under `{under}`: {then}"))
        .with_label(alias.alias.span, format!("{bits} bits, as nothing defines `{under}`"))
        .with_label(other.span, format!("{other_bits} bits under `{under}`"))
        .with_note(NOTE)
        .with_help(which_type(&name))
        .with_evidence(json!({ "alias": name, "branches": branches }))
}

fn make_finding(twins: &AliasVariants<'_>) -> Finding {
    let name = &twins.name;
    let branches: Vec<Branch> = twins
        .distinct_types()
        .iter()
        .map(|(alias, kind)| Branch {
            condition: alias.alias.condition.clone().unwrap_or_default(),
            underlying: kind.to_string(),
        })
        .collect();
    let types: Vec<String> = branches.iter().map(|one| format!("`{}`", one.underlying)).collect();
    Finding::new("precision/simulation-type", Level::Warning, name.clone())
        .with_message(format!(
            "`{name}` is {} in turn: simulation and hardware compute with different types",
            types.join(" and ")
        ))
        .with_labels(twins.distinct_types().iter().zip(&branches).map(|((alias, _), one)| {
            let text = format!("`{}` if `{}`", one.underlying, one.condition);
            Label::new(alias.alias.span, text)
        }))
        .with_note(NOTE)
        .with_help(which_type(name))
        .with_evidence(json!({ "alias": name, "branches": branches }))
}

fn which_type(name: &str) -> String {
    format!(
        "simulate with the type that is synthesised, or say which one each figure of `{name}` is from"
    )
}
