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

use derate_hls::{Function, Span};
use serde::Serialize;
use serde_json::json;

use crate::allow_groups::AllowGroups;
use crate::{Finding, Label, Level};
use derate_estimate::Analysis;
use derate_machine::m_axi::{Port, m_axi_ports};

/// From this many on, arguments of one bundle are reported.
const MANY: usize = 3;

const CODE: &str = "kernel/shared-bundle";

#[derive(Debug, Serialize)]
struct Bundle {
    bundle: String,
    ports: Vec<String>,
}

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let groups = AllowGroups::new(analysis, CODE);
    let functions = analysis.code.functions();
    functions.flat_map(|function| report_function(&groups, function)).collect()
}

/// The findings of one function: one, but for bundles that comments allow.
fn report_function(groups: &AllowGroups<'_>, function: &Function) -> Vec<Finding> {
    let all = m_axi_ports(function);
    let mut bundles: BTreeMap<&str, Vec<&Port<'_>>> = BTreeMap::new();
    for port in &all {
        // A bundle that two pragmas dispute is not known.
        let Some(bundle) = &port.bundle else { continue };
        bundles.entry(bundle).or_default().push(port);
    }
    let shared = bundles
        .into_iter()
        .filter(|(_, ports)| ports.len() >= MANY)
        .filter_map(|(bundle, ports)| Some((ports.first()?.pragma, bundle, ports)));
    let groups = groups.split_allowed(shared.collect(), |(pragma, ..)| *pragma);
    let bundles = |group: Vec<(Span, _, _)>| {
        group.into_iter().map(|(_, bundle, ports)| (bundle, ports)).collect()
    };
    groups
        .into_iter()
        .filter_map(|group| make_finding(function, all.len(), &bundles(group)))
        .collect()
}

fn make_finding(
    function: &Function,
    ports: usize,
    bundles: &BTreeMap<&str, Vec<&Port<'_>>>,
) -> Option<Finding> {
    let labels: Vec<Label> = bundles
        .iter()
        .filter_map(|(bundle, ports)| {
            let first = ports.first()?;
            let text = format!("{} arguments share bundle `{bundle}`", ports.len());
            Some(Label::new(first.pragma, text))
        })
        .collect();
    let name = &function.name;
    let (bundle, most) = bundles.iter().max_by_key(|(_, ports)| ports.len())?;
    let names = |ports: &[&Port<'_>]| -> Vec<String> {
        ports.iter().map(|port| port.parameter.name.clone()).collect()
    };
    let shared: Vec<Bundle> = bundles
        .iter()
        .map(|(bundle, ports)| Bundle { bundle: (*bundle).to_owned(), ports: names(ports) })
        .collect();
    Some(
        Finding::new(CODE, Level::Warning, function.qualified())
        .with_message(format!(
                "{} ports of `{name}` \
                                        share bundle `{bundle}` and take turns",
                most.len()
            ))
        .with_labels(labels)
        .with_notes(
            bundles
                .iter()
                .map(|(bundle, ports)| format!("bundle `{bundle}`: {}", names(ports).join(", ")))
                .chain([
                    "a bundle is one AXI port: its bandwidth is divided, not multiplied".to_owned()
                ]),
        )
        .with_help(format!(
            "give the arguments that `{name}` uses at the same time bundles and banks of their own"
        ))
        .with_evidence(json!({
            "function": function.qualified(),
            "ports": ports,
            "bundles": shared,
        })),
    )
}
