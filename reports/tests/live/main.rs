//! The formulas of a report: they give what derate gives, and follow their inputs as derate does.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../../model/tests/fixture/mod.rs"]
mod fixture;
mod fusion;
mod guards;
mod ladder;
mod support;
mod whole;

use fixture::Fixture;
use support::{agrees_with_itself, linear, seed};

#[test]
fn every_formula_gives_what_derate_gives() {
    let project = |from: &str, to: &str| seed().with("derate.toml", from, to);
    let design = "[design]\nrows = 16\ncolumns = 16\nschedule = \"block\"\nprecision = \"int8\"\ndsp_per_mac = { bf16 = 3, int8 = 0.5 }\n\n[derate]";
    let fixtures = [
        seed(),
        Fixture::new("smolvla-bf16"),
        linear(),
        project("[derate]", design),
        project("batch = 1", "batch = 4"),
        project("precision = \"bf16\"", "precision = \"ap_fixed<18,8>\""),
        project("precision = \"bf16\"", "# precision"),
        project("bandwidth = \"460 GB/s\"", "# bandwidth"),
        project("bandwidth = \"300 GB/s\"", "# bandwidth"),
        project("sequence_length = 50", "# sequence_length"),
        project("peak = {", "# peak = {"),
        project("\"u280\"", "\"u50\""),
        linear().with("derate.toml", "sequence_length = 50", "# sequence_length"),
    ];
    for fixture in fixtures {
        agrees_with_itself(&fixture, 300);
    }
}
