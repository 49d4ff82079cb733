//! `derate validate`: the verdict of every fixture, the exit status, and what people and programs read.

use std::fs;
use std::path::PathBuf;

use crate::derate::{copy, derate, derate_in, root};
use calamine::{Reader, Xlsx, open_workbook};
use serde_json::{Value, json};

/// The folders of `fixtures/measurements`, sorted.
fn cases() -> Vec<(String, PathBuf)> {
    let mut cases: Vec<_> = fs::read_dir(root().join("fixtures/measurements"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .collect();
    cases.sort();
    cases
}

fn file(case: &str) -> String {
    format!("fixtures/measurements/{case}/measurement.json")
}

#[test]
fn every_fixture_gets_its_verdict() {
    let cases = cases();
    assert!(cases.len() > 25, "{}", cases.len());
    for (case, dir) in cases {
        let expected: Value =
            serde_json::from_str(&fs::read_to_string(dir.join("expected.json")).unwrap()).unwrap();
        let verdict = expected["verdict"].as_str().unwrap();
        assert!(case.starts_with(&format!("{verdict}-")), "{case}: `make validate` goes by names");
        let run = derate(&["validate", &file(&case), "--format", "json"]);
        assert_eq!(run.code, i32::from(verdict != "supported"), "{case}: {}", run.stderr);
        let json = run.json();
        assert_eq!(json["schema"], "derate.validation/1");
        let seen = &json["files"][0];
        assert_eq!(seen["verdict"], verdict, "{case}");
        let codes = |of: &Value| {
            let codes = of.as_array().unwrap().iter().map(|reason| reason["code"].clone());
            codes.collect::<Value>()
        };
        let figures: Value = seen["figures"]
            .as_array()
            .unwrap()
            .iter()
            .map(|figure| {
                json!({
                    "verdict": figure["verdict"],
                    "reasons": codes(&figure["reasons"]),
                    "gaps": codes(&figure["gaps"]),
                })
            })
            .collect();
        assert_eq!(figures, expected["figures"], "{case}");
        // What is emulated stays so wherever it is shown.
        if seen["measurement"]["provenance"] == "emulated" {
            assert_eq!(seen["figures"][0]["bandwidth"]["provenance"], "emulated", "{case}");
            assert!(seen["figures"][0]["share"].is_null(), "{case}");
        }
        let asked = derate(&["validate", &file(&case), "--expect", verdict]);
        assert_eq!(asked.code, 0, "{case}");
        let other = if verdict == "refuted" { "supported" } else { "refuted" };
        assert_eq!(derate(&["validate", &file(&case), "--expect", other]).code, 1, "{case}");
    }
}

#[test]
fn a_claim_of_the_command_line_is_about_whatever_was_measured() {
    for (case, bandwidth, code, verdict) in [
        ("supported-hbm-bandwidth", "460 GB/s", 1, "refuted"),
        ("supported-hbm-bandwidth", "450 GB/s", 0, "supported"),
        ("not-evidence-stream-ddr", "36 GB/s", 0, "supported"),
        ("not-evidence-cpu", "10 GB/s", 0, "supported"),
        ("not-evidence-cpu", "15.2 GB/s", 0, "supported"),
        ("not-evidence-cpu", "15.3 GB/s", 1, "refuted"),
        ("not-evidence-u50-one-port", "13 GB/s", 1, "inconclusive"),
        ("not-evidence-emulator", "1 GB/s", 1, "not-evidence"),
        ("inconclusive-xbutil", "10 GB/s", 1, "inconclusive"),
    ] {
        let run = derate(&["validate", &file(case), "--bandwidth", bandwidth, "--format", "json"]);
        assert_eq!((run.code, run.stderr.as_str()), (code, ""), "{case}");
        let json = run.json();
        assert_eq!(json["files"][0]["verdict"], verdict, "{case}");
        // The command gives the same again.
        let command = json["command"].as_str().unwrap();
        assert!(command.ends_with(&format!("--bandwidth '{bandwidth}'")), "{command}");
    }
}

#[test]
fn a_bandwidth_is_claimed_without_a_model_and_nothing_else_is() {
    let dir = tempfile::tempdir().unwrap();
    let toml = "[platform]\nname = \"u280\"\n[claims]\nbandwidth = \"300 GB/s\"\n";
    fs::write(dir.path().join("derate.toml"), toml).unwrap();
    let measured = root().join(file("supported-hbm-bandwidth"));
    let run = derate_in(dir.path(), &["validate", &measured.to_string_lossy(), "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(run.json()["claim"]["source"], "[claims] bandwidth, derate.toml:4");
    for command in ["estimate", "report"] {
        derate_in(dir.path(), &[command])
            .assert_refused("derate.toml: no dump of the model is named");
    }
    derate_in(dir.path(), &["audit"]).assert_refused("name the folder of a design");
}

#[test]
fn a_project_says_what_is_claimed_and_what_was_measured() {
    let dir = copy("smolvla");
    let measured = dir.path().join("measured");
    fs::create_dir(&measured).unwrap();
    for (case, name) in
        [("supported-hbm-bandwidth", "hbm.json"), ("not-evidence-emulator", "emu.json")]
    {
        fs::copy(root().join(file(case)), measured.join(name)).unwrap();
    }
    derate_in(dir.path(), &["validate"]).assert_refused("[measurements]");
    let toml = dir.path().join("derate.toml");
    let mut text = fs::read_to_string(&toml).unwrap();
    text.push_str("\n[measurements]\nfiles = [\"measured/*.json\"]\n");
    fs::write(&toml, &text).unwrap();
    let run = derate_in(dir.path(), &["validate", "--format", "json"]);
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    let json = run.json();
    assert_eq!(json["claim"]["source"], "[derate] bandwidth, derate.toml:25");
    assert_eq!(json["files"][0]["file"], "measured/emu.json");
    assert_eq!(json["files"][1]["verdict"], "supported");
    assert_eq!(json["beside"][0]["claim"]["value"], 460e9);
    assert_eq!(json["beside"][0]["verdicts"], json!(["not-evidence", "refuted"]));

    // The report has them with provenance and verdict; the emulated figure validates nothing there either.
    let run = derate_in(dir.path(), &["report", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Measurement measured/hbm.json: supported."), "{}", run.stdout);
    assert!(run.stdout.contains("Measurement measured/emu.json: not evidence."), "{}", run.stdout);
    let out = dir.path().join("out");
    let markdown = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(markdown.contains("Measurement measured/hbm.json: supported."), "{markdown}");
    let mut book: Xlsx<_> = open_workbook(out.join("derate.xlsx")).unwrap();
    let sheet = book.worksheet_range("Validation").unwrap();
    let cells: Vec<String> = sheet.used_cells().map(|(_, _, cell)| cell.to_string()).collect();
    for text in ["measured/hbm.json", "Published", "Emulated", "supported", "not evidence"] {
        assert!(cells.iter().any(|cell| cell.contains(text)), "no {text} in {cells:?}");
    }
    let report: Value =
        serde_json::from_str(&fs::read_to_string(out.join("report.json")).unwrap()).unwrap();
    assert_eq!(report["validation"]["schema"], "derate.validation/1");
    assert_eq!(report["validation"]["files"][0]["verdict"], "not-evidence");

    for (from, to, word) in [
        ("measured/*.json", "nowhere/*.json", "derate.toml:28: `nowhere/*.json` matches no file"),
        ("measured/*.json", "model_shape.txt", "model_shape.txt:1: it is not JSON"),
        ("files =", "file =", "derate.toml:28: unknown key `file`"),
    ] {
        fs::write(&toml, text.replacen(from, to, 1)).unwrap();
        derate_in(dir.path(), &["validate"]).assert_refused(word);
        derate_in(dir.path(), &["report"]).assert_refused(word);
    }
}

#[test]
fn a_file_that_is_nested_too_deep_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("deep.json"), "[".repeat(100_000)).unwrap();
    derate_in(dir.path(), &["validate", "deep.json"]).assert_refused("deep.json:1: ");
}
