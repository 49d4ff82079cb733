//! A memory port's element is a struct or a vector.
//!
//! ## What it does
//!
//! Resolves the element type of every `m_axi` argument and reports those that are a struct or a vector of several
//! numbers, once for a kernel. One number in a wrapper is not reported, nor is a wide `ap_uint`. Nor is an `hls::vector` of a power of two up to
//! 1,024 bits: the tool moves it as one word.
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

use derate_hls::{Function, Resolver};
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Label, Level};
use derate_machine::m_axi::{Port, compound_bits, innermost_element, m_axi_ports};

/// So many ports of a kernel are labelled.
const LABELLED: usize = 8;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let resolver = Resolver::new(input.code.all_headers(), input.sources);
    let report = |function| report_function(&resolver, function);
    input.code.functions().filter_map(report).collect()
}

/// A port whose elements are made of several numbers.
struct CompoundPort<'a> {
    port: Port<'a>,
    element: String,
    bits: u64,
}

fn find_compound<'a>(
    resolver: &Resolver<'_>,
    function: &Function,
    port: Port<'a>,
) -> Option<CompoundPort<'a>> {
    let resolution = resolver.parameter(function, port.parameter);
    let kind = resolution.known()?;
    let (bits, element) = (compound_bits(kind)?, innermost_element(kind).to_string());
    Some(CompoundPort { port, element, bits })
}

/// The finding on the ports of a function whose elements are made of several numbers.
fn report_function(resolver: &Resolver<'_>, function: &Function) -> Option<Finding> {
    let ports = m_axi_ports(function).into_iter();
    let all: Vec<CompoundPort<'_>> =
        ports.filter_map(|port| find_compound(resolver, function, port)).collect();
    let first = all.first()?;
    let (name, within) = (&function.name, function.qualified());
    let message = match &all[..] {
        [only] => {
            let port = &only.port.parameter.name;
            format!("memory port `{port}` of `{name}` moves a struct or a vector")
        }
        _ => format!("{} memory ports of `{name}` move structs or vectors", all.len()),
    };
    let labels = all.iter().take(LABELLED).map(|one| {
        let text = format!("elements of `{}`, {} bits", one.element, one.bits);
        Label::new(one.port.parameter.span, text)
    });
    let ports: Vec<&str> = all.iter().map(|one| one.port.parameter.name.as_str()).collect();
    Some(
        Finding::new("kernel/compound-port", Level::Note, within.clone())
            .in_group(within.clone())
            .with_message(message)
            .with_labels(labels)
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
                "ports": ports,
                "element": first.element,
                "bits": first.bits,
            })),
    )
}
