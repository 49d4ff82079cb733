//! `derate predict`: what people and programs see, and what is refused.

mod expected;
mod measured;

use crate::derate::derate;
use serde_json::{Value, json};

fn predict(args: &[&str]) -> Value {
    let run = derate(&[&["predict"], args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.prediction/1");
    json
}

/// Where no peak is known, nothing is a time at the roofline: time and bound hold under a condition, which is said.
#[test]
fn an_unknown_peak_leaves_a_condition() {
    let gemm = ["gemm", "--platform", "u280", "--shape", "512x512x512"];
    let totals = predict(&gemm)["phases"][0]["totals"].clone();
    for unknown in ["seconds", "overlapped_seconds", "reached_seconds", "memory_bound_seconds"] {
        assert_eq!(totals[unknown], Value::Null, "{unknown}");
    }
    assert!((totals["at_least_seconds"].as_f64().unwrap() * 1e6 - 3.413).abs() < 1e-3);
    assert!(totals["unknown"].as_str().unwrap().starts_with("the FP16 peak of AMD Alveo U280"));
    let text = derate(&[&["predict"], &gemm[..]].concat()).stdout;
    let row = |text: &str, label: &str| {
        text.lines().find(|line| line.starts_with(label)).unwrap_or("").to_owned()
    };
    // A U280 has no FP16 operator that its file knows: elements are widened to FP32, whose peak decides.
    let fp32 = predict(&[&gemm[..], &["--precision", "w=fp16,a=fp32"]].concat());
    let fp32 = fp32["phases"][0]["totals"]["seconds"].as_f64().unwrap();
    let conditional = &totals["conditional"];
    assert_eq!(conditional["seconds_to"].as_f64(), Some(fp32));
    assert_eq!(conditional["seconds_from"], conditional["seconds_to"]);
    assert_eq!(conditional["bound"], "compute");
    assert!(row(&text, "Time at the roofline").ends_with(" µs *"), "{text}");
    assert!(
        text.contains("* Holds if FP16 elements are widened to 1.082 TFLOP/s (FP32)."),
        "{text}"
    );
    assert!(row(&text, "Time at known efficiencies").contains("unknown [1]"), "{text}");
    // With a peak there is a time, and no such row.
    let known = [&["predict"], &gemm[..], &["--precision", "fp32"]].concat();
    let known = derate(&known).stdout;
    assert!(!known.contains("at least") && row(&known, "Time at the roofline").ends_with(" µs"));

    let llm = ["llm", "--platform", "gb10", "--model", "mistral-7b", "--precision", "bf16"];
    let run = ["--prompt", "8192", "--generate", "1", "--measured", "3 s", "--sweep", "batch=1"];
    let args = [&llm[..], &run[..]].concat();
    let json = predict(&args);
    let language = &json["language"];
    assert_eq!(language["decode_tokens_per_second"], Value::Null);
    assert!(language["run"]["tokens_per_second_at_most"].as_f64().unwrap() > 4.0);
    assert_eq!(language["measured"]["of_roofline"], Value::Null);
    let sentence = language["measured"]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("What held the run is unknown") && !sentence.contains('%'));
    let point = &language["sweep"]["points"][0];
    assert_eq!(
        (&point["seconds"], &point["decode_tokens_per_second"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(point["at_least_seconds"], language["run"]["totals"]["at_least_seconds"]);
    let text = derate(&[&["predict"], &args[..]].concat()).stdout;
    assert!(row(&text, "Tokens per second").contains("at most 18.49"), "{text}");
}

/// A window is reported where the context leaves it.
#[test]
fn a_window_is_told_of_where_it_counts() {
    let says_so = |prompt: &str| {
        let args = ["llm", "--platform", "t4", "--model", "mistral-7b", "--prompt", prompt];
        let is = |note: &Value| note.as_str().unwrap().contains("the last 4096 tokens");
        predict(&[&args[..], &["--generate", "1"]].concat())["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(is)
    };
    assert!(says_so("4097") && !says_so("4096"));
}

#[test]
fn models() {
    let json = derate(&["predict", "models", "--format", "json"]).json();
    assert_eq!(json["schema"], "derate.language-models/1");
    assert_eq!(json["models"][0]["total_parameters"], 7_241_732_096_u64);
}

/// Seed 002's own inputs: 117.0 us at FP16, memory-bound.
#[test]
fn a_gemv_at_given_roofs() {
    let args = ["gemv", "--on", "gb10", "--n", "4096", "--k", "4096", "--precision", "fp16"];
    let roofs = ["--bandwidth", "287 GB/s", "--peak", "62 TFLOP/s"];
    let json = predict(&[&args[..], &roofs[..]].concat());
    let totals = &json["phases"][0]["totals"];
    assert!((totals["seconds"].as_f64().unwrap() * 1e6 - 116.97).abs() < 0.01);
    assert_eq!(totals["bound"], "memory");
    assert_eq!(json["roofs"]["bandwidth"]["provenance"], "assumed");
    let ridge = json["roofs"]["peaks"][0]["ridge"].as_f64().unwrap();
    assert_eq!(format!("{ridge:.0}"), "216");
    assert!(json["command"].as_str().unwrap().contains("--bandwidth '287 GB/s'"));
    // Without them the peak is not known, nor is the bound; the bytes alone take 123 us.
    let json = predict(&args);
    assert_eq!(json["phases"][0]["totals"]["bound"], Value::Null);
    assert!(json["roofs"]["peaks"][0]["unknown"].as_str().unwrap().contains("not published"));
}

/// Every position of the prompts passes through the head in a sweep too.
#[test]
fn all_logits_count_in_a_sweep() {
    let args = ["llm", "--model", "mistral-7b", "--on", "t4", "--sweep", "batch=1"];
    let args = [&args[..], &["--precision", "fp16"]].concat();
    let seconds = |more: &[&str]| {
        let json = predict(&[&args[..], more].concat());
        let point = &json["language"]["sweep"]["points"][0];
        assert_eq!(point["prefill_seconds"], json["phases"][0]["totals"]["seconds"]);
        assert_eq!(point["seconds"], json["language"]["run"]["totals"]["seconds"]);
        point["prefill_seconds"].as_f64().unwrap()
    };
    assert!(seconds(&["--all-logits"]) > seconds(&[]));
}

/// 287 GB/s of a GB10 is printed too: it is not repeated to those who give a bandwidth of their own.
#[test]
fn other_printed_figures_are_told_where_they_count() {
    let args = ["gemv", "--platform", "gb10", "--shape", "4096x4096"];
    let says_so = |more: &[&str]| {
        let json = predict(&[&args[..], more].concat());
        let is = |note: &Value| note.as_str().unwrap().contains("287 GB/s is printed too");
        json["notes"].as_array().unwrap().iter().any(is)
    };
    assert!(says_so(&[]) && !says_so(&["--bandwidth", "287 GB/s"]));
}

#[test]
fn every_operator_has_its_operands() {
    let heads = ["--heads", "32", "--kv-heads", "8", "--head-dim", "128"];
    let args =
        [&["attention", "--on", "a100-80"], &heads[..], &["--queries", "1", "--keys", "8192"]];
    let json = predict(&args.concat());
    let operation = &json["phases"][0]["operations"][0];
    assert_eq!(operation["flops"], 4_u64 * 32 * 8192 * 128);
    let keys = operation["operands"].as_array().unwrap().iter().find(|o| o["name"] == "keys");
    assert_eq!(keys.unwrap()["bytes"], 8 * 8192 * 128 * 2);
    let args =
        ["mlp", "--on", "rtx-5060-laptop", "--width", "2048", "--layers", "4", "--batch", "512"];
    let json = predict(&args);
    let names: Vec<&Value> =
        json["phases"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names, [&json!("forward"), &json!("backward")]);
    assert_eq!(json["phases"][0]["totals"]["flops"], 17_179_869_184_u64);
    assert_eq!(json["phases"][1]["totals"]["flops"], 34_359_738_368_u64);
}

/// `--shape` is the extents in one word; the passes are chosen beside it.
#[test]
fn the_shape_of_layers_is_their_extents() {
    let phases = |words: &[&str]| {
        let on = ["mlp", "--on", "h100-sxm", "--precision", "bf16"];
        predict(&[&on[..], words].concat())["phases"].clone()
    };
    let apart = ["--batch", "512", "--width", "2048", "--layers", "4"];
    let shape = ["--shape", "512x2048x4"];
    for passes in [&[][..], &["--forward"], &["--eager"]] {
        assert_eq!(phases(&[&shape[..], passes].concat()), phases(&[&apart[..], passes].concat()));
    }
    assert_ne!(phases(&shape), phases(&["--shape", "512x2048x3"]));
    for (words, says) in [
        (&["--shape", "512x2048"][..], "512x2048"),
        (&["--shape", "512x2048x4", "--width", "64"], "'--shape <BxWxL>' cannot be used with"),
        (&["--shape", "512x2048x4", "--layers", "2"], "'--shape <BxWxL>' cannot be used with"),
        (&["--batch", "4"], "--width"),
        (&[], "give --batch and --width, or --shape "),
    ] {
        let run = derate(&[&["predict", "mlp", "--on", "h100-sxm"], words].concat());
        assert!(run.code == 2 && run.stderr.contains(says), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn a_config_json_is_read() {
    let file = "fixtures/language/qwen2-0.5b.json";
    let json = predict(&["llm", "--model", file, "--on", "u280", "--context", "4096"]);
    assert_eq!(json["language"]["model"]["total_parameters"], 494_032_768);
    assert_eq!(json["precision"]["weights"], "bf16", "as the file says");
    assert_eq!(json["workload"]["context"], 4096);
    assert_eq!(json["language"]["memory"]["fits"], true);
    let reached = &json["phases"][1]["totals"];
    assert!(reached["reached_seconds"].as_f64() > reached["seconds"].as_f64());
}

/// 41 GB are in 42.95 GB, though not in "40 GB"; what lies between the memory and what its driver keeps is not.
#[test]
fn what_fits_is_held_against_what_the_driver_leaves() {
    let words = ["llm", "--model", "llama-2-13b", "--platform", "a100-40", "--prompt", "1000"];
    for (more, fits) in [
        (["--batch", "9", "--generate", "1000"], true),
        (["--batch", "10", "--generate", "1000"], true),
        (["--batch", "10", "--generate", "1020"], false),
        (["--batch", "11", "--generate", "1000"], false),
    ] {
        let memory = &predict(&[&words[..], &more].concat())["language"]["memory"];
        let number = |key: &str| memory[key].as_f64().unwrap();
        assert_eq!(memory["fits"], fits, "{more:?}");
        assert!(number("total") > 40e9 || more[1] == "9");
        assert!((number("usable") + number("driver_keeps") - number("capacity")).abs() < 0.5);
        assert_eq!(fits, number("total") <= number("usable"));
        if more == ["--batch", "10", "--generate", "1020"] {
            assert!(number("total") < number("capacity"));
        }
    }
}

/// Seed 002: four of its five precisions have no published peak on a GB10; a GEMV is memory-bound at any that is plausible.
#[test]
fn a_gemv_on_a_gb10_answers_in_all_precisions() {
    let gemv = |more: &[&str]| {
        let words = ["gemv", "--platform", "gb10", "--shape", "4096x4096"];
        predict(&[&words[..], more].concat())["phases"][0]["totals"].clone()
    };
    for (precision, microseconds) in
        [("fp16", 122.97), ("fp8", 61.49), ("int8", 61.49), ("int4", 30.74)]
    {
        let totals = gemv(&["--precision", precision]);
        let conditional = &totals["conditional"];
        let time = |key: &str| conditional[key].as_f64().unwrap() * 1e6;
        assert_eq!(totals["seconds"], Value::Null);
        assert_eq!(conditional["bound"], "memory", "{precision}");
        assert_eq!(time("seconds_from").to_bits(), time("seconds_to").to_bits());
        assert!((time("seconds_to") - microseconds).abs() < 0.01, "{precision}: {totals}");
        // Above bandwidth x intensity.
        let above = conditional["memory_bound_above"].as_f64().unwrap();
        assert!((above / (totals["oi"].as_f64().unwrap() * 273e9) - 1.0).abs() < 1e-9);
        assert!(conditional["condition"].as_str().unwrap().contains("31 TFLOP/s (FP32)"));
    }
    let known = gemv(&["--precision", "nvfp4"]);
    assert!(known["seconds"].is_f64() && known["conditional"].is_null());
    // A peak of its own for each arithmetic takes the place of the condition.
    let peaks = ["--peak", "fp8=124 TFLOP/s", "--peak", "62 TFLOP/s", "--bandwidth", "287 GB/s"];
    let own = gemv(&[&["--precision", "fp8"], &peaks[..]].concat());
    assert_eq!(own["bound"], "memory");
    assert_eq!(format!("{:.1}", own["seconds"].as_f64().unwrap() * 1e6), "58.5");
    for (peak, says) in [("fp9=1 TFLOP/s", "fp9"), ("fp8=fast", "TFLOP/s")] {
        let run = derate(&["predict", "gemv", "--on", "gb10", "--shape", "8x8", "--peak", peak]);
        assert!(
            run.code == 2 && run.stderr.contains("--peak") && run.stderr.contains(says),
            "{}",
            run.stderr
        );
    }
}
