//! The whole `derate report`, from the program's start to the last of its files: of `fixtures/smolvla`, and of a model of
//! 10,000 tensors.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench says what it saw; one that cannot be set up has failed"
)]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each is run.
const RUNS: usize = 11;
const LARGE_RUNS: usize = 3;

/// The largest model that a report is made for in a few seconds.
const TENSORS: usize = 10_000;

/// The bars of the large model: seconds, and bytes of the page.
const SECONDS: f64 = 5.0;
const PAGE: u64 = 5_000_000;

const PROJECT: &str = "[model]\nshapes = \"model.txt\"\nworkload = \"linear\"\n\n[platform]\nname = \"u280\"\n\n[claims]\n\
    precision = \"bf16\"\nsequence_length = 128\nclock = \"300 MHz\"\nbandwidth = \"460 GB/s\"\n\
    peak = { bf16 = \"5.41 TFLOP/s\" }\n";

/// The least, the middle and the most of the times of `runs` reports.
fn time_report(project: &Path, out: &Path, runs: usize) -> [Duration; 3] {
    let run = || {
        let began = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_derate"))
            .arg("report")
            .arg(project)
            .arg("--out")
            .arg(out)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        began.elapsed()
    };
    let mut times: Vec<Duration> = (0..runs).map(|_| run()).collect();
    times.sort();
    [times[0], times[runs / 2], times[runs - 1]]
}

fn time_fixture() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/smolvla");
    let out = tempfile::tempdir().unwrap();
    let [least, middle, most] =
        time_report(&project, out.path(), RUNS).map(|time| time.as_secs_f64() * 1e3);
    println!(
        "derate report of fixtures/smolvla, every file: {middle:.0} ms ({least:.0} to {most:.0} ms in {RUNS} runs)"
    );
}

/// Weights of many names and shapes, none of them twice.
fn write_dump() -> String {
    let mut dump = String::new();
    for at in 0..TENSORS {
        let (rows, columns) = (64 + 8 * (at % 97), 128 + 16 * (at % 31));
        let _ = writeln!(
            dump,
            "model.layers.{at}.block.{}.weight: torch.Size([{rows}, {columns}]) [torch.bfloat16]",
            at % 8
        );
    }
    dump
}

/// A number of the first element of a picture.
fn read_size(svg: &str, attribute: &str) -> f64 {
    let begin = format!("{attribute}=\"");
    svg.split_once(&begin).unwrap().1.split_once('"').unwrap().0.parse().unwrap()
}

fn time_large_model() {
    let project = tempfile::tempdir().unwrap();
    fs::write(project.path().join("derate.toml"), PROJECT).unwrap();
    fs::write(project.path().join("model.txt"), write_dump()).unwrap();
    let out = project.path().join("out");
    let [least, middle, most] =
        time_report(project.path(), &out, LARGE_RUNS).map(|time| time.as_secs_f64());
    let page = fs::metadata(out.join("report.html")).unwrap().len();
    assert!(page <= PAGE, "the page has {page} bytes");
    let svg = fs::read_to_string(out.join("roofline.svg")).unwrap();
    let (width, height) = (read_size(&svg, "width"), read_size(&svg, "height"));
    assert!(height <= width, "the roofline is {width} x {height} pixels");
    println!(
        "derate report of {TENSORS} tensors, every file: {middle:.1} s ({least:.1} to {most:.1} s in {LARGE_RUNS} runs; \
         bar {SECONDS} s), page {:.1} MB (bar {:.0} MB), roofline {width} x {height} pixels",
        page as f64 / 1e6,
        PAGE as f64 / 1e6
    );
}

fn main() {
    time_fixture();
    time_large_model();
}
