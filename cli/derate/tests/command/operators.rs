//! Operators measured on this machine and held against their prediction, by the real binary on shapes of no size: what is
//! asserted is structure and results, never speed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::derate::{derate, derate_in, root};
use serde_json::{Value, json};

fn bench(words: &[&str]) -> Value {
    let quick = ["--device", "cpu", "--format", "json", "--repetitions", "1", "--warm-up", "0"];
    let run = derate(&[&["bench"], words, &quick].concat());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    run.json()
}

/// Shapes whose products take no time, not even unoptimised.
fn small(kind: &str) -> Vec<String> {
    (1..=20_u64)
        .map(|at| match kind {
            "gemv" => format!("{}x{}", 3 * at, 70 - at),
            _ => format!("{at}x{}x{}", 2 * at, 40 - at),
        })
        .collect()
}

/// What was said beside the note of a build that is not a measurement, as one for tests is.
fn said(stderr: &str) -> String {
    let is_of_the_build = |line: &&str| line.starts_with("note: derate was built without");
    assert_eq!(stderr.lines().any(|line| is_of_the_build(&line)), cfg!(debug_assertions));
    stderr.lines().filter(|line| !is_of_the_build(line)).collect()
}

/// Twenty shapes in three precisions, written to a file.
fn swept(dir: &Path, kind: &str) -> Value {
    let file = format!("{kind}.json");
    let mut words = vec!["bench", kind, "--device", "cpu", "--precision", "fp32,bf16,int8"];
    let shapes = small(kind);
    for shape in &shapes {
        words.extend(["--shape", shape]);
    }
    words.extend(["--ports", "2", "--repetitions", "3", "--out", &file, "--format", "json"]);
    let run = derate_in(dir, &words);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(said(&run.stderr), format!("wrote {file}"));
    let written = fs::read_to_string(dir.join(&file)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), run.json());
    run.json()
}

fn platform(dir: &Path) {
    let words = ["platform", "measure", "--out", "cpu.toml", "--name", "here", "--ports", "2"];
    let quick = ["--size", "1 MiB", "--shape", "40x40x40", "--shape", "33x50x60"];
    let run = derate_in(dir, &[&words[..], &quick].concat());
    let (notes, rest): (Vec<_>, Vec<_>) =
        run.stderr.lines().partition(|line| line.starts_with("note: "));
    assert_eq!((run.code, rest), (0, vec!["wrote cpu.toml"]), "{}", run.stdout);
    // Wherever a cache is known at all, a stream of 1 MiB lies in it, and the file's title follows.
    let text = fs::read_to_string(dir.join("cpu.toml")).unwrap();
    let told = notes.iter().any(|note| note.contains("fit the last-level cache"));
    assert_eq!(told, !text.contains("main memory"), "{notes:?}\n{text}");
}

#[test]
fn twenty_shapes_in_three_precisions_are_right_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    for kind in ["gemv", "gemm"] {
        let json = swept(dir.path(), kind);
        assert_eq!((&json["kernel"], &json["threads"]), (&json!(kind), &json!(2)));
        let runs = json["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 60);
        for (at, run) in runs.iter().enumerate() {
            assert_eq!(run["check"]["passed"], true, "{run}");
            assert_eq!(run["bytes_from"], "formulas");
            assert_eq!(run["seconds"].as_array().unwrap().len(), 3);
            let (stored, ran) = [("fp32", "fp32"), ("bf16", "fp32"), ("int8", "int16")][at % 3];
            assert_eq!(
                (&run["gemm"]["type"], &run["computed"]["arithmetic"]),
                (&json!(stored), &json!(ran))
            );
            let of = |key: &str| run["gemm"][key].as_f64().unwrap();
            let element = [4.0, 2.0, 1.0][at % 3];
            let read = (of("m") * of("k") + of("k") * of("n")) * element;
            assert_eq!(run["bytes_read"].as_f64(), Some(read), "{run}");
            assert_eq!(run["bytes_written"].as_f64(), Some(of("m") * of("n") * element));
        }
    }
    platform(dir.path());
    let words = ["compare", "gemv.json", "gemm.json", "--on", "cpu.toml", "--out", "fit.json"];
    let run = derate_in(dir.path(), &[&words[..], &["--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    let text = fs::read_to_string(root().join("docs/schemas/comparison-1.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let violations: Vec<String> = validator
        .iter_errors(&json)
        .map(|error| format!("{}: {error:.200}", error.instance_path()))
        .collect();
    assert_eq!(violations, Vec::<String>::new());
    assert_eq!(json["points"].as_array().unwrap().len(), 120);
    assert_eq!(json["groups"].as_array().unwrap().len(), 6);
    for group in json["groups"].as_array().unwrap() {
        for half in ["fitted_before", "fitted_after", "tested_before", "tested_after"] {
            assert_eq!(group["errors"][half]["runs"], 10, "{group}");
        }
    }
    assert_eq!(json["whole"]["tested_after"]["runs"], 60);
    // The prediction is that of the platform, whatever is fitted: `derate predict` gives the same.
    for (precision, ran) in [("fp32", "fp32"), ("bf16", "fp32"), ("int8", "int16")] {
        let point = json["points"].as_array().unwrap().iter().find(|p| p["precision"] == precision);
        let point = point.unwrap();
        assert_eq!(point["kind"], "gemm");
        let shape = point["shape"].as_str().unwrap().replace(' ', "");
        let words = ["predict", "gemm", "--on", "cpu.toml", "--shape", &shape];
        let words = [&words[..], &["--precision", precision, "--format", "json"]].concat();
        let predicted = derate_in(dir.path(), &words).json();
        let phase = &predicted["phases"][0];
        let seconds = phase["totals"]["seconds"].as_f64().unwrap();
        assert!((seconds / point["predicted_seconds"].as_f64().unwrap() - 1.0).abs() < 1e-9);
        assert_eq!(phase["operations"][0]["arithmetic"], ran);
    }
    let written = fs::read_to_string(dir.path().join("fit.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), json);
    let text = derate_in(dir.path(), &["compare", "gemv.json", "--on", "cpu.toml", "--detail"]);
    let shown = text.on_one_line();
    for said in [
        "The roofline is off by",
        "that the fit has not seen",
        "Fitted on every other shape",
        "Half",
    ] {
        assert!(shown.contains(said), "no `{said}` in: {shown}");
    }
}

#[test]
fn attention_and_layers_run_in_three_floats() {
    let shape = ["--shape", "2x6x2x16x20x33", "--precision", "fp32,fp16,bf16"];
    let json = bench(&[&["attention"], &shape[..], &["--causal"]].concat());
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 3);
    let own = json!({"batch": 2, "heads": 6, "kv_heads": 2, "head_dim": 16, "queries": 20, "keys": 33,
        "causal": true, "scores_written": false, "type": "fp16"});
    assert_eq!(runs[1]["attention"], own);
    // Queries and result of 6 heads, keys and values of 2, in two bytes.
    assert_eq!(runs[1]["bytes_read"], 2 * 2 * (6 * 20 * 16 + 2 * 2 * 33 * 16));
    let json = bench(&["mlp", "--shape", "5x24x3", "--precision", "bf16,fp16,fp32"]);
    assert_eq!(
        json["runs"][0]["mlp"],
        json!({"batch": 5, "width": 24, "layers": 3, "backward": false, "type": "bf16"})
    );
    assert!(json["runs"].as_array().unwrap().iter().all(|run| run["check"]["passed"] == true));
}

#[test]
fn layers_run_forward_and_backward() {
    let dir = tempfile::tempdir().unwrap();
    platform(dir.path());
    let words = [
        "bench",
        "mlp",
        "--device",
        "cpu",
        "--backward",
        "--precision",
        "fp32,bf16",
        "--out",
        "mlp.json",
    ];
    let shapes =
        ["--shape", "5x24x3", "--shape", "9x40x2", "--format", "json", "--repetitions", "2"];
    let json = derate_in(dir.path(), &[&words[..], &shapes].concat()).json();
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    assert_eq!(
        runs[1]["mlp"],
        json!({"batch": 5, "width": 24, "layers": 3, "backward": true, "type": "bf16"})
    );
    assert!(runs.iter().all(|run| run["check"]["passed"] == true));
    let words = ["compare", "mlp.json", "--platform", "cpu.toml", "--format", "json"];
    let json = derate_in(dir.path(), &words).json();
    let point = &json["points"][0];
    assert_eq!(point["shape"], "3 layers of 24, 5 rows, forward and backward");
    assert_eq!(point["flops"], 3.0 * 6.0 * 5.0 * 24.0 * 24.0);
    let told = json["notes"].to_string();
    assert!(told.contains("what GELU is taken of is kept for the backward pass"), "{told}");
}

/// Sums of an attention pass through exponentials, which bytes have not: a ladder goes without them.
#[test]
fn a_sweep_of_no_shape_that_runs_is_refused() {
    let words = ["bench", "attention", "--device", "cpu", "--sweep", "--precision", "int8"];
    derate(&words).assert_refused("give fp32, fp16 or bf16");
}

#[test]
fn a_platform_of_this_machine_is_read_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    platform(dir.path());
    let text = fs::read_to_string(dir.path().join("cpu.toml")).unwrap();
    assert!(text.starts_with("# Measured by `derate platform measure --out cpu.toml"), "{text}");
    let json = derate_in(dir.path(), &["platform", "cpu.toml", "--format", "json"]).json();
    let own = &json["processors"][0];
    assert_eq!((&own["name"], &own["kind"]), (&json!("here"), &json!("cpu")));
    let figure = |name: &str| {
        own["figures"].as_array().unwrap().iter().find(|f| f["name"] == name).unwrap().clone()
    };
    for name in ["memory.bandwidth", "memory.copy_bandwidth"] {
        assert_eq!(figure(name)["provenance"], "measured");
        assert!(figure(name)["source"].as_str().unwrap().contains("derate platform measure"));
    }
    assert_eq!(figure("units")["value"], 2.0);
    let peaks: Vec<&Value> =
        own["peaks"].as_array().unwrap().iter().map(|p| &p["arithmetic"]).collect();
    assert_eq!(peaks, [&json!("fp32"), &json!("int16")]);
    // What is only stored in a format is computed in another, whose peak counts, and that is said; of others nothing is known.
    let words = ["predict", "gemm", "--on", "cpu.toml", "--shape", "8x8x8", "--precision", "bf16"];
    let json = derate_in(dir.path(), &[&words[..], &["--format", "json"]].concat()).json();
    let peak = &json["roofs"]["peaks"][0];
    assert_eq!((&peak["arithmetic"], &peak["computed_as"]), (&json!("bf16"), &json!("fp32")));
    assert!(json["phases"][0]["totals"]["seconds"].as_f64().is_some());
    let told = derate_in(dir.path(), &words).stdout;
    assert!(told.contains("Peak in BF16, computed as FP32"), "{told}");
    let shown = derate_in(dir.path(), &["platform", "cpu.toml"]).stdout;
    assert!(shown.contains("Widened"), "{shown}");
    assert_eq!(own["unknown"][2]["computed_as"], "int16");
    let words = [&words[..7], &["fp8", "--format", "json"]].concat();
    let json = derate_in(dir.path(), &words).json();
    assert_eq!(json["phases"][0]["totals"]["seconds"], Value::Null);
}

/// A thousand of them on any machine of a test: it is measured, and reported in the file and beside it.
#[test]
fn threads_that_take_turns_are_told() {
    let bench = |words: &[&str], ports: &str| {
        let more = ["--device", "cpu", "--format", "json", "--repetitions", "1", "--ports", ports];
        let run = derate(&[&["bench"], words, &more].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let told =
            run.json()["source"].as_str().unwrap().contains("more threads than the processors");
        assert_eq!(told, run.stderr.contains(" threads take turns on the "), "{}", run.stderr);
        told
    };
    for words in [&["gemv", "--shape", "64x64"][..], &["memcpy", "--size", "64 KiB"]] {
        assert!(bench(words, "1000"), "{words:?}");
        assert!(!bench(words, "1"), "{words:?}");
    }
}

/// The default device of an operator that no card has a kernel for is the processor.
#[test]
fn an_mlp_runs_on_the_processor() {
    let usual = derate(&["bench", "mlp", "--shape", "2x64x1", "--format", "json"]);
    assert_eq!(usual.json()["device"]["kind"], "cpu");
}

#[test]
fn what_cannot_be_compared_is_refused_in_a_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let compare = |words: &[&str]| derate_in(dir.path(), &[&["compare"], words].concat());
    let quick = ["--repetitions", "1", "--warm-up", "0"];
    for (out, words) in [
        ("emu.json", &["gemm", "--shape", "8x8x8"][..]),
        ("read.json", &["read", "--device", "cpu", "--size", "4 KiB"]),
        ("gemm.json", &["gemm", "--device", "cpu", "--shape", "8x8x8"]),
    ] {
        let run = derate_in(dir.path(), &[&["bench"], words, &["--out", out], &quick].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    compare(&["emu.json"]).assert_refused("its times are emulated");
    compare(&["read.json", "--on", "t4"]).assert_refused("names no operator");
    compare(&["gemm.json"]).assert_refused("give --platform NAME");
    compare(&["gemm.json", "--on", "x9"]).assert_refused("`derate platform` lists the catalogue");
    compare(&["nowhere.json", "--on", "t4"]).assert_refused("nowhere.json cannot be read");
    compare(&["gemm.json", "--on", "t4", "--out", "gemm.json"])
        .assert_refused("is read, so it is not written");
    compare(&["gemm.json", "--on", "t4"]).assert_refused("ran on a processor, and t4 is a GPU");
    compare(&["gemm.json", "--on", "u280"]).assert_refused("a processor, and u280 is a card");
    // One shape is compared, and nothing is fitted.
    platform(dir.path());
    let run = compare(&["gemm.json", "--on", "cpu.toml", "--detail"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("fewer than 4 shapes"), "{}", run.stdout);
    assert!(run.stdout.contains("are measured ones"), "{}", run.stdout);
}

/// `--out` replaces what derate wrote of the same kind, and no other file of anybody's.
#[test]
fn files_of_others_stay_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let own = "[platform]\nname = \"u280\"\n";
    fs::write(dir.path().join("derate.toml"), own).unwrap();
    let bench = ["bench", "gemm", "--device", "cpu", "--shape", "8x8x8", "--repetitions", "1"];
    assert_eq!(derate_in(dir.path(), &[&bench[..], &["--out", "g.json"]].concat()).code, 0);
    let quick = ["--size", "1 MiB", "--shape", "40x40x40", "--ports", "1"];
    let measure = |out: &str| {
        derate_in(dir.path(), &[&["platform", "measure", "--out", out], &quick[..]].concat())
    };
    let compare =
        |out: &str| derate_in(dir.path(), &["compare", "g.json", "--on", "cpu.toml", "--out", out]);
    // Twice: each replaces its own.
    for _ in 0..2 {
        assert_eq!(measure("cpu.toml").code, 0);
        let run = compare("fit.json");
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    measure("derate.toml")
        .assert_refused("derate.toml is there, and is not a platform that derate");
    compare("derate.toml")
        .assert_refused("derate.toml is there, and is not a comparison that derate");
    compare("cpu.toml").assert_refused("cpu.toml is there, and is not a comparison");
    assert_eq!(fs::read_to_string(dir.path().join("derate.toml")).unwrap(), own);
    let kept = fs::read_to_string(dir.path().join("cpu.toml")).unwrap();
    assert!(kept.starts_with("# Measured by `derate platform measure"), "{kept}");
}

/// Ctrl-C ends a sweep between two repetitions; what was finished is in the file.
#[test]
fn a_sweep_that_is_stopped_keeps_what_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = crate::derate::in_the_foreground();
    let shapes = (0..4000).flat_map(|at| ["--shape".to_owned(), format!("8x8x{}", 1 + at % 9)]);
    run.args(["bench", "gemm", "--device", "cpu", "--out", "g.json"]).args(shapes);
    let run =
        run.current_dir(dir.path()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let file = dir.path().join("g.json");
    let since = Instant::now();
    while !file.exists() && since.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = run.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = run.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    // Ended by the signal, as any other program.
    assert_eq!(ended.status.code(), None, "{said}");
    assert!(said.contains("stopped: ") && said.contains("of 4000 are finished"), "{said}");
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let kept = json["runs"].as_array().unwrap().len();
    assert!((1..4000).contains(&kept), "{kept}");
    assert!(json["runs"].as_array().unwrap().iter().all(|run| run["check"]["passed"] == true));
}
