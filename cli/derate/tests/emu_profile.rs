//! `derate emu run --profile`: what is counted is exact, what is modelled says so, and the same run gives the same bytes.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod xrt;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use derate::{Run, derate, root};
use harness::{run_tests, tests};
use serde_json::Value;
use xrt::{Programs, missing_tool};

fn main() -> ExitCode {
    let with_xrt = tests![
        a_copy_is_counted_to_the_byte,
        the_same_run_gives_the_same_bytes,
        what_is_not_known_says_why,
        a_design_says_its_sources,
        a_profile_that_cannot_be_is_refused_before_the_program_runs,
    ];
    run_tests(Vec::new(), vec![(missing_tool(), with_xrt)])
}

fn profile(folder: &Path, more: &[&str], program: &str, args: &[&str]) -> Run {
    let programs = Programs::get();
    let program = programs.dir.path().join(program);
    let (program, design) = (program.to_str().unwrap(), programs.design.to_str().unwrap());
    let folder = folder.to_str().unwrap();
    derate(&[&["emu", "run", "--profile", folder], more, &["--", program, design], args].concat())
}

fn memcpy_source() -> String {
    root().join("hls/kernels/memcpy.cpp").display().to_string()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Three runs of 64 KiB: what is read is what is written, in one burst a run; 128 KiB are one message of XRT's, and 320 KiB three.
fn a_copy_is_counted_to_the_byte() {
    let dir = tempfile::tempdir().unwrap();
    for bytes in [64_u64 << 10, 128 << 10, 320 << 10] {
        let source = memcpy_source();
        let run = profile(dir.path(), &["--source", &source], "memcpy", &[&bytes.to_string(), "3"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stderr.contains("(Emulated: counted)"), "{}", run.stderr);
        assert!(run.stderr.contains("(Modelled, not measured)"), "{}", run.stderr);
        let (summary, all) = (read(dir.path(), "summary.csv"), 3 * bytes);
        for line in [
            format!("krnl_memcpy_1,src,gmem0,HBM[0],512,3,{all},0,3,{bytes}"),
            format!("krnl_memcpy_1,dst,gmem1,HBM[1],512,3,0,{all},3,{bytes}"),
            format!("host to card,HBM[0],3,{all},"),
            format!("card to host,HBM[1],3,{all},"),
        ] {
            assert!(summary.contains(&line), "{line}\n{summary}");
        }
        let trace: Value = serde_json::from_str(&read(dir.path(), "trace.json")).unwrap();
        let spans: Vec<&Value> =
            trace.as_array().unwrap().iter().filter(|one| one["ph"] == "X").collect();
        assert_eq!(spans.len(), 3 + 9);
        assert!(spans.iter().all(|one| one["args"]["time is"] == "Modelled"));
        let runs: Vec<_> = spans.iter().filter(|one| one["name"] == "krnl_memcpy").collect();
        for pair in runs.windows(2) {
            let end = pair[0]["ts"].as_f64().unwrap() + pair[0]["dur"].as_f64().unwrap();
            assert!(pair[1]["ts"].as_f64().unwrap() >= end - 1e-3, "{pair:?}");
        }
        // The bandwidth model's, from counted bytes, and at least a cycle for each word.
        let (first, cycles) = (runs[0], runs[0]["args"]["cycles"].as_f64().unwrap());
        assert!(cycles >= bytes as f64 / 64.0 && cycles < bytes as f64 / 64.0 + 500.0, "{cycles}");
        assert!(first["dur"].as_f64().unwrap() * 300.0 >= cycles - 1.0, "{first}");
    }
}

/// Units side by side, hundreds of runs, sub-buffers: XRT's threads come in any order.
fn the_same_run_gives_the_same_bytes() {
    let (first, again) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for program in ["gemm", "opencl"] {
        for dir in [&first, &again] {
            let run = profile(dir.path(), &[], program, &[]);
            assert_eq!(run.code, 0, "{}", run.stderr);
        }
        for name in ["profile.html", "summary.csv", "trace.json"] {
            assert!(read(first.path(), name) == read(again.path(), name), "{program}: {name}");
        }
    }
}

fn what_is_not_known_says_why() {
    let dir = tempfile::tempdir().unwrap();
    // Nothing is transferred, and that is no time below zero.
    profile(dir.path(), &[], "faults", &["again"]);
    let page = read(dir.path(), "profile.html");
    assert!(page.contains("0.0 % busy") && !page.contains("-0.0 %"));
    // A program that loads nothing has no profile.
    let empty = dir.path().join("empty");
    let none = derate(&["emu", "run", "--profile", empty.to_str().unwrap(), "--", "true"]);
    assert_eq!(none.code, 0);
    assert!(none.stderr.contains("the program loaded no design"), "{}", none.stderr);
    assert_eq!(fs::read_dir(empty).unwrap().count(), 0);
}

/// A design says where its sources were and what was in them: the cycles are known without a word, and unknown where they have
/// changed.
fn a_design_says_its_sources() {
    let dir = tempfile::tempdir().unwrap();
    let source = |name: &str| dir.path().join(name);
    for name in ["memcpy.cpp", "word.h"] {
        fs::copy(root().join("hls/kernels").join(name), source(name)).unwrap();
    }
    let path = source("memcpy.cpp").display().to_string();
    let config = source("memcpy.cfg");
    fs::write(
        &config,
        "[connectivity]\nsp=krnl_memcpy_1.src:HBM[0]\nsp=krnl_memcpy_1.dst:HBM[1]\n",
    )
    .unwrap();
    let design = source("memcpy.xclbin").display().to_string();
    let make = || {
        let words = ["emu", "xclbin", "-o", &design, &path, "--config"];
        let made = derate(&[&words[..], &[config.to_str().unwrap()]].concat());
        assert_eq!(made.code, 0, "{}", made.stderr);
    };
    make();
    let program = Programs::get().dir.path().join("memcpy").display().to_string();
    let out = source("profile").display().to_string();
    let page = |more: &[&str]| {
        let words = ["emu", "run", "--profile", &out];
        let run = derate(&[&words[..], more, &["--", &program, &design]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let is_bound = run.stderr.contains("at least ");
        assert_eq!(
            is_bound,
            read(Path::new(&out), "profile.html").contains("its cycles are unknown")
        );
        read(Path::new(&out), "profile.html")
    };
    assert!(!page(&[]).contains("unknown: "));
    let changed = "memcpy.cpp is not what it was when the design was made, or a header of it is not: make the design again";
    for name in ["memcpy.cpp", "word.h"] {
        let text = fs::read_to_string(source(name)).unwrap();
        fs::write(source(name), format!("{text}\n// another line\n")).unwrap();
        assert!(page(&[]).contains(changed), "{name}");
        assert!(!page(&["--source", &path]).contains("unknown: "));
        make();
        assert!(!page(&[]).contains("unknown: "));
    }
    fs::remove_file(source("memcpy.cpp")).unwrap();
    assert!(page(&[]).contains("memcpy.cpp cannot be read any more"));
    let other = root().join("hls/kernels/memcpy.cpp").display().to_string();
    assert!(!page(&["--source", &other]).contains("unknown: "));
}

fn a_profile_that_cannot_be_is_refused_before_the_program_runs() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let ran = dir.path().join("ran");
    let touch = ["--", "touch", ran.to_str().unwrap()];
    let file = file.to_str().unwrap();
    derate(&[&["emu", "run", "--profile", file], &touch[..]].concat())
        .assert_refused("is a file: name a folder");
    let words = ["emu", "run", "--profile", dir.path().to_str().unwrap(), "--source", "nosuch.cpp"];
    derate(&[&words, &touch[..]].concat()).assert_refused("nosuch.cpp");
    assert!(!ran.exists());
}
