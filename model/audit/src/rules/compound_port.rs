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

use super::evidence;
use crate::apart::Apart;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::m_axi::ports;
use derate_units::figures::count;

const CODE: &str = "kernel/compound-port";

/// What the finding stands on.
#[derive(Debug, Serialize)]
struct CompoundPort {
    function: String,
    ports: Vec<Compound>,
}

#[derive(Debug, Serialize)]
struct Compound {
    port: String,
    element: String,
    bits: u64,
}

/// See the module's page.
pub(super) fn check(analysis: &Analysis) -> Vec<Finding> {
    let resolver = Resolver::new(analysis.code.all_headers(), &analysis.sources);
    let functions = analysis.code.headers().iter().flat_map(|header| &header.functions);
    let apart = Apart::new(analysis, CODE);
    functions
        .flat_map(|function| {
            let groups = apart.groups(elements(&resolver, function), |(_, label)| label.span);
            groups.into_iter().map(|elements| finding(function, elements))
        })
        .collect()
}

/// The bits of a type that is made of several numbers.
fn compound(kind: &HlsType) -> Option<u64> {
    match kind {
        HlsType::Struct { .. } | HlsType::Vector { .. } => {
            kind.bits().filter(|_| kind.lanes().is_none_or(|lanes| lanes > 1))
        }
        HlsType::Pointer(element) | HlsType::Array { element, .. } => compound(element),
        _ => None,
    }
}

fn element(kind: &HlsType) -> &HlsType {
    match kind {
        HlsType::Pointer(inner) | HlsType::Array { element: inner, .. } => element(inner),
        other => other,
    }
}

/// The ports whose elements are made of several numbers.
fn elements(resolver: &Resolver<'_>, function: &Function) -> Vec<(Compound, Label)> {
    let mut elements = Vec::new();
    for port in ports(function) {
        let resolution = resolver.parameter(function, port.parameter);
        let Some(kind) = resolution.known() else { continue };
        let Some(bits) = compound(kind) else { continue };
        let element = element(kind).to_string();
        let text = format!("elements of `{element}`, {bits} bits");
        let compound = Compound { port: port.parameter.name.clone(), element, bits };
        elements.push((compound, Label::new(port.parameter.span, text)));
    }
    elements
}

fn finding(function: &Function, elements: Vec<(Compound, Label)>) -> Finding {
    let (elements, labels): (Vec<Compound>, Vec<Label>) = elements.into_iter().unzip();
    let name = &function.name;
    Finding {
        code: CODE,
        level: Level::Note,
        subject: function.qualified(),
        message: format!("{} of `{name}` move structs or vectors", count(elements.len(), "memory port")),
        labels,
        notes: vec![
            "loops over such ports have missed II=1 (UCLA-VAST/tapa, issue 100); the synthesis report tells".to_owned(),
        ],
        help: "look up the interval in the synthesis report; if it is not 1, move plain words over the port".to_owned(),
        evidence: evidence(&CompoundPort { function: function.qualified(), ports: elements }),
        fixes: Vec::new(),
    }
}
