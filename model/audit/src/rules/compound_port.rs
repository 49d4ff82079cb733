//! A memory port's element is a struct or a vector.
//!
//! ## What it does
//!
//! Resolves the element type of every `m_axi` argument and reports those that are a struct or a vector of several
//! numbers. One number in a wrapper is not reported, nor is a wide `ap_uint`.
//!
//! ## Why it matters
//!
//! The tools have missed II=1 on loops that move compound elements over `m_axi`, where a plain wide integer of the same
//! bits reaches it. A model that takes one element per cycle is then off by the interval that was reached.
//!
//! ## Example
//!
//! ```cpp
//! struct pair { float a, b; };
//! void top(const pair *in, float *out) {
//! #pragma HLS interface m_axi port=in bundle=gmem0
//! ```
//!
//! ## How to fix
//!
//! Look up the interval that the synthesis report gives for the loop. If it is not 1, move `ap_uint<N>` words over the port
//! and take them apart inside.

use derate_hls::{Function, HlsType, Resolver};
use serde::Serialize;
use serde_json::json;

use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::m_axi::m_axi_ports;
use derate_units::figures::count;

const CODE: &str = "kernel/compound-port";

#[derive(Debug, Serialize)]
struct Compound {
    port: String,
    element: String,
    bits: u64,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let functions = analysis.code.functions();
    let groups = AllowGroups::new(analysis, CODE);
    functions
        .flat_map(|function| {
            let groups =
                groups.split_allowed(find_compounds(&resolver, function), |(_, label)| label.span);
            groups.into_iter().map(|elements| make_finding(function, elements))
        })
        .collect()
}

/// The bits of a type that is made of several numbers.
fn compound_bits(kind: &HlsType) -> Option<u64> {
    match kind {
        HlsType::Struct { .. } | HlsType::Vector { .. } => {
            kind.bits().filter(|_| kind.lanes().is_none_or(|lanes| lanes > 1))
        }
        HlsType::Pointer(element) | HlsType::Array { element, .. } => compound_bits(element),
        _ => None,
    }
}

fn innermost_element(kind: &HlsType) -> &HlsType {
    match kind {
        HlsType::Pointer(inner) | HlsType::Array { element: inner, .. } => innermost_element(inner),
        other => other,
    }
}

/// The ports whose elements are made of several numbers.
fn find_compounds(resolver: &Resolver<'_>, function: &Function) -> Vec<(Compound, Label)> {
    let mut elements = Vec::new();
    for port in m_axi_ports(function) {
        let resolution = resolver.parameter(function, port.parameter);
        let Some(kind) = resolution.known() else { continue };
        let Some(bits) = compound_bits(kind) else { continue };
        let element = innermost_element(kind).to_string();
        let text = format!("elements of `{element}`, {bits} bits");
        let compound = Compound { port: port.parameter.name.clone(), element, bits };
        elements.push((compound, Label::new(port.parameter.span, text)));
    }
    elements
}

fn make_finding(function: &Function, elements: Vec<(Compound, Label)>) -> Finding {
    let (elements, labels): (Vec<Compound>, Vec<Label>) = elements.into_iter().unzip();
    let name = &function.name;
    Finding::new(CODE, Level::Note, function.qualified())
        .with_message(format!(
            "{} of `{name}` move structs \
                                        or vectors",
            count(elements.len(), "memory port")
        ))
        .with_labels(labels)
        .with_note(
            "loops over such ports have missed II=1 (UCLA-VAST/tapa, issue 100); the \
                    synthesis report has the interval",
        )
        .with_help(
            "look up the interval in the synthesis report; if it is not 1, move plain \
                    words over the port",
        )
        .with_evidence(json!({ "function": function.qualified(), "ports": elements }))
}
