//! A claimed latency of workload `linear`: held against what no pass undercuts, in the same words in audit and verdict.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use std::fmt::Write;

use derate_model::audit::{Audit, Level};
use derate_model::estimate::estimate;
use derate_reports::sections;
use fixture::{Fixture, of};

const TOML: &str = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\nprecision = \"bf16\"\nbatch = 4096\nsequence_length = 1\nclock = \"300 MHz\"\nbandwidth = \"400 GB/s\"\npeak = { bf16 = \"200 TFLOP/s\" }\n";

/// Eight layers of 256 x 256: 4.295 GFLOP are 21.47 us at 200 TFLOP/s, unfused traffic is 86.51 us at 400 GB/s, and
/// weights, the first operand and the last result are 13.1 us.
fn claiming(latency: &str) -> (Option<Level>, String) {
    let dump = (0..8).fold(String::new(), |mut text, layer| {
        writeln!(text, "fc{layer}.weight: torch.Size([256, 256]) [torch.bfloat16]").unwrap();
        text
    });
    let fixture = Fixture::new("smolvla")
        .only("derate.toml", &format!("{TOML}latency = \"{latency}\"\n"))
        .only("model_shape.txt", &dump);
    let level = of(&fixture.findings(), "latency/batch-1").first().map(|finding| finding.level);
    let said =
        sections::verdict(&fixture.analysis(), &Audit::default(), &estimate(&fixture.analysis()))
            .join("\n");
    (level, said)
}

#[test]
fn products_that_stay_on_the_chip_are_no_impossibility() {
    let (level, said) = claiming("21 us");
    assert_eq!(level, Some(Level::Error));
    assert!(said.contains("latency of 21 µs cannot hold"), "{said}");
    assert!(said.contains("take 21.47 µs at least"), "{said}");
    for possible in ["22 us", "30 us", "86 us"] {
        let (level, said) = claiming(possible);
        assert_eq!(level, Some(Level::Warning), "{possible}");
        assert!(said.contains("is less than the 86.51 µs"), "{said}");
        assert!(!said.contains("cannot hold"), "{said}");
    }
    let (level, said) = claiming("87 us");
    assert_eq!(level, None);
    assert!(said.contains("is no less than the 86.51 µs"), "{said}");
}
