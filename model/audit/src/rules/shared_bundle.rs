//! Three or more ports of a kernel share one bundle, and so one port to memory.
//!
//! ## What it does
//!
//! Groups the `m_axi` arguments of every function by their `bundle`. Arguments without one share the default bundle,
//! `gmem`. Three or more in one bundle are reported; two, a read beside a write, are not.
//!
//! ## Why it matters
//!
//! A bundle is one AXI port with one channel for reads and one for writes. Arguments that share it take turns: an
//! analysis that gives each of them the bandwidth of a port counts the same port several times, and reads of the same
//! bundle in one loop break the bursts.
//!
//! ## Example
//!
//! ```cpp
//! #pragma HLS interface m_axi port=a bundle=gmem
//! #pragma HLS interface m_axi port=b bundle=gmem
//! #pragma HLS interface m_axi port=c bundle=gmem
//! ```
//!
//! ## How to fix
//!
//! Give the arguments that are used at the same time bundles of their own, and connect them to banks of their own.

use std::collections::BTreeMap;

use derate_hls::Function;
use serde_json::json;

use crate::AuditInput;
use crate::{Finding, Level};
use derate_machine::m_axi::{Port, m_axi_ports};

/// From this many on, arguments of one bundle are reported.
const MANY: usize = 3;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    input.code.functions().flat_map(report_function).collect()
}

fn report_function(function: &Function) -> Vec<Finding> {
    let all = m_axi_ports(function);
    let mut bundles: BTreeMap<&str, Vec<&Port<'_>>> = BTreeMap::new();
    for port in &all {
        // A bundle that two pragmas dispute is not known.
        let Some(bundle) = &port.bundle else { continue };
        bundles.entry(bundle).or_default().push(port);
    }
    let shared = bundles.into_iter().filter(|(_, ports)| ports.len() >= MANY);
    shared
        .filter_map(|(bundle, ports)| report_bundle(function, all.len(), bundle, &ports))
        .collect()
}

fn report_bundle(
    function: &Function,
    of: usize,
    bundle: &str,
    ports: &[&Port<'_>],
) -> Option<Finding> {
    let (name, within, number) = (&function.name, function.qualified(), ports.len());
    let names: Vec<&str> = ports.iter().map(|port| port.parameter.name.as_str()).collect();
    Some(
        Finding::new("kernel/shared-bundle", Level::Warning, format!("{within}::{bundle}"))
            .in_group(within.clone())
            .with_message(format!(
                "{number} ports of `{name}` share bundle `{bundle}` and take turns"
            ))
            .with_label(
                ports.first()?.pragma,
                format!("{number} arguments share bundle `{bundle}`"),
            )
            .with_note(format!("bundle `{bundle}`: {}", names.join(", ")))
            .with_note("a bundle is one AXI port: its bandwidth is divided, not multiplied")
            .with_help(format!(
                "give the arguments that `{name}` uses at the same time bundles and banks of their \
                 own"
            ))
            .with_evidence(json!({
                "function": within,
                "function_ports": of,
                "bundle": bundle,
                "ports": names,
            })),
    )
}
