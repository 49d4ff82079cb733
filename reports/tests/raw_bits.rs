//! Raw bits under the name of a float: stored as they are, computed with as the name promises.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "../../model/tests/fixture/mod.rs"]
mod fixture;

use derate_model::audit::Audit;
use derate_model::estimate::estimate;
use derate_model::scenario::ScenarioKind;
use derate_reports::sections;
use fixture::Fixture;

const TOML: &str = "[model]\nshapes = \"model_shape.txt\"\nworkload = \"linear\"\n\n[hls]\nsources = [\"model_weights.h\"]\n\n[platform]\nname = \"u280\"\n\n[claims]\nprecision = \"bf16\"\nsequence_length = 128\nclock = \"300 MHz\"\nbandwidth = \"300 GB/s\"\npeak = { bf16 = \"0.8 TFLOP/s\" }\n";

fn corrected(alias: &str) -> (String, f64, String) {
    let header =
        format!("#include \"ap_int.h\"\n{alias}\nextern const bf16_t fc_weight[512][512];\n");
    let analysis = Fixture::new("smolvla")
        .only("derate.toml", TOML)
        .only("model_shape.txt", "fc.weight: torch.Size([512, 512]) [torch.bfloat16]\n")
        .only("model_weights.h", &header)
        .analysis();
    let estimate = estimate(&analysis);
    let peak = &estimate.scenario(ScenarioKind::DerivedPeak).unwrap().ceilings[0].peak;
    let said = sections::verdict(&analysis, &Audit::default(), &estimate).join("\n");
    (peak.precision.to_string(), peak.rate.value.0 / 1e12, said)
}

#[test]
fn a_carrier_is_no_arithmetic_of_integers() {
    let (precision, peak, said) = corrected("using bf16_t = ap_uint<16>;");
    // The claim is below the 1.08 TFLOP/s that BF16 on FP32 operators gives, and no correction raises it.
    assert_eq!((precision.as_str(), peak), ("BF16", 0.8));
    assert!(said.contains("Arrays of `bf16_t` hold raw bits (UINT16)"), "{said}");
}

#[test]
fn what_is_no_raw_carrier_of_that_width_is_left_alone() {
    let (precision, _, said) = corrected("using bf16_t = float;");
    assert_eq!(precision, "FP32");
    assert!(!said.contains("raw bits"), "{said}");
    let (precision, _, said) = corrected("using bf16_t = ap_float<16, 8>;");
    assert_eq!(precision, "BF16");
    assert!(!said.contains("raw bits"), "{said}");
}
