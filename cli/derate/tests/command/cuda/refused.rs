//! What a GPU does not run, and what a failure leaves.

use std::process::Command;

use serde_json::Value;

use super::{beside, beside_with, double};

/// What runs in no shape of a ladder is refused, with the reason.
#[test]
fn a_sweep_of_what_has_no_exponentials_is_refused() {
    let double = double();
    for kind in ["attention", "mlp"] {
        let sweep = ["bench", kind, "--device", "cuda:0", "--sweep", "--precision", "int8"];
        let (code, _, said) = beside(double.path(), &sweep);
        assert_eq!(code, Some(2), "{said}");
        assert!(
            said.contains("pass through exponentials, which int8 and fp8 do not have"),
            "{said}"
        );
    }
}

#[test]
fn a_wrong_result_is_no_measurement() {
    let double = double();
    let mut command = Command::new(env!("CARGO_BIN_EXE_derate"));
    let run = command
        .args(["bench", "gemm", "--device", "cuda:0", "--shape", "8x8x8", "--repetitions", "1"])
        .env("LD_LIBRARY_PATH", double.path())
        .env("DOUBLE_SPOIL", "1")
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1));
}

#[test]
fn what_a_gpu_does_not_run_is_refused() {
    let double = double();
    for (args, wanted) in [
        (
            &["bench", "read", "--device", "cuda:0"][..],
            "memcpy, gemv, gemm, attention and mlp run there",
        ),
        (&["bench", "gemm", "--device", "cuda:7"], "there is no GPU 7: the driver shows 1"),
        (
            &["bench", "gemm", "--device", "cuda:x"],
            "`cuda:x` is not the name of a GPU: write cuda:0",
        ),
        (&["bench", "gemm", "--device", "cuda:0", "--ports", "2"], "a GPU has none"),
        (&["bench", "gemm", "--device", "cuda:0", "--precision", "fp64"], "has no kernel on a GPU"),
        (
            &["bench", "gemm", "--device", "cuda:0", "--shape", "9x8x8", "--precision", "fp8"],
            "multiples of 16",
        ),
        (
            &["bench", "gemm", "--device", "cuda:0", "--shape", "9x8x8", "--precision", "int8"],
            "multiples of 4",
        ),
        (
            &["bench", "memcpy", "--device", "cuda:0", "--size", "1 TiB"],
            "of which 67108864 are free",
        ),
        (
            &["bench", "memcpy", "--device", "cuda:0", "--banks", "HBM[0]"],
            "cuda:0 has none of them",
        ),
    ] {
        let (code, _, said) = beside(double.path(), args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(wanted) && said.trim_end().lines().count() == 1, "{args:?}: {said}");
    }
}

/// cuBLAS takes bytes in fours: what a ladder has beside them is left out of a sweep and reported, and one shape is refused.
#[test]
fn a_sweep_leaves_out_what_cublas_does_not_take() {
    let double = double();
    let sweep = ["bench", "gemm", "--device", "cuda:0", "--sweep", "--precision", "int8"];
    let quick = ["--repetitions", "1", "--warm-up", "0", "--format", "json"];
    let (code, out, said) = beside(double.path(), &[&sweep[..], &quick].concat());
    assert_eq!(code, Some(0), "{said}");
    let json: Value = serde_json::from_str(&out).unwrap();
    let runs = json["runs"].as_array().unwrap();
    assert!(runs.iter().all(|run| run["check"]["passed"] == true), "{out}");
    let of = |run: &Value, key: &str| run["gemm"][key].as_u64().unwrap();
    assert!(runs.iter().all(|run| of(run, "m") % 4 == 0 && of(run, "k") % 4 == 0), "{out}");
    let left_out: Vec<&str> = said.lines().filter(|line| line.starts_with("left out: ")).collect();
    assert_eq!((runs.len(), left_out.len()), (20, 4), "{said}");
    for (line, shape) in
        left_out.iter().zip(["50 x 960 x 960", "50 x 2560 x 960", "50 x 960 x 2560", "513 x 1025"])
    {
        assert!(line.contains(shape) && line.contains("multiples of 4"), "{line}");
    }
    let (code, _, said) = beside(double.path(), &[&sweep[..6], &["fp64"]].concat());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("has no kernel on a GPU"), "{said}");
}

/// The second shape turns out not to fit once its turn comes: the first one is reported all the same, and the exit code is that
/// of work that could not be done.
#[test]
fn what_was_finished_before_an_error_is_shown() {
    let double = double();
    let words = ["bench", "gemm", "--device", "cuda:0", "--shape", "8x8x8", "--shape"];
    let words = [&words[..], &["8000x8000x8000", "--repetitions", "1"]].concat();
    let (code, out, said) = beside(double.path(), &words);
    assert_eq!(code, Some(2), "{said}");
    assert!(out.contains("8 x 8 x 8 in fp32"), "{out}");
    assert!(
        said.contains("are free: give a smaller one; 1 of 2 are finished, and are what is shown\n"),
        "{said}"
    );
    let file = double.path().join("g.json");
    let out_json = ["--format", "json", "--out", file.to_str().unwrap()];
    let (code, out, said) = beside(double.path(), &[&words[..], &out_json].concat());
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("what is shown and written\n"), "{said}");
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["runs"].as_array().unwrap().len(), 1);
    let written = std::fs::read_to_string(file).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), json);
}

#[test]
fn without_a_gpu_there_is_one_sentence() {
    // Neither the loader nor CUDA_HOME finds a driver of this machine, if it has one.
    let nothing = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_derate"));
    let run = command
        .args(["bench", "gemm", "--device", "cuda:0", "--shape", "64x64x64"])
        .env("CUDA_VISIBLE_DEVICES", "")
        .env("CUDA_HOME", nothing.path())
        .env("LD_LIBRARY_PATH", nothing.path())
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), run.stdout.is_empty()), (Some(2), true), "{said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    // A driver in the system's own folders is found, and shows no device.
    let without =
        said.contains("NVIDIA's driver cannot be loaded") && said.contains("`nvidia-smi`");
    let hidden = said.contains("could not start: ") || said.contains("there is no GPU 0");
    assert!(without || hidden, "{said}");
}

/// A GPU without tensor cores of FP8 runs the other precisions of `all`, and says which one it leaves out.
#[test]
fn all_precisions_leave_out_what_a_gpu_does_not_multiply() {
    let double = double();
    let words = "bench gemm --shape 16x16x128 --precision all --device cuda:0 --repetitions 1 --format json";
    let args: Vec<&str> = words.split(' ').collect();
    let (code, out, said) = beside_with(double.path(), &args, "DOUBLE_CAPABILITY", "86");
    assert_eq!(code, Some(0), "{said}");
    let json = serde_json::from_str::<Value>(&out).unwrap();
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run["check"]["passed"] == true), "{json}");
    let line = said.lines().find(|line| line.starts_with("left out: ")).unwrap();
    assert!(line.contains("fp8") && line.contains("this GPU has 8.6"), "{line}");
}
