//! What the verdict says of times where the claim is slower than what holds, and where no peak is known.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::audit;
use derate_model::estimate::estimate;
use derate_reports::sections;
use fixture::Fixture;

fn verdict(fixture: &Fixture) -> String {
    let analysis = fixture.analysis();
    sections::verdict(&analysis, &audit(&analysis), &estimate(&analysis)).join("\n")
}

/// 16 bits are stored where 32 are claimed, and memory bounds both.
#[test]
fn fewer_bytes_than_claimed_make_an_inference_faster() {
    let claim = |precision: &str| {
        verdict(
            &Fixture::new("smolvla-bf16")
                .with(
                    "derate.toml",
                    "precision = \"as-stored\"",
                    &format!("precision = \"{precision}\""),
                )
                .with("derate.toml", "bandwidth = \"300 GB/s\"", "bandwidth = \"5 GB/s\""),
        )
    };
    let wide = claim("fp32");
    assert!(
        wide.contains("less than claimed, as the bytes that the code stores are fewer"),
        "{wide}"
    );
    let same = claim("as-stored");
    assert!(!same.contains("less than claimed"), "{same}");
}

/// Nobody has published what a multiply-add of FP16 costs there.
#[test]
fn without_a_peak_the_verdict_keeps_what_is_known() {
    let half = Fixture::new("smolvla").with(
        "model_weights.h",
        "using bfloat16_t = float;",
        "using bfloat16_t = half;",
    );
    let said = verdict(&half);
    assert!(said.contains("takes, unfused, 165 ms as claimed, "), "{said}");
    assert!(said.contains("with a peak that can be built is unknown."), "{said}");
}
