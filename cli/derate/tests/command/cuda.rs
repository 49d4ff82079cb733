//! `--device cuda:N` by the real binary: without NVIDIA's libraries, and with the double in their place.

mod refused;

use std::path::Path;
use std::process::Command;

use crate::derate::{derate, root};
#[cfg(feature = "serve")]
use crate::server::Server;
use serde_json::Value;
use tempfile::TempDir;

/// A folder with the double under the names of the driver, of cuBLAS and of NVRTC: one library, loaded once.
fn double() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let driver = folder.path().join("libcuda.so.1");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let built = Command::new(compiler)
        .args(["-std=c++17", "-O3", "-shared", "-fPIC", "-o"])
        .arg(&driver)
        .arg(root().join("fixtures/cuda-double/double.cpp"))
        .status()
        .unwrap();
    assert!(built.success());
    for name in ["libcublas.so.13", "libcublasLt.so.13", "libnvrtc.so.13"] {
        std::os::unix::fs::symlink("libcuda.so.1", folder.path().join(name)).unwrap();
    }
    folder
}

/// The exit code, stdout and stderr of derate where the loader finds the double first.
fn beside(double: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    beside_with(double, args, "DOUBLE_IS_RIGHT", "1")
}

/// The same, with a variable that the double reads.
fn beside_with(
    double: &Path,
    args: &[&str],
    variable: &str,
    value: &str,
) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_derate"));
    let run =
        command.args(args).env("LD_LIBRARY_PATH", double).env(variable, value).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (run.status.code(), text(run.stdout), text(run.stderr))
}

#[test]
fn operators_and_copies_run_through_the_drivers_functions() {
    let double = double();
    let bench = |rest: &[&str]| {
        let start = ["bench", rest[0], "--device", "cuda:0", "--format", "json"];
        let args = [&start[..], &rest[1..], &["--repetitions", "2", "--warm-up", "1"]].concat();
        let (code, out, said) = beside(double.path(), &args);
        assert_eq!(code, Some(0), "{said}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let gemm = bench(&["gemm", "--shape", "8x12x16", "--precision", "fp32,tf32,fp16,bf16,int8"]);
    assert_eq!(
        (gemm["device"]["kind"].as_str(), gemm["provenance"].as_str()),
        (Some("gpu"), Some("measured"))
    );
    assert_eq!(gemm["device"]["name"], "test double, no GPU");
    let runs = gemm["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 5);
    for run in runs {
        assert_eq!(run["check"]["passed"], true);
        assert_eq!(run["seconds"].as_array().unwrap().len(), 2);
    }
    // 8 x 16 and 16 x 12 at two bytes, 8 x 12 at two; of int8 at one, one and four.
    let moved = |run: &Value| [run["bytes_read"].as_f64(), run["bytes_written"].as_f64()];
    assert_eq!(moved(&runs[2]), [Some(640.0), Some(192.0)]);
    assert_eq!(moved(&runs[4]), [Some(320.0), Some(384.0)]);
    assert_eq!(runs[4]["computed"]["accumulate"], "int32");
    // 64 sets of half a kilobyte are less than the double's cache, and it says so.
    assert_eq!(runs[4]["beyond_cache"], false);
    let gemv = bench(&["gemv", "--shape", "64x32", "--precision", "fp16"]);
    assert_eq!(gemv["runs"][0]["gemm"]["m"], 1);
    assert_eq!(gemv["runs"][0]["gemm"]["n"], 64);
    let copies = bench(&["memcpy", "--size", "1 MB"]);
    assert_eq!(moved(&copies["runs"][0]), [Some(1e6), Some(1e6)]);
}

/// FP8, packed weights, and both passes of layers, each with its own bytes.
#[test]
fn formats_of_few_bits_and_both_passes_run_on_a_gpu() {
    let double = double();
    let bench = |words: &str| {
        let words =
            format!("bench {words} --device cuda:0 --repetitions 2 --warm-up 0 --format json");
        let args: Vec<&str> = words.split(' ').collect();
        let (code, out, said) = beside(double.path(), &args);
        assert_eq!(code, Some(0), "{said}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let names = "fp8,fp8-e5m2,int4-g128,nvfp4,mxfp4,mxfp8,nf4,int8";
    for shape in ["gemm --shape 32x16x128", "gemv --shape 32x128"] {
        let json = bench(&format!("{shape} --precision {names}"));
        let runs = json["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 8);
        assert!(runs.iter().all(|run| run["check"]["passed"] == true), "{json}");
        let engine = |at: usize| runs[at]["computed"]["engine"].as_str().unwrap();
        assert!(engine(0).starts_with("cuBLASLt 13.0.2, FP8 (E4M3) times"), "{}", engine(0));
        assert!(
            engine(3).contains("by kernels of derate's own, compiled by NVRTC"),
            "{}",
            engine(3)
        );
    }
    let json = bench("gemv --shape 32x128 --precision nvfp4");
    // Half a byte a weight and a byte a block of 16, four bytes for the tensor, and the vector in FP32.
    let read = 32.0 * 128.0 * (0.5 + 1.0 / 16.0) + 4.0 + 128.0 * 4.0;
    assert_eq!(json["runs"][0]["bytes_read"].as_f64(), Some(read));
    let json = bench("mlp --shape 8x64x3 --precision nf4,fp8,int4-g32");
    assert!(json["runs"].as_array().unwrap().iter().all(|run| run["check"]["passed"] == true));
    let json = bench("mlp --shape 8x24x3 --precision fp32,tf32,fp16,bf16 --backward");
    for run in json["runs"].as_array().unwrap() {
        assert_eq!(
            (&run["check"]["passed"], &run["launches"]),
            (&true.into(), &15.into()),
            "{run}"
        );
    }
}

/// Scores are written, softmaxed where they are, and read; each activation is an operation of its own. So the file says, so its
/// bytes are counted, so it is predicted, and so `derate predict` asks for it.
#[test]
fn attention_and_layers_are_what_the_file_says_that_they_are() {
    let (double, out) = (double(), tempfile::tempdir().unwrap());
    let file = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let quick = ["--repetitions", "2", "--warm-up", "0"];
    let bench = |words: &[&str], out: &str| {
        let start = ["bench", words[0], "--device", "cuda:0", "--out", out];
        let all = [&start[..], &words[1..], &quick, &["--format", "json"]].concat();
        let (code, json, said) = beside(double.path(), &all);
        assert_eq!(code, Some(0), "{said}");
        serde_json::from_str::<Value>(&json).unwrap()
    };
    let (own, mlp_file) = (file("attention.json"), file("mlp.json"));
    let shape = ["attention", "--shape", "2x6x2x16x8x20", "--causal"];
    let json = bench(&[&shape[..], &["--precision", "fp32,tf32,fp16,bf16"]].concat(), &own);
    let source = json["source"].as_str().unwrap();
    assert!(source.starts_with("cuBLAS and a softmax of derate's own"), "{source}");
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    for (run, element) in runs.iter().zip([4.0, 4.0, 2.0, 2.0]) {
        assert_eq!(run["check"]["passed"], true, "{run}");
        assert_eq!(
            (&run["launches"], &run["attention"]["softmax_apart"]),
            (&3.into(), &true.into())
        );
        // Queries and result, keys and values, and scores: written, read and written, and read.
        let (rows, cached, scores) =
            (2.0 * 6.0 * 8.0 * 16.0, 2.0 * 2.0 * 20.0 * 16.0, 2.0 * 6.0 * 8.0 * 20.0);
        let read = rows + 2.0 * cached + 2.0 * scores;
        assert_eq!(run["bytes_read"].as_f64(), Some(read * element), "{run}");
        assert_eq!(run["bytes_written"].as_f64(), Some((rows + 2.0 * scores) * element));
        let engine = run["computed"]["engine"].as_str().unwrap();
        assert!(engine.contains("a softmax of derate's own, compiled by NVRTC 13.0"), "{engine}");
        assert!(engine.contains("may hold from one kernel to the next"), "{engine}");
    }
    let json = bench(&["mlp", "--shape", "8x24x3", "--precision", "fp16"], &mlp_file);
    let run = &json["runs"][0];
    assert_eq!((&run["mlp"]["apart"], &run["launches"]), (&true.into(), &6.into()));
    // Of each layer: what it reads, its weights and its result; then GELU reads and writes that.
    let (flow, weights) = (8.0 * 24.0, 24.0 * 24.0);
    assert_eq!(run["bytes_read"].as_f64(), Some(3.0 * (2.0 * flow + weights) * 2.0));
    assert_eq!(run["bytes_written"].as_f64(), Some(3.0 * 2.0 * flow * 2.0));

    let words = ["compare", &own, &mlp_file, "--platform", "t4", "--format", "json"];
    let compared = derate(&words).json();
    let points = compared["points"].as_array().unwrap();
    assert_eq!(points.len(), 3, "{compared}");
    let of = |kind: &str, precision: &str| {
        points.iter().find(|one| one["kind"] == kind && one["precision"] == precision).unwrap()
    };
    for (point, predict) in [
        (
            of("attention", "fp16"),
            "attention --batch 2 --heads 6 --kv-heads 2 --head-dim 16 --queries 8 --keys 20 --causal --scores apart",
        ),
        (of("mlp", "fp16"), "mlp --width 24 --layers 3 --batch 8 --forward --eager"),
    ] {
        let words = format!("predict {predict} --platform t4 --precision fp16 --format json");
        let predicted = derate(&words.split(' ').collect::<Vec<_>>()).json();
        let totals = &predicted["phases"][0]["totals"];
        for (one, other) in
            [("seconds", "predicted_seconds"), ("bytes", "bytes"), ("flops", "flops")]
        {
            let (one, other) = (totals[one].as_f64().unwrap(), point[other].as_f64().unwrap());
            assert!((one / other - 1.0).abs() < 1e-9, "{predict}: {one} {other}");
        }
    }
}

/// What a server's GPU measures is predicted as it runs there, and what one of its libraries does not support ends no sweep.
#[cfg(feature = "serve")]
#[test]
fn a_server_predicts_what_its_gpu_runs() {
    let (double, folder) = (double(), tempfile::tempdir().unwrap());
    let path = double.path().to_str().unwrap();
    let environment = [("LD_LIBRARY_PATH", path), ("DOUBLE_IS_OLD", "1")];
    let server = Server::with(folder.path(), &["--device", "cuda:0"], &environment);
    for (workload, shape, apart) in
        [("attention", "1x4x2x8x6x6", "scores"), ("mlp", "4x16x2", "apart"), ("gemm", "8x8x8", "")]
    {
        let body = serde_json::json!({"workload": workload, "platform": "t4", "shapes": [shape],
            "precisions": ["bf16", "fp16"]});
        let id = server.post("/api/sweeps", &body).json()["sweep"]["id"].as_i64().unwrap();
        let done =
            server.until(id, |sweep| sweep["state"] != "running" && sweep["state"] != "waiting");
        assert_eq!((&done["state"], &done["measured"]), (&"done".into(), &1.into()), "{done}");
        let shown = server.get(&format!("/api/sweeps/{id}")).json();
        let [refused, point] = shown["points"].as_array().unwrap().as_slice() else {
            panic!("{shown}")
        };
        assert!(refused["reason"].as_str().unwrap().contains("not supported"), "{refused}");
        if !apart.is_empty() {
            let own = &point["workload"][apart];
            assert!(*own == "apart" || *own == true, "{point}");
        }
        assert_eq!(point["measured"]["bytes"], point["predicted"]["bytes"], "{point}");
    }
}

/// The file of a bench names its arithmetic as every reader of it does.
#[test]
fn products_in_fp8_are_compared() {
    let (double, out) = (double(), tempfile::tempdir().unwrap());
    let file = out.path().join("fp8.json");
    let file = file.to_str().unwrap();
    let bench = ["bench", "gemm", "--device", "cuda:0", "--shape", "64x64x64", "--precision"];
    let (code, _, said) =
        beside(double.path(), &[&bench[..], &["fp8,fp8-e5m2", "--out", file]].concat());
    assert_eq!(code, Some(0), "{said}");
    let compared = derate(&["compare", file, "--platform", "h100-sxm", "--format", "json"]).json();
    assert_eq!(compared["points"].as_array().unwrap().len(), 2, "{compared}");
}

/// What cuBLAS refuses there has no peak, with its words; a platform of what it does not refuse is read like any other.
#[test]
fn a_gpu_becomes_a_platform() {
    let (double, out) = (double(), tempfile::tempdir().unwrap());
    let file = out.path().join("gpu.toml");
    let file = file.to_str().unwrap();
    let measure = ["platform", "measure", "--device", "cuda:0", "--out", file];
    let small = ["--size", "1 MiB", "--shape", "64x64x64", "--shape", "32x64x128"];
    let (code, _, said) = beside(double.path(), &[&measure[..], &small].concat());
    assert_eq!(code, Some(0), "{said}");
    let shown = derate(&["platform", file, "--format", "json"]).json();
    let own = &shown["processors"][0];
    assert_eq!((own["name"].as_str(), own["kind"].as_str()), (Some("gpu"), Some("gpu")));
    assert_eq!(own["title"], "test double, no GPU, as measured");
    let peaks = own["peaks"].as_array().unwrap();
    let arithmetics: Vec<_> =
        peaks.iter().map(|peak| peak["arithmetic"].as_str().unwrap()).collect();
    assert_eq!(arithmetics, ["fp32", "tf32", "fp16", "bf16", "int8", "fp8_e4m3"]);
    for peak in peaks {
        assert_eq!(peak["rate"]["provenance"], "measured");
        assert!(peak["rate"]["value"].as_f64().unwrap() > 0.0);
    }
    let figures = own["figures"].as_array().unwrap();
    let figure = |name: &str| figures.iter().find(|figure| figure["name"] == name).unwrap();
    assert_eq!(figure("memory.bandwidth")["value"], figure("memory.copy_bandwidth")["value"]);
    // To four digits, as the file has all figures.
    assert_eq!(figure("last_level_cache")["value"], 65540.0);
    let predict = ["predict", "gemm", "--platform", file, "--shape", "64x64x64", "--precision"];
    let predicted = derate(&[&predict[..], &["bf16"]].concat());
    assert_eq!(predicted.code, 0, "{}", predicted.stderr);
    for ports in [&[][..], &["--ports", "2"]] {
        let other = ["platform", "measure", "--device", "emu"];
        let wanted = "--device emu: give cpu, or cuda:0 for the first GPU";
        derate(&[&other[..], ports].concat()).assert_refused(wanted);
    }
    let (code, _, said) = beside(double.path(), &[&measure[..], &["--ports", "2"]].concat());
    assert_eq!(code, Some(2));
    assert!(said.contains("a GPU has none"), "{said}");

    let mut old = Command::new(env!("CARGO_BIN_EXE_derate"));
    old.args(["platform", "measure", "--device", "cuda:0"]).args(small);
    let old = old.env("LD_LIBRARY_PATH", double.path()).env("DOUBLE_IS_OLD", "1").output().unwrap();
    assert_eq!(old.status.code(), Some(0));
    let text = String::from_utf8(old.stdout).unwrap();
    let why = "the GPU's cuBLAS could not multiply";
    assert!(text.contains(why) && text.contains("fp16") && text.contains("bf16"), "{text}");
    assert_eq!(text.matches(why).count(), 1, "{text}");
}
