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
fn what_can_be_read_is_shown_beside_what_cannot() {
    let run = derate(&[
        "hls",
        "fixtures/smolvla/kernels/gemm.cpp",
        "fixtures/smolvla/derate.toml",
        "fixtures/gone.rpt",
        "--format",
        "json",
    ]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let errors: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 2, "{}", run.stderr);
    assert!(
        errors[0].starts_with("error: fixtures/smolvla/derate.toml is TOML: give a report"),
        "{}",
        errors[0]
    );
    assert!(errors[1].contains("check the path"), "{}", errors[1]);
    let json = run.json();
    assert_eq!(json["schema"], "derate.hls/1");
    let [source, other] = json["files"].as_array().unwrap().as_slice() else { panic!("{json}") };
    assert_eq!(
        (source["kind"].as_str(), source["content"][0]["name"].as_str()),
        (Some("source"), Some("gemm"))
    );
    assert_eq!(other["kind"], "not-audited");
    assert!(other["content"].as_str().unwrap().contains("is TOML"), "{other}");
}

#[test]
fn parameters_keep_their_const_and_their_extents() {
    let dir = tempfile::tempdir().unwrap();
    let code = "constexpr int ROWS = 4 * 16;\nvoid top(const float* a, const char (&b), float c[ROWS][32], int d[], hls::stream<int>& s) {}\n";
    fs::write(dir.path().join("top.cpp"), code).unwrap();
    let text = derate_in(dir.path(), &["hls", "top.cpp"]).stdout;
    for part in ["const float* a", "float c[ROWS = 64][32]", "int d[]", "& s"] {
        assert!(
            text.replace(char::is_whitespace, "").contains(&part.replace(' ', "")),
            "{part}: {text}"
        );
    }
    let json = derate_in(dir.path(), &["hls", "top.cpp", "--format", "json"]).json();
    let parameters = &json["files"][0]["content"][0]["parameters"];
    assert_eq!(
        (&parameters[0]["constant"], &parameters[2]["constant"]),
        (&true.into(), &false.into())
    );
    assert_eq!(parameters[2]["dims"][0]["expression"], "ROWS");
    assert_eq!(parameters[2]["dims"][0]["value"], 64);
    assert!(parameters[3]["dims"][0]["value"].is_null());
    assert_eq!(parameters[4]["reference"], true);
}

#[test]
fn a_clock_option_says_what_it_is_for() {
    let dir = tempfile::tempdir().unwrap();
    let cfg = "kernel_frequency=0:300|1:500\n[clock]\nfreqHz=250000000:gemm_1.ap_clk\n\
               defaultFreqHz=200000000\n[connectivity]\nstream_connect=a_1.out:b_1.in:64\n";
    fs::write(dir.path().join("u280.cfg"), cfg).unwrap();
    assert_snapshot!(derate_in(dir.path(), &["hls", "u280.cfg"]).stdout);
}

#[test]
fn nothing_that_was_read_of_a_report_is_left_out() {
    for name in [
        "system-estimate/system_estimate_axpy.xtxt",
        "xclbin-info/axpy.xclbin.info",
        "xml-2023-summary/csynth.xml",
        "cosim-pass-without-figures/net_cosim.rpt",
        "module-2018/fir_csynth.rpt",
    ] {
        let report = derate(&["hls", &format!("fixtures/reports/{name}")]);
        assert_eq!(report.code, 0, "{}", report.stderr);
        assert_snapshot!(name.split('/').next().unwrap(), report.stdout);
    }
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
    for (name, text, word) in [
        (
            "notes.txt",
            "Buy milk, and bread.\n",
            "notes.txt declares nothing that could be read as C++",
        ),
        ("empty", "", "give a report of Vitis"),
        ("gen.py", "print('int a;')\n", "gen.py is Python and does not import Allo"),
        ("a.cfg", "# nothing\n", "a.cfg has no line of the form key=value"),
        ("prose.h", "Buy milk, and bread (two loaves.\n", "prose.h declares nothing"),
        ("a.rpt", "\0", "a.rpt:1 holds a zero byte"),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
        derate_in(dir.path(), &["hls", name]).assert_refused(word);
        derate_in(dir.path(), &["hls", name, "--format", "json"]).assert_refused(word);
    }
    // A header that only includes others is one.
    fs::write(dir.path().join("all.h"), "#include \"a.h\"\n").unwrap();
    assert_eq!(derate_in(dir.path(), &["hls", "all.h"]).code, 0);
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
    // Of what a pattern takes in there may be more than reports; a file that is named by itself must be one.
    let note = derate_in(dir.path(), &["audit"]).stdout;
    assert!(
        note.contains("note[source/unread]: `a.rpt` is no report and is not audited"),
        "{note}"
    );
    assert!(note.contains("--> derate.toml:12:12"), "{note}");
    fs::write(&toml, text.replace("[hls]", &named.replace("*.rpt", "a.rpt"))).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("derate.toml:12: a.rpt is no report");
    fs::write(&toml, text.replace("[hls]", &named.replace("*.rpt", "*.rpt\", \"a.rpt"))).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("derate.toml:12: a.rpt is no report");
    fs::write(&toml, text.replace("[hls]", named)).unwrap();
    let fixed = derate_in(dir.path(), &["audit", "--fix"]);
    assert_eq!(fixed.code, 1, "{}", fixed.stderr);
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
