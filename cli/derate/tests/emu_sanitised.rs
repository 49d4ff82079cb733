//! Kernels that are compiled with the sanitizers of addresses and of undefined behaviour: the headers that they include are derate's.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;

use std::path::Path;
use std::process::{Command, ExitCode, Output};

use derate::{alter_kernel, root};
use harness::{run_tests, tests};

/// What is loaded before all else, for kernels that are compiled so.
const LIBRARIES: [&str; 2] = ["libasan.so", "libubsan.so"];

fn main() -> ExitCode {
    let lack = LIBRARIES.into_iter().find(|name| find_library(name).is_none());
    let sanitised = tests![results_equal_the_reference, what_a_sanitizer_finds_ends_the_run,];
    run_tests(Vec::new(), vec![(lack.map(str::to_owned), sanitised)])
}

/// Where the compiler has a library; without one it repeats the name.
fn find_library(name: &str) -> Option<String> {
    let found = Command::new("c++").arg(format!("-print-file-name={name}")).output().ok()?;
    let path = String::from_utf8(found.stdout).ok()?.trim().to_owned();
    Path::new(&path).is_absolute().then_some(path)
}

/// A bench of a source that is compiled with sanitizers, each finding of which ends the process.
fn bench(dir: &Path, kind: &[&str], source: &Path, kernel: &str) -> Output {
    let libraries: Vec<String> = LIBRARIES.iter().filter_map(|name| find_library(name)).collect();
    Command::new(env!("CARGO_BIN_EXE_derate"))
        .arg("bench")
        .args(kind)
        .args(["--repetitions", "1", "--kernel", kernel, "--source"])
        .arg(source)
        .current_dir(dir)
        .env("CXX", "c++ -fsanitize=address,undefined -fno-sanitize-recover=all")
        .env("LD_PRELOAD", libraries.join(":"))
        // What a process keeps until its end is no defect of a kernel.
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()
        .unwrap()
}

fn results_equal_the_reference() {
    let dir = tempfile::tempdir().unwrap();
    for (kind, source, kernel) in [
        (["memcpy", "--size", "64 KiB"], "memcpy.cpp", "krnl_memcpy"),
        (["gemm", "--shape", "19x21x35"], "gemm_f32.cpp", "krnl_gemm_f32"),
    ] {
        let ran = bench(dir.path(), &kind, &root().join("hls/kernels").join(source), kernel);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && !said.contains("Sanitizer"), "{kernel}: {said}");
    }
}

fn what_a_sanitizer_finds_ends_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let beyond = "volatile int few[4] = {}; few[i & 7] = 1; dst[i] = src[i];";
    alter_kernel(dir.path(), "memcpy.cpp", "dst[i] = src[i];", beyond);
    let kind = ["memcpy", "--size", "64 KiB"];
    let ran = bench(dir.path(), &kind, &dir.path().join("mine.cpp"), "krnl_memcpy");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(!ran.status.success(), "{said}");
    assert!(said.contains("out of bounds") || said.contains("AddressSanitizer"), "{said}");
}
