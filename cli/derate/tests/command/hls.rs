//! `derate hls` and the files of the build in a project.

use std::fs;

use crate::derate::{copy, derate, derate_in};

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
    let note = derate_in(dir.path(), &["audit", "--detail"]).stdout;
    assert!(
        note.contains("note[source/unread]: `a.rpt` is not a report and is not audited"),
        "{note}"
    );
    assert!(note.contains("--> derate.toml:12:12"), "{note}");
    fs::write(&toml, text.replace("[hls]", &named.replace("*.rpt", "a.rpt"))).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("derate.toml:12: a.rpt is not a report");
    fs::write(&toml, text.replace("[hls]", &named.replace("*.rpt", "*.rpt\", \"a.rpt"))).unwrap();
    derate_in(dir.path(), &["audit"]).assert_refused("derate.toml:12: a.rpt is not a report");
    fs::write(&toml, text.replace("[hls]", named)).unwrap();
    let fixed = derate_in(dir.path(), &["audit", "--fix"]);
    assert_eq!(fixed.code, 1, "{}", fixed.stderr);
    fs::remove_file(dir.path().join("a.rpt")).unwrap();
    let report = crate::derate::root().join("fixtures/reports/tree-2022/csynth.rpt");
    fs::copy(report, dir.path().join("csynth.rpt")).unwrap();
    let json = derate_in(dir.path(), &["audit", "--format", "json"]).json();
    let unread =
        json["findings"].as_array().unwrap().iter().find(|f| f["file"] == "u280.cfg").unwrap();
    assert_eq!(
        (unread["code"].as_str(), unread["line"].as_u64()),
        (Some("source/unread"), Some(3))
    );
}
