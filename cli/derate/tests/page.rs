//! The page of a real project in a real browser: its figures are derate's, as it stands and after an edit.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod assumed;
mod derate;
#[path = "../../../reports/render/tests/page/driver.rs"]
mod driver;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;

use std::fs;
use std::path::Path;

use assumed::{Edit, Figure, edits, unchanged};
use derate::{copy, derate_in};
use driver::{folder, missing_tool, run_script, write};
use harness::{run_tests, tests};
use serde_json::{Value as Json, json};

fn main() -> std::process::ExitCode {
    let in_browser = tests![the_page_of_a_project_shows_what_derate_says_and_recomputes_it];
    run_tests(Vec::new(), vec![(missing_tool(), in_browser)])
}

/// Where a figure is in the page, and what it is.
fn cells(figures: &[Figure]) -> Vec<Json> {
    let cell = |f: &Figure| json!([f.table, f.row, f.column, f.value]);
    figures.iter().map(cell).collect()
}

fn the_page_of_a_project_shows_what_derate_says_and_recomputes_it() {
    let project = copy("smolvla");
    let run = derate_in(project.path(), &["report", "--out", "out", "--format", "html,json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let pages = folder("page-project");
    fs::copy(project.path().join("out/report.html"), pages.join("report.html")).unwrap();

    let report = fs::read(project.path().join("out/report.json")).unwrap();
    let report: Json = serde_json::from_slice(&report).unwrap();
    let scenarios = report["estimate"]["scenarios"].as_array().unwrap();
    let corrected = |of: &&Json| of["name"] == "derived-peak" && of["schedule"] == "unfused";
    let parts = scenarios.iter().find(corrected).unwrap()["parts"].as_array().unwrap();
    let vision = parts.iter().find(|part| part["name"] == "vision").unwrap();

    let case = |edit: &Edit| {
        json!({
            "input": edit.input,
            "value": edit.value,
            "cells": cells(&edit.figures(project.path())),
        })
    };
    let expected = json!({
        "page": "report",
        "point": { "x": vision["oi"], "y": vision["attainable"] },
        "unchanged": cells(&unchanged(project.path())),
        "cases": edits().iter().map(case).collect::<Vec<_>>(),
    });
    write(&pages.join("expected.json"), serde_json::to_vec(&expected).unwrap());
    let checks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page/project.mjs");
    run_script("browser.mjs", &[&pages, &checks]);
}
