//! A directive cuts or reshapes an array that is a memory port.
//!
//! ## What it does
//!
//! Looks for `array_partition` and `array_reshape` of arguments that an `interface` directive makes `m_axi` ports.
//! Arguments that are ports only by a default of the flow are not judged, nor directives in Tcl.
//!
//! ## Why it matters
//!
//! The tool does not support these directives for such a port (UG1399 from 2021.2 on, `array_partition` and
//! `array_reshape`: "not supported for `M_AXI` Interfaces on the top-level function"). Reports of 2022.2 show a port of its own
//! for each bank of a partition, which the host has to fill and the link has to connect: that is a note. No report shows a wider
//! port of a reshape: that is a warning. A build with 2019.2 stopped with "Array partition/reshape can not be used on
//! Parameter" (HLS 214-126).
//!
//! ## Example
//!
//! ```cpp
//! void top(int a[32][32], ...) {
//! #pragma HLS interface m_axi port=a bundle=gmem0
//! #pragma HLS array_reshape variable=a complete dim=2   // no port of 1024 bits comes of this
//! ```
//!
//! ## How to fix
//!
//! Move wide words over the port: make its elements `ap_uint<512>` or `hls::vector<T, N>`. Or copy it into a local array,
//! and cut that.

use derate_hls::{DirectiveKind, Function};
use derate_machine::m_axi::{Port, m_axi_ports};
use serde_json::json;

use crate::{AuditInput, Finding, Level};

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let report_function = |function| {
        let ports = m_axi_ports(function);
        ports.iter().flat_map(|port| report_port(function, port)).collect::<Vec<_>>()
    };
    input.code.functions().flat_map(report_function).collect()
}

fn report_port(function: &Function, port: &Port<'_>) -> Vec<Finding> {
    let (name, within) = (&port.parameter.name, function.qualified());
    let cuts = function.pragmas.iter().filter_map(|pragma| {
        let directive = pragma.directive().filter(|directive| !directive.is_off())?;
        let (verb, cut, level, note) = match directive.kind {
            DirectiveKind::ArrayPartition(cut) => {
                let note = "releases such as 2022.2 make a port of its own of each bank, and the model counts with that";
                ("partitions", cut, Level::Note, note)
            }
            DirectiveKind::ArrayReshape(cut) => {
                ("reshapes", cut, Level::Warning, "the model takes the port as wide as its elements")
            }
            _ => return None,
        };
        // A part of a struct is another thing.
        (cut.variable.as_ref() == Some(name)).then_some((pragma, verb, level, note))
    });
    cuts.map(|(pragma, verb, level, note)| {
        Finding::new("kernel/cut-port", level, format!("{within}::{name}"))
            .in_group(within.clone())
            .with_message(format!(
                "`{}` {verb} `{name}`, which is an `m_axi` port: the tool does not support that",
                function.name
            ))
            .with_label(pragma.span, "not supported for `m_axi` (UG1399, 2021.2 and later)")
            .with_label(port.pragma, format!("`{name}` is an `m_axi` port"))
            .with_note(note)
            .with_help(format!(
                "make the elements of `{name}` wide words, such as `hls::vector`, or copy it into a local array and cut that"
            ))
            .with_evidence(json!({ "function": within, "port": name, "directive": pragma.text }))
    })
    .collect()
}
