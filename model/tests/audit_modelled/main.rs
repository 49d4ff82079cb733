//! The rules about kernels as the model schedules them: for each a kernel that fires it, and near misses that do not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod blocks;
mod intervals;
mod ports;
#[path = "../fixture/small.rs"]
mod small;
mod unpipelined;

use derate_model::audit::{Finding, audit};

/// What one rule finds in a project of one kernel.
fn found(code: &str, text: &str) -> Vec<Finding> {
    found_with(code, "", text)
}

/// The same with a v++ configuration.
fn found_with(code: &str, connectivity: &str, text: &str) -> Vec<Finding> {
    let findings = audit(&small::with_code("", connectivity, &[], text)).findings;
    findings.into_iter().filter(|finding| finding.code == code).collect()
}
