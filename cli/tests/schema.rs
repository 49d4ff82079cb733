//! The committed schema of report.json holds for the report of every fixture.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;
use std::path::Path;

use derate::{copy, derate_in, root};
use serde_json::{Value, json};

fn report(project: &Path, more: &[&str]) -> Value {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().to_str().unwrap();
    let args = [&["report", "--format", "json", "--out", target], more].concat();
    let run = derate_in(project, &args);
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&fs::read_to_string(out.path().join("report.json")).unwrap()).unwrap()
}

fn violations(report: &Value) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs/schemas/report-1.json")).unwrap();
    let schema = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(report).map(|e| format!("{}: {e:.200}", e.instance_path())).collect()
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
