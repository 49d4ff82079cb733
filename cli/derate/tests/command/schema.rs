//! The committed schemas hold: that of report.json for the report of every fixture, the others for what commands print.

use std::fs;
use std::path::Path;

use crate::derate::{copy, derate, derate_in, root};
use serde_json::{Value, json};

fn report(project: &Path, more: &[&str]) -> Value {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().to_str().unwrap();
    let args = [&["report", "--format", "json", "--out", target], more].concat();
    let run = derate_in(project, &args);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&fs::read_to_string(out.path().join("report.json")).unwrap()).unwrap()
}

fn validator(noun: &str) -> jsonschema::Validator {
    let file = root().join(format!("docs/schemas/{noun}-1.json"));
    let schema = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn violations_of(noun: &str, value: &Value) -> Vec<String> {
    let validator = validator(noun);
    validator.iter_errors(value).map(|e| format!("{}: {e:.200}", e.instance_path())).collect()
}

fn violations(report: &Value) -> Vec<String> {
    violations_of("report", report)
}

/// Every folder of the fixtures with a derate.toml.
fn projects(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    if folder.join("derate.toml").exists() {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            projects(&path, found);
        }
    }
}

#[test]
fn every_fixture_holds_to_the_schema() {
    let mut found = Vec::new();
    projects(&root().join("fixtures"), &mut found);
    assert!(found.len() > 1, "{found:?}");
    for project in found {
        assert_eq!(
            violations(&report(&project, &[])),
            Vec::<String>::new(),
            "{}",
            project.display()
        );
    }
}

#[test]
fn a_design_measurements_and_points_hold_to_it_too() {
    let project = copy("smolvla");
    let file = project.path().join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    let measured = root().join("fixtures/measurements/refuted-narrow-ports/measurement.json");
    fs::copy(measured, project.path().join("run.json")).unwrap();
    fs::write(project.path().join("p.csv"), "name,oi,rate,source\nq,45,120 GOP/s,run 7\n").unwrap();
    let more = "[measurements]\nfiles = [\"run.json\"]\npoints = \"p.csv\"\n\n[design]\nrows = 32\ncolumns = 32\nlaunch = \"265 us\"\n";
    fs::write(&file, format!("{text}\n{more}")).unwrap();
    let report = report(project.path(), &[]);
    assert_eq!(
        report["points"],
        json!([{"name": "q", "oi": 45, "rate": 120_000_000_000_u64, "source": "run 7"}])
    );
    assert!(report["validation"]["files"].is_array() && report["estimate"]["scenarios"].is_array());
    assert_eq!(violations(&report), Vec::<String>::new());
}

#[test]
fn the_kernels_of_a_design_are_in_it() {
    let folder = root().join("examples/kernels-as-design");
    let mut good = report(&folder, &[]);
    assert_eq!(violations(&good), Vec::<String>::new());
    let estimate = derate(&["estimate", "examples/kernels-as-design", "--format", "json"]).json();
    assert_eq!(good["kernel_design"], estimate["kernel_design"], "the same shape and figures");
    assert_eq!(good["kernel_design"]["measured"][0]["kernel"], "fc1");
    good["kernel_design"]["measured"][0]["verdict"] = json!("fine");
    assert!(!violations(&good).is_empty());
}

#[test]
fn what_is_wrong_violates_it() {
    let good = report(&root().join("fixtures/smolvla"), &[]);
    for (pointer, wrong) in [
        ("/schema", json!("derate.report/2")),
        ("/audit/findings/0/line", json!(0)),
        ("/estimate/scenarios/0/bandwidth", json!(460e9)),
        ("/estimate/scenarios/0/parts/0/kernels/0/flops", json!("many")),
        ("/estimate/scenarios/0/totals/bound", json!("network")),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = wrong;
        assert!(!violations(&bad).is_empty(), "{pointer}");
    }
    let mut later = good;
    later["estimate"]["added_later"] = json!(1);
    assert_eq!(violations(&later), Vec::<String>::new());
}

/// What a command prints as JSON.
fn printed(command: &str) -> Value {
    let mut args: Vec<&str> = command.split(' ').collect();
    args.extend(["--format", "json"]);
    let run = derate(&args);
    assert_eq!(run.code, 0, "{command}: {}", run.stderr);
    run.json()
}

#[test]
fn what_is_printed_holds_to_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    let points = folder.path().join("points.csv");
    fs::write(&points, "name,oi,rate,source\nbf16,45,120 TFLOP/s,run 7\n").unwrap();
    let with_points = format!(
        "formats --platform h100-sxm --gemm 64,64,64 --precision bf16 --points {}",
        points.display()
    );
    let kernel = |source: &str| format!("kernel {}", root().join(source).display());
    for (noun, command) in [
        ("formats", "formats"),
        ("formats", "formats --platform u280 --gemm 64,64,64"),
        ("formats", "formats --platform gb10 --mlp 2048,4,512"),
        ("formats", &with_points),
        ("kernel", &kernel("examples/attention-scores/scores.cpp")),
        ("kernel", &kernel("fixtures/kernels/float-sum/mean.cpp")),
        ("kernel", &kernel("fixtures/kernels/float-sum/tail.cpp")),
        ("platform", "platform"),
        ("platform", "platform u280"),
        ("language-models", "predict models"),
        ("prediction", "predict gemm --on h100-sxm --shape 1x5120x3072 --precision bf16"),
        ("prediction", "predict gemm --on u280 --shape 50x2560x960 --precision int8"),
        ("prediction", "predict gemm --on u280 --shape 512x512x512"),
        (
            "prediction",
            "predict llm --model mistral-7b --on gb10 --precision bf16 --measured 30s --sweep batch=1,2",
        ),
        (
            "prediction",
            "predict gemv --on gb10 --shape 64x64 --precision fp16 --memory-efficiency 0.8",
        ),
        (
            "prediction",
            "predict attention --on a100-80 --heads 32 --kv-heads 8 --head-dim 128 --queries 128 --causal --window 64",
        ),
        ("prediction", "predict mlp --on l4 --width 2048 --layers 4 --batch 512 --eager"),
        (
            "prediction",
            "predict llm --model mistral-7b --on h200 --prompt 100 --generate 9 --measured 9s --sweep batch=1,4",
        ),
        (
            "prediction",
            "predict llm --model fixtures/language/qwen2-0.5b.json --on gb10 --generate 1",
        ),
    ] {
        let value = printed(command);
        assert_eq!(value["schema"], format!("derate.{noun}/1"), "{command}");
        assert_eq!(violations_of(noun, &value), Vec::<String>::new(), "{command}");
    }
}

/// What is not read of a kernel is left out of its JSON: widths, work, and how much there may be at most.
#[test]
fn a_kernel_that_is_not_read_holds_to_the_schema() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = |body: &str| {
        let text = format!(
            "#include \"missing.h\"\nvoid top(Line_t *in, int out[64]) {{\n#pragma HLS interface m_axi port=in\n{body}}}\n"
        );
        fs::write(folder.path().join("top.cpp"), text).unwrap();
        let args = ["kernel", "top.cpp", "--part", "xc7z020", "--format", "json"];
        let run = derate_in(folder.path(), &args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let value = run.json();
        assert_eq!(violations_of("kernel", &value), Vec::<String>::new());
        assert!(
            value["ports"][0].get("bits").is_none() && value["work"].get("multiply_adds").is_none()
        );
        value
    };
    assert!(kernel("Load(in);\n")["resources"].is_null());
    let part = kernel("Load(in);\nfor (int i = 0; i < 64; i++) out[i] = i * out[i];\n");
    let dsp = &part["resources"]["dsp"];
    assert!(dsp["low"].is_number() && dsp.get("high").is_none(), "{dsp}");
}

/// Nobody has published an FP16 peak of this card: the times are null, and nothing but a reason may stand beside them.
#[test]
fn a_time_may_be_unknown_and_then_its_reason_is_told() {
    let value = printed("predict gemm --on u280 --shape 512x512x512 --precision fp16");
    assert_eq!(violations_of("prediction", &value), Vec::<String>::new());
    for part in ["/phases/0/totals", "/phases/0/operations/0", "/phases/0/operations/0/expected"] {
        let own = value.pointer(part).unwrap();
        assert!(own["seconds"].is_null() && own["unknown"].is_string(), "{part}: {own}");
        for reason in [Value::Null, json!("")] {
            let mut silent = value.clone();
            *silent.pointer_mut(&format!("{part}/unknown")).unwrap() = reason;
            assert!(!violations_of("prediction", &silent).is_empty(), "{part}");
        }
    }
}

#[test]
fn what_is_wrong_in_what_is_printed_violates_it() {
    let gemm = "predict gemm --on h100-sxm --shape 1x5120x3072 --precision bf16";
    for (noun, command, pointer, wrong) in [
        ("formats", "formats --platform t4", "/rows/0/bound", json!("network")),
        ("formats", "formats --platform t4", "/rows/0/mixture", json!("bf16")),
        ("platform", "platform t4", "/processors/0/peaks/0/rate/provenance", json!("guessed")),
        ("platform", "platform u280", "/platforms/0/figures/0/value", Value::Null),
        ("language-models", "predict models", "/models/0/layers", json!(0)),
        ("prediction", gemm, "/workload/m", json!(0)),
        ("prediction", gemm, "/phases/0/operations/0/expected/band/rows", json!("many")),
        ("prediction", gemm, "/expected_from/0/timings/rows", json!(0)),
        ("prediction", gemm, "/schema", json!("derate.prediction/2")),
    ] {
        let mut value = printed(command);
        *value.pointer_mut(pointer).unwrap() = wrong;
        assert!(!violations_of(noun, &value).is_empty(), "{command} {pointer}");
        let mut later = printed(command);
        later["added_later"] = json!(1);
        assert_eq!(violations_of(noun, &later), Vec::<String>::new(), "{command}");
    }
}
