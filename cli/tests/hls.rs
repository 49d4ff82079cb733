//! `derate hls` and the files of the build in a project.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::{copy, derate, derate_in};
use insta::assert_snapshot;

#[test]
fn a_report_is_shown_as_it_prints_itself() {
    assert_snapshot!(derate(&["hls", "fixtures/reports/tree-2022/csynth.rpt"]).stdout);
}

#[test]
fn kernels_and_what_is_not_audited() {
    let run = derate(&[
        "hls",
        "fixtures/smolvla/kernels/gemm.cpp",
        "fixtures/smolvla/derate.toml",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["schema"], "derate.hls/1");
    let [source, other] = json["files"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!(
        (source["kind"].as_str(), source["content"][0]["name"].as_str()),
        (Some("source"), Some("gemm"))
    );
    assert_eq!(other["kind"], "not-audited");
}

#[test]
fn unknown_values_stay_the_words_that_were_printed() {
    let run = derate(&[
        "hls",
        "fixtures/reports/cosim-pass-without-figures/net_cosim.rpt",
        "--format",
        "json",
    ]);
    let content = &run.json()["files"][0]["content"];
    let verilog = content["cosim"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["language"]["value"] == "Verilog")
        .unwrap();
    assert_eq!(verilog["status"]["value"], "Pass");
    assert_eq!(verilog["latency"]["max"]["value"], "NA");
    assert!(
        verilog["status"]["line"].as_u64().is_some_and(|line| line > 1),
        "a place is a line, not bytes"
    );
}

#[test]
fn what_is_no_report_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.xml"), "<html></html>").unwrap();
    derate_in(dir.path(), &["hls", "a.xml"]).assert_refused("root <profile>");
    derate_in(dir.path(), &["hls", "gone.rpt"]).assert_refused("check the path");
}

#[test]
fn a_project_names_its_configuration_and_reports() {
    let dir = copy("smolvla");
    let toml = dir.path().join("derate.toml");
    let text = fs::read_to_string(&toml).unwrap();
    let named = "[hls]\nconnectivity = \"u280.cfg\"\nreports = [\"*.rpt\"]";
    fs::write(&toml, text.replace("[hls]", named)).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("`*.rpt` matches no file");
    fs::write(dir.path().join("a.rpt"), "nothing of the kind\n").unwrap();
    fs::write(
        dir.path().join("u280.cfg"),
        "[connectivity]\nnk=mlp_block:1\nsp=${UNIT}.input:HBM[0]\n",
    )
    .unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("a.rpt is no report");
    fs::remove_file(dir.path().join("a.rpt")).unwrap();
    let report = derate::root().join("fixtures/reports/tree-2022/csynth.rpt");
    fs::copy(report, dir.path().join("csynth.rpt")).unwrap();
    let json = derate_in(dir.path(), &["audit", "--format", "json"]).json();
    let unread =
        json["findings"].as_array().unwrap().iter().find(|f| f["file"] == "u280.cfg").unwrap();
    assert_eq!(
        (unread["code"].as_str(), unread["line"].as_u64()),
        (Some("source/unread"), Some(3))
    );
}
