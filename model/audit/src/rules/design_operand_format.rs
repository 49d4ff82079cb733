//! A kernel reads operands in another number format than their producer writes.
//!
//! ## What it does
//!
//! Follows the results of the kernels of `[[kernel]]` through the model to the kernels that read them, and compares the number
//! formats of the ports: what the one writes and what the other reads, as their sources declare it. Ports with as many elements
//! as the data are compared, else all. It reports two kernels that have no format in common. Words that hold several elements, and kernels without a source, are not judged. Between the two
//! products there may be a bias, an activation or a residual, which a kernel does as it writes.
//!
//! ## Why it matters
//!
//! Bits are read as other numbers, or somebody converts them: then a pass over the data is missing in the latency and in the
//! traffic.
//!
//! ## Example
//!
//! An attention kernel that writes `ap_int<8>`, and an output projection that reads `ap_int<16>`.
//!
//! ## How to fix
//!
//! Let both kernels use one type, or describe the kernel that converts.

use derate_units::Precision;
use serde_json::json;

use crate::{Finding, Level};
use derate_design::{Handover, KernelDesign, find_handovers};
use derate_design::{find_design, serving_span};
use derate_estimate::Analysis;

pub(super) fn check_project(analysis: &Analysis) -> Vec<Finding> {
    let Some(design) = find_design(analysis) else { return Vec::new() };
    let judge = |one: &Handover| judge_handover(analysis, &design, one);
    find_handovers(analysis).iter().filter_map(judge).collect()
}

fn judge_handover(analysis: &Analysis, design: &KernelDesign, one: &Handover) -> Option<Finding> {
    let (producer, consumer) =
        (design.kernels.get(one.producer)?, design.kernels.get(one.consumer)?);
    let (written, read) = one.find_difference(producer, consumer)?;
    let sections = &analysis.project.kernels;
    let (from, to) = (&producer.name, &consumer.name);
    let finding = Finding::new("design/operand-format", Level::Error, format!("{from} -> {to}"))
        .with_message(format!(
            "`{to}` reads {}, and `{from}`, which makes its operands, writes {}",
            list_names(&read),
            list_names(&written)
        ))
        .with_label(
            serving_span(sections.get(one.consumer)?),
            format!("{} reads them", one.read_by),
        )
        .with_label(
            serving_span(sections.get(one.producer)?),
            format!("{} makes them", one.made_by),
        )
        .with_note("no kernel of `[[kernel]]` converts them")
        .with_help("let both kernels use one type, or describe the kernel that converts")
        .with_evidence(json!({
            "producer": from, "consumer": to, "made_by": one.made_by, "read_by": one.read_by,
            "written": list_keys(&written), "read": list_keys(&read),
        }));
    Some(finding)
}

fn list_keys(formats: &[Precision]) -> Vec<String> {
    let mut keys: Vec<String> = formats.iter().map(|one| one.key()).collect();
    keys.sort();
    keys.dedup();
    keys
}

fn list_names(formats: &[Precision]) -> String {
    list_keys(formats).join(" and ")
}
