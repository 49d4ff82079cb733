//! What the audit finds in reports and in a v++ configuration, and that it keeps silent where nothing is wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod accesses;
mod allows;
mod connectivity;
mod copies;
mod cosim;
mod intervals;
mod latency;
mod logs;
mod parts;
mod reports;
#[path = "../fixture/small.rs"]
mod small;
mod timing;
mod utilisation;

use std::fs;
use std::path::PathBuf;

use derate_model::audit::{Finding, audit};
use small::{DUMP, analysis, with_code};

/// What one rule finds.
fn found(code: &str, claims: &str, reports: &[(&str, String)]) -> Vec<Finding> {
    let findings = audit(&analysis(claims, "", reports)).findings;
    findings.into_iter().filter(|finding| finding.code == code).collect()
}

/// What one rule finds in one report, without claims.
fn found_in(code: &str, name: &str, text: impl Into<String>) -> Vec<Finding> {
    found(code, "", &[(name, text.into())])
}

/// A report of `fixtures/reports`.
fn fixture(path: &str) -> String {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/reports");
    fs::read_to_string(dir.join(path)).unwrap()
}

/// The text with `from`, which must occur, replaced.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no `{from}`");
    text.replace(from, to)
}

/// A report in XML without a word about violations, as before 2023.2.
fn old_xml(name: &str, ii: &str) -> String {
    format!(
        "<profile><ReportVersion><Version>2019.2</Version></ReportVersion>\
         <UserAssignments><TopModelName>{name}</TopModelName></UserAssignments>\
         <PerformanceEstimates><SummaryOfLoopLatency><ACC><TripCount>64</TripCount>\
         <Latency>260</Latency><PipelineII>{ii}</PipelineII><PipelineDepth>8</PipelineDepth></ACC>\
         </SummaryOfLoopLatency></PerformanceEstimates></profile>"
    )
}
