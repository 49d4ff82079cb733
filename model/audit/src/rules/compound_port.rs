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
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_machine::m_axi::{Port, m_axi_ports};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let report_function = |function| {
        let ports = m_axi_ports(function).into_iter();
        ports.filter_map(|port| report_port(&resolver, function, &port)).collect::<Vec<_>>()
    };
    input.code.functions().flat_map(report_function).collect()
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

/// The finding on a port whose elements are made of several numbers.
fn report_port(resolver: &Resolver<'_>, function: &Function, port: &Port<'_>) -> Option<Finding> {
    let resolution = resolver.parameter(function, port.parameter);
    let kind = resolution.known()?;
    let bits = compound_bits(kind)?;
    let element = innermost_element(kind).to_string();
    let (name, port_name, within) = (&function.name, &port.parameter.name, function.qualified());
    Some(
        Finding::new("kernel/compound-port", Level::Note, format!("{within}::{port_name}"))
            .in_group(within.clone())
            .with_message(format!(
                "memory port `{port_name}` of `{name}` moves a struct or a vector"
            ))
            .with_label(port.parameter.span, format!("elements of `{element}`, {bits} bits"))
            .with_note(
                "loops over such ports have missed II=1 (UCLA-VAST/tapa, issue 100); the \
                 synthesis report has the interval",
            )
            .with_help(
                "look up the interval in the synthesis report; if it is not 1, move plain words \
                 over the port",
            )
            .with_evidence(json!({
                "function": within,
                "port": port_name,
                "element": element,
                "bits": bits,
            })),
    )
}
