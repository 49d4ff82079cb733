//! A kernel was synthesised to nothing.
//!
//! ## What it does
//!
//! Reads the synthesis reports of top functions. Reports one that takes 0 cycles and has `m_axi` ports, and one that takes 0 cycles, uses no
//! LUT, FF, DSP slice or memory and has no port for data to come in. A function of wires alone has such a port, and one that is
//! combinational has LUT: neither is reported.
//!
//! ## Why it matters
//!
//! The tool removes all that no output needs, and says so in no report. Cycles and resources of 0 look like those of a small
//! kernel, and the bitstream does nothing.
//!
//! ## Example
//!
//! A top function without arguments that computes in local arrays and returns a constant: latency 0, no LUT, no FF.
//!
//! ## How to fix
//!
//! Give the function arguments, read its input from them and write its result to them.

use derate_hls::{Report, top_name};
use derate_units::figures::list_few;
use serde_json::json;

use super::repeats::{ReportFinding, drop_repeats, make_key};
use crate::AuditInput;
use crate::{Finding, Level};

/// Names that are given of many.
const NAMED: usize = 6;

pub(super) fn check_project(input: &AuditInput<'_>) -> Vec<Finding> {
    let reports = input.build.reports.iter();
    drop_repeats(input, reports.filter_map(|report| check_report(input, report)))
}

fn check_report(input: &AuditInput<'_>, report: &Report) -> Option<ReportFinding> {
    let top = report.top_module()?;
    let latency = top.latency.as_ref().filter(|latency| latency.value.known() == Some(0))?;
    let name = top_name(report);
    let ports: Vec<String> =
        report.ports.iter().map(|port| format!("`{}`", port.name.value)).collect();
    let (what, help) = if ports.is_empty() {
        let text = input.sources.text(latency.span.file);
        if !top.uses_nothing() || takes_data(text) != Some(false) {
            return None;
        }
        (
            ", uses no logic and has no input",
            "read the input from arguments, and write the result to one",
        )
    } else {
        (" and has `m_axi` ports", "write the result to a port, and let nothing return before that")
    };
    let finding = Finding::new("report/empty", Level::Warning, name)
        .by_file()
        .with_message(format!("`{name}` takes 0 cycles{what}: it computes nothing"))
        .with_label(latency.span, "a latency of 0 cycles")
        .with_note("the tool removes what no output needs")
        .with_notes(
            (!ports.is_empty()).then(|| format!("the ports are {}", list_few(&ports, NAMED))),
        )
        .with_help(help)
        .with_evidence(json!({ "latency": 0, "ports": report.ports.len() }));
    Some(ReportFinding { key: make_key(&[name, "nothing"]), instance: None, weight: 0, finding })
}

/// Whether a port of the table of RTL ports is for data that comes in; `None` without such a table.
fn takes_data(report: &str) -> Option<bool> {
    let (_, table) = report.split_once("RTL Ports")?;
    let mut rows = table.lines().skip(1).filter(|line| line.starts_with('|'));
    Some(rows.any(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, _, direction, _, protocol, ..] = cells[..] else { return false };
        direction != "out" && !protocol.starts_with("ap_ctrl_")
    }))
}
