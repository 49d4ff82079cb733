//! `derate predict`: what people and programs see, and what is refused.

use crate::derate::derate;
use serde_json::{Value, json};

fn predict(args: &[&str]) -> Value {
    let run = derate(&[&["predict"], args, &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.prediction/1");
    json
}

/// Timings of `fixtures/gpu_gemm` that others published, each met within the band that stands beside the prediction.
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
    let told = |prompt: &str| {
        let args = ["llm", "--platform", "t4", "--model", "mistral-7b", "--prompt", prompt];
        let is = |note: &Value| note.as_str().unwrap().contains("the last 4096 tokens");
        predict(&[&args[..], &["--generate", "1"]].concat())["notes"]
            .as_array()
            .unwrap()
            .iter()
            .any(is)
    };
    assert!(told("4097") && !told("4096"));
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

/// A cache that holds the model explains a run below the roofline; nothing explains one below its products.
#[test]
fn a_run_that_a_cache_explains_is_not_impossible() {
    let measured = |time: &str| {
        let model = ["llm", "--model", "smollm2-135m", "--platform", "l40s"];
        let run = ["--precision", "int4-g128", "--measured", time];
        let json = predict(&[&model[..], &run[..]].concat());
        json["language"]["measured"].clone()
    };
    let (kept, never) = (measured("1 ms"), measured("1 us"));
    let said = |of: &Value, what: &str| of["sentence"].as_str().unwrap().contains(what);
    assert!(kept["impossible"] == false && said(&kept, "kept some of the bytes on the chip"));
    assert!(said(&kept, "100.7 MB"), "{kept}");
    assert!(never["impossible"] == true && said(&never, "the products take at their peaks"));
    let large = ["llm", "--model", "mistral-7b", "--platform", "t4", "--measured", "1 s"];
    let large = predict(&large)["language"]["measured"].clone();
    assert!(large["impossible"] == true && said(&large, "though 4.194 MB of them stay"), "{large}");
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

/// 287 GB/s of a GB10 is printed too: whoever gives a bandwidth of their own need not be told.
#[test]
fn other_printed_figures_are_told_where_they_count() {
    let args = ["gemv", "--platform", "gb10", "--shape", "4096x4096"];
    let told = |more: &[&str]| {
        let json = predict(&[&args[..], more].concat());
        let is = |note: &Value| note.as_str().unwrap().contains("287 GB/s is printed too");
        json["notes"].as_array().unwrap().iter().any(is)
    };
    assert!(told(&[]) && !told(&["--bandwidth", "287 GB/s"]));
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

fn fixture(name: &str) -> String {
    crate::derate::root().join("fixtures/profiles").join(name).display().to_string()
}

/// What a profiler counted and a monitor saw, beside what is modelled.
#[test]
fn counted_bytes_and_power_are_held_against_the_model() {
    let words = ["gemv", "--platform", "a100-40", "--shape", "4096x4096"];
    let (ncu, power) = (fixture("ncu-long.csv"), fixture("smi-power.csv"));
    let held = ["--counted", &ncu, "--kernel", "gemv2T", "--power", &power];
    let json = predict(&[&words[..], &held].concat());
    let number = |path: &str| json.pointer(path).unwrap().as_f64().unwrap();
    let modelled = number("/phases/0/totals/bytes");
    assert!((number("/counted/of_modelled") - 33.59e6 / modelled).abs() < 1e-9);
    assert!((number("/measured/seconds") - 125.5e-6).abs() < 1e-12);
    let joules = 250.0 * 125.5e-6;
    assert!((number("/energy/joules_per_operation") / (joules / 33_554_432.0) - 1.0).abs() < 1e-9);
    // A time of one's own goes before that of the profile.
    let own = predict(&[&words[..], &held, &["--measured", "100 us"]].concat());
    assert!((own["measured"]["seconds"].as_f64().unwrap() - 1e-4).abs() < 1e-12);
    let roofline = own["phases"][0]["totals"]["seconds"].as_f64().unwrap();
    assert!((own["measured"]["error"].as_f64().unwrap() - (roofline / 1e-4 - 1.0)).abs() < 1e-12);
    for (more, says) in [
        (
            &["--counted", &ncu, "--kernel", "softmax"][..],
            "has no such kernel, but gemv2T_kernel_val",
        ),
        (&["--power", &power], "needs a time"),
        (&["--counted", &fixture("ncu-cut.csv")], "ncu-cut.csv:5"),
        (&["--counted", &power], "ncu --csv"),
        (&["--power", &ncu, "--measured", "1 s"], "no column power.draw"),
        (&["--points", &power], "there is no column"),
    ] {
        let run = derate(&[&["predict"], &words[..], more].concat());
        assert!(run.code == 2 && run.stderr.contains(says), "{more:?}: {}", run.stderr);
    }
}

/// Page, picture, JSON and tables in full digits.
#[test]
fn a_prediction_is_written_with_its_measured_points() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run.json").display().to_string();
    let bench = ["bench", "gemv", "--shape", "64x128", "--precision", "fp16,nvfp4", "--out", &run];
    assert_eq!(derate(&bench).code, 0);
    let out = folder.path().join("out").display().to_string();
    let words = ["predict", "gemv", "--platform", "gb10", "--shape", "64x128", "--points", &run];
    let done = derate(&[&words[..], &["--measured", "3 us", "--out", &out]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let table = read("tables/operations.csv");
    assert!(
        table.starts_with(
            "phase,operation,runs,arithmetic,work (OP),bytes (B),intensity (OP/B),time (s)"
        ),
        "{table}"
    );
    assert!(table.contains("16384") && !table.contains("kB"), "{table}");
    let picture = read("roofline.svg");
    for word in ["memory wall", "measured", "nvfp4", "fp16"] {
        assert!(picture.contains(word), "{word}");
    }
    assert_eq!(
        serde_json::from_str::<Value>(&read("prediction.json")).unwrap()["schema"],
        "derate.prediction/1"
    );
    assert!(read("prediction.html").contains("Measured beside it"));
    // The study of formats takes the same file.
    let formats = ["formats", "--platform", "gb10", "--gemm", "1x64x128", "--points", &run];
    let study =
        derate(&[&formats[..], &["--precision", "nvfp4", "--format", "json"]].concat()).json();
    let point = &study["rows"][0]["achieved"][0];
    assert!(point["rate"].as_f64().unwrap() > 0.0 && point["range"].is_array(), "{study}");
}
