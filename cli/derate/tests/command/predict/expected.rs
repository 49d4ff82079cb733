//! Times that are expected from what others timed.

use super::predict;
use crate::derate::derate;
use serde_json::{Value, json};

/// Timings of `fixtures/gpu_gemm` that others published, each met within the band that is printed with the prediction.
#[test]
fn what_is_expected_is_what_was_timed() {
    for (on, precision, shape, microseconds) in [
        ("h100-sxm", "bf16", "1x5120x3072", 13.603),
        ("h100-sxm", "fp8", "1x5120x2560", 10.311),
        ("a100-80", "bf16", "1x3584x3584", 23.478),
        ("h200", "bf16", "1x1024x3072", 6.5164),
        ("l40s", "fp8", "1x10240x3072", 48.981),
        // DeepBench names the outputs first: M = 5124, N = 700, K = 2048.
        ("t4", "int8", "700x5124x2048", 999.0),
        ("v100-sxm2", "fp16", "128x2048x2048", 31.0),
    ] {
        let json = predict(&["gemm", "--on", on, "--shape", shape, "--precision", precision]);
        let row = &json["phases"][0]["operations"][0];
        let seconds = row["expected"]["seconds"].as_f64().unwrap();
        let band = row["expected"]["band"]["nine_tenths"].as_f64().unwrap();
        let off = (seconds * 1e6 / microseconds - 1.0).abs();
        assert!(off <= band, "{on} {precision} {shape}: {seconds} s, {off} off, {band} allowed");
        assert_eq!(json["phases"][0]["expected"]["seconds"].as_f64(), Some(seconds));
        let basis = &json["expected_from"][0];
        assert_eq!(basis["timings"]["device"], on);
        let said = basis["basis"].as_str().unwrap();
        let rows = basis["timings"]["rows"].as_u64().unwrap();
        assert!(said.starts_with(&format!("fitted on {rows} published timings")), "{said}");
        assert!(said.contains(basis["timings"]["framework"].as_str().unwrap()), "{said}");
    }
}

#[test]
fn what_was_not_timed_has_no_expected_time_and_the_reason() {
    let gemm = |args: &[&str]| predict(&[&["gemm", "--shape", "64x4096x4096"], args].concat());
    let given = |option, value| ["--on", "h100-sxm", "--precision", "bf16", option, value];
    for (args, says) in [
        (&["--on", "u280"][..], "no GEMM timings of FPGA cards"),
        (&["--on", "gb10", "--precision", "nvfp4"], "no GEMM timings of NVIDIA GB10"),
        (&["--on", "gb10", "--precision", "fp16"], "the FP16 peak of"),
        (&["--on", "a100-80", "--precision", "int8"], "in INT8 are known here"),
        (
            &["--on", "h100-sxm", "--precision", "w=int4-g128,a=bf16"],
            "converting weights from int4-g128",
        ),
        (
            &["--on", "h100-sxm", "--precision", "w=bf16,a=fp8"],
            "converting activations from fp8_e4m3",
        ),
        (&given("--peak", "500 TFLOP/s"), "--peak or --bandwidth"),
        (&given("--bandwidth", "3 TB/s"), "--peak or --bandwidth"),
        (&["--on", "rtx-5060-laptop", "--precision", "w=fp16,acc=fp16"], "of sums in FP32"),
    ] {
        let json = gemm(args);
        let expected = &json["phases"][0]["operations"][0]["expected"];
        assert_eq!(expected["seconds"], Value::Null, "{args:?}");
        assert!(expected["unknown"].as_str().unwrap().contains(says), "{expected}");
        let told = |note: &Value| note.as_str().unwrap().contains(says);
        assert!(json["notes"].as_array().unwrap().iter().any(told), "{}", json["notes"]);
        assert_eq!(json["phases"][0]["expected"], Value::Null);
    }
    let outside = ["--on", "t4", "--shape", "1x4096x4096", "--precision", "fp16"];
    let json = predict(&[&["gemm"], &outside[..]].concat());
    let expected = &json["phases"][0]["operations"][0]["expected"];
    assert!(expected["unknown"].as_str().unwrap().starts_with("M of 1 lies outside"), "{expected}");
}

/// Another GPU's constants are named as such, and their band is wider.
#[test]
fn what_is_borrowed_is_said_to_be() {
    let on =
        |name| predict(&["gemm", "--on", name, "--shape", "64x4096x4096", "--precision", "bf16"]);
    let (l4, l40s) = (on("l4"), on("l40s"));
    let basis = &l4["expected_from"][0];
    assert_eq!(basis["timings"], Value::Null);
    assert_eq!(basis["borrowed_from"][0], "a100-80 bf16");
    assert!(basis["basis"].as_str().unwrap().starts_with("no timings of NVIDIA L4 in BF16"));
    let band = |json: &Value| json["expected_from"][0]["band"]["nine_tenths"].as_f64().unwrap();
    assert!(band(&l4) > band(&l40s));
}

/// The sum over a phase is that of its products; where one has no time, the sum is unknown and says which.
#[test]
fn a_phase_sums_the_products_that_have_an_expected_time() {
    let phase = |model: &str| {
        let args = ["llm", "--model", model, "--on", "h100-sxm", "--prompt", "2048"];
        predict(&args)["phases"][0].clone()
    };
    let whole = phase("mistral-7b")["expected"].clone();
    assert!(whole["seconds"] == whole["known_seconds"] && whole["unknown"] == Value::Null);
    assert_eq!(whole["without"], json!(["embedding", "attention"]));
    let phase = &phase("llama-3-8b");
    let sum: f64 = phase["operations"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| Some(row["expected"]["seconds"].as_f64()? * row["runs"].as_f64()?))
        .sum();
    let expected = &phase["expected"];
    assert!((expected["known_seconds"].as_f64().unwrap() / sum - 1.0).abs() < 1e-12);
    assert!(expected["known_seconds"].as_f64() > expected["roofline_seconds"].as_f64());
    // Its vocabulary of 128,256 is larger than what was timed.
    assert_eq!(expected["without"], json!(["embedding", "attention", "lm_head"]));
    assert_eq!(expected["seconds"], Value::Null);
    assert_eq!(expected["unknown"], "there is no expected time of lm_head");
}

/// A part of the products is never shown as all of them: gate, up and head of this model are larger than what was timed.
#[test]
fn a_part_is_not_shown_as_the_whole() {
    let args = ["llm", "--platform", "t4", "--model", "mistral-7b", "--precision", "fp16"];
    let args = [&args[..], &["--prompt", "100"]].concat();
    let expected = predict(&args)["phases"][0]["expected"].clone();
    assert_eq!(expected["seconds"], Value::Null);
    assert_eq!(expected["unknown"], "there is no expected time of gate_proj, up_proj, lm_head");
    let text = derate(&[&["predict"], &args[..]].concat()).stdout;
    let row = text.lines().find(|line| line.starts_with("Expected of products")).unwrap();
    assert!(row.contains("unknown [1]"), "{row}");
    assert!(
        text.contains("[1] there is no expected time of gate_proj, up_proj, lm_head"),
        "{text}"
    );
}

/// Query, key and value are one product of 6,144 columns in what serves models, gate and up one of 28,672: as the single
/// products of that width are expected. Where none so wide was timed, they stay calls of their own, and that is said.
#[test]
fn products_of_the_same_activations_are_expected_as_one() {
    let expected = |on: &str, model: &str, precision: &str| {
        let args = ["llm", "--on", on, "--model", model, "--precision", precision];
        predict(&[&args[..], &["--prompt", "100"]].concat())
    };
    let told = |json: &Value, what: &str| {
        let is = |note: &Value| note.as_str().unwrap().contains(what);
        json["notes"].as_array().unwrap().iter().any(is)
    };
    let json = expected("h100-sxm", "llama-3-8b", "fp8");
    let row = |json: &Value, phase: usize, name: &str| {
        let rows = json["phases"][phase]["operations"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["expected"].clone()
    };
    let alone = |n: u64| {
        let shape = format!("1x{n}x4096");
        let args = ["gemm", "--on", "h100-sxm", "--shape", &shape, "--precision", "fp8"];
        row(&predict(&args), 0, "gemm")["seconds"].clone()
    };
    assert_eq!(row(&json, 1, "q_proj")["seconds"], alone(6144));
    assert_eq!(row(&json, 1, "gate_proj")["seconds"], alone(28_672));
    assert_eq!(row(&json, 1, "q_proj")["products"], json!(["q_proj", "k_proj", "v_proj"]));
    let up = row(&json, 1, "up_proj");
    assert!(up["seconds"] == Value::Null && up["unknown"] == "it is in the time of gate_proj");
    let layer: f64 = ["q_proj", "o_proj", "gate_proj", "down_proj"]
        .iter()
        .map(|name| row(&json, 1, name)["seconds"].as_f64().unwrap())
        .sum();
    assert_eq!(format!("{:.1}", layer * 1e6), "104.5");
    assert!(told(&json, "are expected as one product") && !told(&json, "calls of their own, for"));
    let json = expected("t4", "llama-2-7b", "fp16");
    assert_eq!(row(&json, 0, "k_proj")["products"], json!(["k_proj"]));
    assert!(told(
        &json,
        "q_proj, k_proj, v_proj of the prefill are expected as calls of their own"
    ));
}
