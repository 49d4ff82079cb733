//! The rules about kernels and aliases: for each a text that fires it, and a near miss that does not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod aliases;
mod bodies;
#[path = "../fixture/mod.rs"]
mod fixture;
mod ports;

use derate_model::audit::Finding;
use fixture::{Fixture, of};

/// The findings of one rule where a kernel's file holds `text`.
fn found(code: &str, text: &str) -> Vec<Finding> {
    let findings = Fixture::new("smolvla").only("kernels/gelu.cpp", text).findings();
    // The kernels beside it have findings of their own.
    let beside = ["mlp_block::", "gemm::"];
    let own = |one: &&Finding| !beside.iter().any(|name| one.subject.starts_with(name));
    of(&findings, code).into_iter().filter(own).cloned().collect()
}
