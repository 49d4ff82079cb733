//! Every example of every help text is run, and answers.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use crate::derate::{copy_into, derate, derate_in, root};

/// What cannot be run here, by what its line contains, and why.
const NOT_RUN: [(&str, &str); 13] = [
    ("derate merge", "its parts are made first: shards.rs does that"),
    ("vim.lsp", "it is the configuration of an editor"),
    ("derate serve", "it serves until somebody ends it"),
    ("cuda:0", "it needs a GPU"),
    ("xrt:0", "it needs a card, or the design of one"),
    ("derate emu run", "it runs a program of the user's"),
    ("derate emu env", "it runs a program of the user's"),
    ("derate emu python", "it runs a program of the user's"),
    ("derate emu toolchain", "it builds a program of the user's"),
    ("--device cpu --sweep", "it measures for minutes"),
    ("1x32x8x128x1x4096", "it measures for minutes"),
    ("derate platform measure", "it measures for minutes"),
    ("--seconds 600", "it searches for ten minutes"),
];

/// Words of a command behind which exit status 1 is an answer: its help says so.
const MAY_REFUSE: [&str; 2] = ["derate audit", "derate validate"];

/// The subcommands that a help text lists.
fn list_commands(help: &str) -> Vec<String> {
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let rows = rows.take_while(|line| line.starts_with("  ") || line.is_empty());
    let name =
        |row: &str| row.strip_prefix("  ").filter(|row| !row.starts_with(' ')).map(first_word);
    rows.filter_map(name).filter(|name| name != "help").collect()
}

fn first_word(row: &str) -> String {
    row.split_whitespace().next().unwrap_or_default().to_owned()
}

/// The examples of a help text, each on one line, without what is said beside it.
fn list_examples(help: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let rows = help.lines().skip_while(|line| *line != "Examples:" && *line != "Example:").skip(1);
    for row in rows.map_while(|row| row.strip_prefix("  ")) {
        let command = row.split("    ").next().unwrap_or_default().trim_end();
        let begins = ["derate ", "ssh ", "eval "].iter().any(|word| row.starts_with(word));
        match all.last_mut() {
            Some(last) if !begins => {
                last.truncate(last.trim_end_matches('\\').trim_end().len());
                last.extend([" ", command.trim_start()]);
            }
            _ => all.push(command.to_owned()),
        }
    }
    all
}

/// The examples of a command and of all below it.
fn collect_examples(words: &[&str], all: &mut Vec<String>) {
    let run = derate(&[words, &["--help"]].concat());
    assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    all.extend(list_examples(&run.stdout));
    for command in list_commands(&run.stdout) {
        collect_examples(&[words, &[command.as_str()]].concat(), all);
    }
}

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

const MACHINE: &str = r#"name = "cpu"
title = "A machine"
kind = "cpu"

[memory]
title = "DDR4"
bandwidth = { value = "20 GB/s", provenance = "assumed", source = "made up" }

[[peak]]
arithmetic = "fp32"
accumulate = "fp32"
engine = "AVX2"
rate = { value = "100 GFLOP/s", provenance = "assumed", source = "made up" }
"#;

const GEMM: &str = r#"#include "port.h"

extern "C" void gemm(port<const float> a, port<const float> b, port<float> c) {
#pragma HLS INTERFACE m_axi port = a bundle = g0
#pragma HLS INTERFACE m_axi port = b bundle = g1
#pragma HLS INTERFACE m_axi port = c bundle = g2
    static const int TILE = 16;
    float row[64];
rows:
    for (int i = 0; i < 64; i += TILE) {
        for (int t = 0; t < TILE; t++) {
        columns:
            for (int j = 0; j < 64; j++) {
                float sum = 0;
            terms:
                for (int k = 0; k < 64; k++) {
                    sum += a[(i + t) * 64 + k] * b[k * 64 + j];
                }
                row[j] = sum;
            }
            for (int j = 0; j < 64; j++) {
                c[(i + t) * 64 + j] = row[j];
            }
        }
    }
}
"#;

const GEMV: &str = r#"extern "C" void NAME(const float *w, const float *x, float *y) {
rows:
    for (int i = 0; i < 64; i++) {
        float sum = 0;
    terms:
        for (int j = 0; j < 64; j++) {
#pragma HLS PIPELINE II = 1
            sum += w[i * 64 + j] * x[j];
        }
        y[i] = sum;
    }
}
"#;

/// The files that examples name, in `dir`.
fn lay_files(dir: &Path) {
    let fixtures = root().join("fixtures");
    for place in [".", "fixtures/smolvla", "hw/accelerator", "my-project"] {
        fs::create_dir_all(dir.join(place)).unwrap();
        copy_into(&fixtures.join("smolvla"), &dir.join(place));
    }
    fs::create_dir_all(dir.join("solution1")).unwrap();
    copy_into(&fixtures.join("synthesis/mean/solution1"), &dir.join("solution1"));
    for (from, to) in [
        ("measurements/supported-memcpy/measurement.json", "memcpy.json"),
        ("measurements/supported-hbm-bandwidth/measurement.json", "read.json"),
        ("measurements/supported-hbm-bandwidth/measurement.json", "run.json"),
        ("measurements/supported-hbm-bandwidth/measurement.json", "u280.json"),
        ("measurements/refuted-narrow-ports/measurement.json", "narrow.json"),
        ("measurements/inconclusive-gemm/measurement.json", "card.json"),
        ("language/qwen2-0.5b.json", "qwen/config.json"),
        ("profiles/ncu-long.csv", "ncu.csv"),
        ("profiles/smi-power.csv", "power.csv"),
        ("kernels/dataflow.cpp", "vcopy.cpp"),
        ("reports/xml-2023-summary/csynth.xml", "csynth.xml"),
        ("workloads/every-kind/model.onnx", "model.onnx"),
        ("../hls/u280.cfg", "u280.cfg"),
        ("../hls/kernels/port.h", "port.h"),
    ] {
        fs::create_dir_all(dir.join(to).parent().unwrap()).unwrap();
        fs::copy(fixtures.join(from), dir.join(to)).unwrap();
    }
    write(dir, "cpu.toml", MACHINE);
    write(dir, "mine.toml", MACHINE);
    write(dir, "gemm.cpp", GEMM);
    for name in ["gemv", "gesummv", "attention"] {
        write(dir, &format!("{name}.cpp"), &GEMV.replace("NAME", name));
    }
    write(dir, "directives.tcl", "set_directive_pipeline \"gemv/terms\"\n");
    write(dir, "solution1/directives.tcl", "set_directive_pipeline \"gemv/terms\"\n");
    write(
        dir,
        "hls_config.cfg",
        "part=xcu280-fsvh2892-2L-e\n\n[hls]\nclock=3.33\nsyn.file=gemv.cpp\nsyn.top=gemv\n",
    );
    write(dir, "hls_project/gemm.cpp", GEMM);
    write(dir, "designs.csv", "name,unroll:gesummv/terms\na,1\nb,2\n");
    write(dir, "measured.csv", "name,oi,rate,source\nfc1,3e2,1.2 TFLOP/s,made up\n");
    write(dir, "include/types.h", "using word_t = float;\n");
    write(dir, "src/top.cpp", "#include \"types.h\"\nword_t weights[16];\n");
    fs::create_dir(dir.join("own")).unwrap();
    copy_into(&root().join("hls/kernels"), &dir.join("own"));
    for words in [
        &["report", "--out", "before", "--format", "json"][..],
        &["emu", "xclbin", "--output", "design.xclbin", "gemm.cpp"],
    ] {
        let run = derate_in(dir, words);
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    }
    for (operator, shape) in [("gemv", "64x64"), ("gemm", "64x64x64")] {
        let file = format!("{operator}.json");
        let words = ["bench", operator, "--shape", shape, "--device", "cpu", "--out", &file];
        assert_eq!(derate_in(dir, &words).code, 0, "{operator}");
    }
}

/// What an example exits with in a folder of its own.
fn run_example(example: &str, files: &Path) -> (i32, String, String) {
    let home = tempfile::tempdir().unwrap();
    for place in ["my-accelerator", ".local/share/bash-completion/completions"] {
        fs::create_dir_all(home.path().join(place)).unwrap();
    }
    write(home.path(), "my-accelerator/gemv.cpp", &GEMV.replace("NAME", "gemv"));
    let dir = tempfile::tempdir().unwrap();
    copy_into(files, dir.path());
    if example == "derate init" {
        fs::remove_file(dir.path().join("derate.toml")).unwrap();
    }
    if example.contains("kernels/*.cpp") {
        fs::remove_dir_all(dir.path().join("kernels")).unwrap();
        fs::rename(dir.path().join("own"), dir.path().join("kernels")).unwrap();
    }
    if example.ends_with("csynth.xml") {
        let report = dir.path().join("solution1/syn/report/csynth.xml");
        fs::rename(dir.path().join("csynth.xml"), report).unwrap();
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_derate")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", example])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("HOME", home.path())
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The rows of a prediction that say that its time or its bound is not known.
fn find_unknown(stdout: &str) -> Vec<&str> {
    let asked = |row: &&str| {
        ["Time at the roofline", "Bound ", "Tokens per second"]
            .iter()
            .any(|key| row.starts_with(key))
    };
    stdout.lines().filter(asked).filter(|row| row.contains("unknown")).collect()
}

/// What is wrong about the answer of an example.
fn check_example(example: &str, files: &Path) -> Vec<String> {
    let (code, answer, said) = run_example(example, files);
    let may_refuse = MAY_REFUSE.iter().any(|words| example.starts_with(words));
    let mut bad = Vec::new();
    if code != 0 && !(code == 1 && may_refuse) {
        bad.push(format!("{example}\n  exits with {code}: {said}"));
    }
    let unknown = find_unknown(&answer).into_iter();
    bad.extend(unknown.map(|row| format!("{example}\n  does not answer: {row}")));
    bad
}

#[test]
fn every_example_of_every_help_text_answers() {
    let mut all = Vec::new();
    collect_examples(&[], &mut all);
    all.sort();
    all.dedup();
    assert!(all.len() > 70, "{}", all.len());
    let files = tempfile::tempdir().unwrap();
    lay_files(files.path());
    let is_run = |example: &&String| !NOT_RUN.iter().any(|(words, _)| example.contains(words));
    let open = Mutex::new(all.iter().filter(is_run));
    let bad = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(example) = { open.lock().unwrap().next() } {
                    let found = check_example(example, files.path());
                    bad.lock().unwrap().extend(found);
                }
            });
        }
    });
    let bad = bad.into_inner().unwrap();
    for (words, reason) in NOT_RUN {
        assert!(all.iter().any(|example| example.contains(words)), "{words}: {reason}");
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn the_flagship_case_answers_as_its_help_says() {
    let words = ["predict", "llm", "--model", "mistral-7b", "--platform", "t4"];
    let run = derate(&[&words[..], &["--measured", "9 s", "--format", "json"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["precision"]["weights"], "fp16");
    assert!(json["language"]["measured"]["of_roofline"].is_f64());
    let notes = json["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("no BF16")));
}
