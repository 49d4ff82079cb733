//! Workloads from files: recorded ones and ONNX.

use std::fs;
use std::path::{Path, PathBuf};

use crate::derate::{Run, derate, derate_in, root};
use serde_json::{Value, json};

fn fixture(name: &str) -> PathBuf {
    root().join("fixtures/workloads").join(name)
}

fn operations(path: &Path) -> Value {
    let run = derate(&["shapes", path.to_str().unwrap(), "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["operations"].take()
}

/// The first scenario of an estimate.
fn first_scenario(folder: &Path) -> Value {
    let run = derate_in(folder, &["estimate", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["scenarios"][0].take()
}

/// A project whose workload is `text`, in a folder of its own.
fn project(text: &str, more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("workload.json"), text).unwrap();
    let toml = format!(
        "[model]\nworkload = \"workload.json\"\n{more}\n[platform]\nname = \"u280\"\n[claims]\nprecision = \"as-stored\"\n"
    );
    fs::write(folder.path().join("derate.toml"), toml).unwrap();
    folder
}

#[test]
fn operations_are_those_that_pytorch_counts() {
    // Of torch.utils.flop_counter.FlopCounterMode: scripts/models/compare.py counts them anew.
    let known = [
        ("vit-tiny", 2_507_366_400_u64, 93_525_056_u64),
        ("resnet18", 3_628_146_688, 116_950_592),
        ("llama", 645_922_816, 41_324_882),
    ];
    for (name, flops, bytes) in known {
        let own = operations(&fixture(name).join("workload.json"));
        assert_eq!((&own["flops"], &own["bytes"]), (&json!(flops), &json!(bytes)), "{name}");
        assert_eq!(own["unknown"], json!({}), "{name}");
    }
}

/// The recorded producer, where a file names one; FINN's names none.
#[test]
fn an_onnx_file_without_a_producer_has_none() {
    let shapes = |name: &str| {
        let path = fixture(name).join("model.onnx");
        derate(&["shapes", path.to_str().unwrap()]).stdout
    };
    let (named, nameless) = (shapes("every-kind"), shapes("finn"));
    assert!(named.contains("ONNX, pytorch 2.15.0"), "{named}");
    assert!(nameless.contains("ONNX") && !nameless.contains("ONNX,"), "{nameless}");
}

#[test]
fn onnx_has_the_operations_of_the_trace() {
    let folder = fixture("every-kind");
    let (traced, onnx) =
        (operations(&folder.join("workload.json")), operations(&folder.join("model.onnx")));
    assert_eq!(traced["flops"], 677_536);
    assert_eq!(onnx["flops"], traced["flops"]);
    assert_eq!(onnx["kinds"]["convolution"], traced["kinds"]["convolution"]);
    assert_eq!(onnx["unknown"], json!({}));
}

#[test]
fn layers_of_finn_have_their_folding() {
    let own = operations(&fixture("finn").join("model.onnx"));
    // Both convolutions and the last matrix; a depthwise one multiplies each channel alone.
    assert_eq!(own["flops"], 2 * (64 * 36 * 8 + 64 * 9 * 8 + 128 * 10));
    assert_eq!(own["unknown"], json!({"Thresholding_rtl": 1}));
    let layers = own["folding"]["layers"].as_array().unwrap();
    let cycles: Vec<(&str, &Value)> =
        layers.iter().map(|one| (one["name"].as_str().unwrap(), &one["cycles"])).collect();
    let known = |name: &str| cycles.iter().find(|(own, _)| *own == name).unwrap().1.clone();
    assert_eq!(known("FMPadding_rtl_0"), 100 * 4 / 2);
    assert_eq!(known("MVAU_hls_0"), (8 / 4) * (36 / 9) * 64);
    assert_eq!(known("VVAU_rtl_0"), (8 / 2) * (9 / 3) * 64);
    assert_eq!(known("Thresholding_rtl_0"), 16 * 8 / 4);
    assert_eq!(known("ConvolutionInputGenerator_rtl_0"), Value::Null);
    // The first sliding window states its cycles, which are the most.
    let slowest = json!({"name": "ConvolutionInputGenerator_rtl_0", "cycles": 1166});
    assert_eq!(own["folding"]["slowest"], slowest);
    let text = derate(&["shapes", fixture("finn").join("model.onnx").to_str().unwrap()]).stdout;
    assert!(text.contains("MVAU_rtl_0 has 16 cycles by its folding and 32 by the file"), "{text}");
}

/// A copy of the project of hls4ml, with `from` of one file made `to`.
fn generated(file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("firmware")).unwrap();
    for name in ["defines.h", "parameters.h", "tiny.h", "tiny.cpp"] {
        let own = fixture("hls4ml/tiny_prj/firmware").join(name);
        let text = fs::read_to_string(own).unwrap();
        assert!(name != file || text.contains(from), "{file}");
        let text = if name == file { text.replace(from, to) } else { text };
        fs::write(folder.path().join("firmware").join(name), text).unwrap();
    }
    folder
}

#[test]
fn layers_of_hls4ml_have_their_multipliers_and_cycles() {
    let folder = fixture("hls4ml/tiny_prj");
    let own = operations(&folder);
    assert_eq!(own["flops"], 2 * (64 * 27 * 4 + 64 * 10));
    assert_eq!((&own["producer"], &own["unknown"]), (&json!("hls4ml"), &json!({})));
    assert_eq!(operations(&folder.join("hls4ml_config.yml"))["kinds"], own["kinds"]);
    let layers = own["folding"]["layers"].as_array().unwrap();
    let layer = |name: &str| {
        let one = layers.iter().find(|one| one["name"] == name).unwrap();
        [one["reuse_factor"].clone(), one["multipliers"].clone(), one["cycles"].clone()]
    };
    // Each pixel that is read takes an interval; the matrix waits for 16 packets.
    assert_eq!(layer("conv"), [json!(3), json!(27 * 4 / 3), json!(100 * 3)]);
    assert_eq!(layer("fc"), [json!(16), json!(64 * 10 / 16), json!(16 + 16)]);
    assert_eq!(layer("skip"), [Value::Null, Value::Null, json!(64)]);
    assert_eq!(layer("classes"), [Value::Null, Value::Null, Value::Null]);
    assert_eq!(own["folding"]["slowest"], json!({"name": "conv", "cycles": 300}));
    let scenario = first_scenario(&fixture("hls4ml"));
    assert_eq!(scenario["totals"]["flops"], own["flops"]);
}

#[test]
fn a_convolution_of_hls4ml_with_strategy_resource_works_on_whole_windows() {
    let folder = generated(
        "parameters.h",
        "static const unsigned strategy = nnet::latency;",
        "static const unsigned strategy = nnet::resource;",
    );
    let own = operations(folder.path());
    assert_eq!(own["folding"]["slowest"], json!({"name": "conv", "cycles": 64 * 3 + 36}));
}

#[test]
fn a_reshape_of_hls4ml_is_another_name_of_what_it_reads() {
    let layer = "nnet::dense<layer7_t, layer9_t, config9>(layer7_out,";
    let own = operations(&fixture("hls4ml/tiny_prj"));
    for reshape in ["auto& layer8_out = layer7_out;", "layer7_t *layer8_out = layer7_out;"] {
        let other = format!("{reshape}\n    {}", layer.replace("layer7_out", "layer8_out"));
        assert_eq!(operations(generated("tiny.cpp", layer, &other).path())["kinds"], own["kinds"]);
    }
}

#[test]
fn a_layer_of_hls4ml_without_words_is_named() {
    let folder = generated("tiny.cpp", "nnet::relu<", "nnet::my_function<");
    let own = operations(folder.path());
    assert_eq!(own["unknown"], json!({"my_function": 1}));
    assert_eq!(own["flops"], 2 * (64 * 27 * 4 + 64 * 10));
}

#[test]
fn a_project_of_hls4ml_that_does_not_fit_is_refused() {
    let refused = |file: &str, from: &str, to: &str, words: &str| {
        let folder = generated(file, from, to);
        derate(&["shapes", folder.path().to_str().unwrap()]).assert_refused(words);
    };
    refused("parameters.h", "n_in = 64;", "n_in = 65;", "tiny.cpp:59: nnet::dense (`fc`)");
    refused("parameters.h", "struct config9", "struct config8", "no struct of settings `config9`");
    refused("parameters.h", "unsigned n_filt = N_FILT_3;", "unsigned n_f = 4;", "no `n_filt`");
    refused("defines.h", "ap_fixed<6,1> weight3_t", "other_t weight3_t", "`weight3_t`");
    refused("tiny.cpp", "layer11_cpy1, layer4_out", "nothing, layer4_out", "reads `nothing`");
    refused("tiny.cpp", "nnet::", "other::", "no function calls a layer");
    let folder = generated("defines.h", "8", "8");
    fs::remove_file(folder.path().join("firmware/parameters.h")).unwrap();
    fs::write(folder.path().join("hls4ml_config.yml"), "Backend: Vitis\n").unwrap();
    let config = folder.path().join("hls4ml_config.yml");
    derate(&["shapes", config.to_str().unwrap()]).assert_refused("hls_model.write()");
}

#[test]
fn annotated_tensors_have_their_own_format() {
    let run = derate(&[
        "shapes",
        fixture("finn").join("model.onnx").to_str().unwrap(),
        "--format",
        "json",
    ]);
    let report = run.json();
    let tensors = report["tensors"].as_array().unwrap();
    let weights = tensors.iter().find(|one| one["name"] == "MVAU_hls_0_param0").unwrap();
    assert_eq!((&weights["dtype"], &weights["shape"]), (&json!("int4"), &json!([36, 8])));
    let scenario = first_scenario(&fixture("finn"));
    assert_eq!(scenario["totals"]["flops"], report["operations"]["flops"]);
}

#[test]
fn an_estimate_has_the_operations_and_the_bytes_of_the_file() {
    for name in ["resnet18", "every-kind"] {
        let text = fs::read_to_string(fixture(name).join("workload.json")).unwrap();
        let own = project(&text, "");
        let (file, scenario) =
            (operations(&own.path().join("workload.json")), first_scenario(own.path()));
        assert_eq!(scenario["totals"]["flops"], file["flops"], "{name}");
        // Scores of an attention are written and read; all else crosses once, as the chip holds one operand of each.
        if name == "resnet18" {
            assert_eq!(scenario["totals"]["bytes"], file["bytes"], "{name}");
        }
    }
}

#[test]
fn layers_that_are_alike_are_one_block() {
    let scenario = first_scenario(&fixture("vit-tiny"));
    let parts = scenario["parts"].as_array().unwrap();
    let blocks = parts.iter().find(|part| part["name"] == "blocks").unwrap();
    assert_eq!(blocks["layers"], 12);
    let names: Vec<&str> =
        blocks["kernels"].as_array().unwrap().iter().map(|k| k["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 12, "{names:?}");
    assert!(names.contains(&"attn.qk") && names.contains(&"mlp.fc1"), "{names:?}");
}

#[test]
fn a_loop_runs_as_often_as_it_is_told() {
    let text = r#"{"schema": "derate.workload/1", "name": "step",
"loops": [{"name": "denoise_steps", "count": 10}],
"values": [{"shape": [50, 720], "dtype": "float32", "input": "x"},
{"shape": [720, 320], "dtype": "float32", "parameter": "k.weight"},
{"shape": [50, 320], "dtype": "float32"}],
"operations": [{"kind": "product", "function": "mm", "module": "k", "inputs": [0, 1], "outputs": [2], "loop": 0}],
"outputs": [2]}"#;
    let one = 2 * 50 * 720 * 320;
    let flops = |more: &str| first_scenario(project(text, more).path())["totals"]["flops"].take();
    assert_eq!(flops(""), json!(10 * one));
    assert_eq!(flops("denoise_steps = 3"), json!(3 * one));
}

fn refused(text: &str) -> Run {
    derate_in(project(text, "").path(), &["estimate"])
}

#[test]
fn shapes_that_contradict_are_refused_with_their_line() {
    let text = fs::read_to_string(fixture("vit-tiny").join("workload.json")).unwrap();
    let line = text.lines().position(|line| line.contains("blocks.3.mlp.fc1")).unwrap();
    let parameter =
        "{\"shape\":[768,192],\"dtype\":\"float32\",\"parameter\":\"blocks.3.mlp.fc1.weight\"}";
    assert!(text.contains(parameter) && line > 0);
    let place = text.lines().position(|line| line.contains(parameter)).unwrap();
    // A view of the weight says that it has other rows than the activations have columns.
    let index = place - text.lines().position(|line| line.starts_with("\"values\"")).unwrap() - 1;
    let view = format!("{{\"shape\":[192,768],\"dtype\":\"float32\",\"view\":{index}}}");
    assert!(text.contains(&view));
    let run = refused(&text.replace(&view, &view.replace("192", "191")));
    run.assert_refused("inner sizes are 192 and 191");
    assert!(
        run.stderr.contains("`blocks.3.mlp.fc1`") && run.stderr.contains("line "),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_no_workload_is_refused() {
    let empty = r#"{"schema": "derate.workload/1", "name": "m", "values": [], "operations": []}"#;
    refused(empty).assert_refused("there is no operation");
    refused("{\"model\": 1}").assert_refused("record it with derate.trace");
    refused(&empty.replace("/1", "/9")).assert_refused("derate reads derate.workload/1");
    refused(&empty[..60]).assert_refused("not a derate.workload/1 file");
    let folder = project(empty, "");
    fs::write(folder.path().join("model.onnx"), "no protobuf").unwrap();
    let run = derate_in(folder.path(), &["shapes", "model.onnx"]);
    run.assert_refused("ONNX");
}

#[test]
fn a_batch_is_that_of_the_record() {
    let text = fs::read_to_string(fixture("resnet18").join("workload.json")).unwrap();
    let own = project(&text, "");
    let toml = own.path().join("derate.toml");
    let more = format!("{}batch = 8\n", fs::read_to_string(&toml).unwrap());
    fs::write(&toml, more).unwrap();
    derate_in(own.path(), &["estimate"]).assert_refused("recorded with its own batch");
}

#[test]
fn an_operator_without_words_is_named_and_not_zero() {
    let text = r#"{"schema": "derate.workload/1", "name": "odd",
"values": [{"shape": [8, 8], "dtype": "float32", "input": "x"}, {"shape": [8, 8], "dtype": "float32"}],
"operations": [{"kind": "unknown", "function": "my.fft", "inputs": [0], "outputs": [1]}], "outputs": [1]}"#;
    let run = derate_in(project(text, "").path(), &["estimate"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.on_one_line().contains("`my.fft`"), "{}", run.stdout);
}

#[test]
fn every_recorded_fixture_holds_to_the_schema() {
    let schema = fs::read_to_string(root().join("docs/schemas/workload-1.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in ["vit-tiny", "resnet18", "llama", "every-kind"] {
        let text = fs::read_to_string(fixture(name).join("workload.json")).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let wrong: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert_eq!(wrong, Vec::<String>::new(), "{name}");
    }
    assert!(validator.iter_errors(&json!({"schema": "derate.workload/1"})).next().is_some());
}
