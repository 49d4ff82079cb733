//! `derate hls DIR`: the tree of a synthesis, beside the model of its source.

use std::fs;

use crate::derate::{derate, derate_in, root};
use serde_json::Value;

const REPORTS: &str = "solution1/syn/report";

/// The reports in a folder of their own, with a source beside them.
fn project(source: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let from = root().join("fixtures/synthesis/mean").join(REPORTS);
    for name in ["csynth.rpt", "mean_csynth.rpt"] {
        fs::copy(from.join(name), dir.path().join(name)).unwrap();
    }
    fs::write(dir.path().join("mean.cpp"), source).unwrap();
    dir
}

fn mean() -> String {
    fs::read_to_string(root().join("fixtures/synthesis/mean/mean.cpp")).unwrap()
}

fn kernel(json: &Value) -> &Value {
    let [kernel] = json["kernels"].as_array().unwrap().as_slice() else { panic!("{json}") };
    kernel
}

#[test]
fn a_folder_is_one_tree_with_the_clock_of_the_module_and_the_project_s_source() {
    let run = derate(&["hls", "fixtures/synthesis/mean", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    let kernel = kernel(&json);
    assert_eq!(
        (&kernel["provenance"], &kernel["latency"]),
        (&"synthesised".into(), &133_377.into())
    );
    assert_eq!((&kernel["clock_ns"], &kernel["tool"]), (&3.33.into(), &"2023.2".into()));
    let [outer, inner] = kernel["loops"].as_array().unwrap().as_slice() else { panic!("{kernel}") };
    assert_eq!((&outer["nest"], &inner["nest"]), (&0.into(), &1.into()));
    // The tool's own module of the pipelined loop is not a function.
    assert_eq!((&inner["function"], &inner["runs"]), (&"mean".into(), &128.into()));
    assert_eq!((&inner["ii"], &inner["modelled"]["line"]), (&4.into(), &11.into()));
    // The error is that of the cycles that the tool would report.
    let (own, error) = (&inner["modelled"]["cycles"], &inner["modelled"]["error"]);
    let expected = own.as_f64().unwrap() / inner["cycles"].as_f64().unwrap() - 1.0;
    assert!((error.as_f64().unwrap() - expected).abs() < 1e-12, "{inner}");
    assert_eq!(kernel["modelled"]["stale"], serde_json::json!([]));
}

#[test]
fn without_a_source_nothing_is_modelled() {
    let dir = project("");
    let json = derate_in(dir.path(), &["hls", ".", "--format", "json"]).json();
    assert!(kernel(&json)["modelled"].is_null() && kernel(&json)["loops"][0]["modelled"].is_null());
    let run = derate_in(dir.path(), &["hls", ".", "--top", "gone"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("has no synthesis report of `gone` below it"), "{}", run.stderr);
}

/// In the manner of projects that were put under version control: without the tool's own file, or with a folder that was
/// renamed, and with what the tool keeps for itself.
#[test]
fn the_only_source_near_a_solution_is_that_of_its_reports() {
    let dir = tempfile::tempdir().unwrap();
    let from = root().join("fixtures/synthesis/mean").join(REPORTS);
    let (reports, own) = (dir.path().join(REPORTS), dir.path().join("solution1/.autopilot/db"));
    fs::create_dir_all(&reports).unwrap();
    fs::create_dir_all(&own).unwrap();
    for name in ["csynth.rpt", "mean_csynth.rpt"] {
        fs::copy(from.join(name), reports.join(name)).unwrap();
        fs::copy(from.join(name), own.join(format!("kept.{name}"))).unwrap();
    }
    fs::create_dir(dir.path().join("code")).unwrap();
    fs::write(dir.path().join("code/mean.cpp"), mean()).unwrap();
    let files = || {
        let json = derate_in(dir.path(), &["hls", ".", "--format", "json"]).json();
        kernel(&json)["modelled"]["sources"].clone()
    };
    assert!(files().to_string().contains("code/mean.cpp"), "{}", files());
    // Two that define the top leave it open, until the project names one of them.
    fs::write(dir.path().join("code/other.cpp"), mean()).unwrap();
    assert!(files().is_null());
    let app = "<project name=\"older\" top=\"mean\"><files>\
        <file name=\"older/code/other.cpp\" tb=\"false\"/></files></project>";
    fs::write(dir.path().join("hls.app"), app).unwrap();
    assert!(files().to_string().contains("code/other.cpp"), "{}", files());
}

#[test]
fn another_version_of_the_source_is_named_with_what_shows_it() {
    let stale = |from: &str, to: &str| -> Vec<String> {
        let text = mean();
        assert!(text.contains(from));
        let dir = project(&text.replace(from, to));
        let args = ["hls", ".", "--source", "mean.cpp", "--format", "json"];
        let json = derate_in(dir.path(), &args).json();
        serde_json::from_value(kernel(&json)["modelled"]["stale"].clone()).unwrap()
    };
    assert_eq!(stale("add:", "add:"), Vec::<String>::new());
    assert_eq!(
        stale("add:", "sum_up:"),
        ["the reports have a loop `add` in `mean`, and the source has none of this name"]
    );
    assert_eq!(
        stale("ROWS 128", "ROWS 96"),
        ["`each_row` iterates 128 times in the reports and 96 times in the source"]
    );
    assert_eq!(
        stale("result", "means"),
        [
            "the reports have an argument `result`, and the source has none",
            "the source has an argument `means`, and the reports have none"
        ]
    );
    let wider = stale("const float rows", "const double rows");
    assert!(wider[0].starts_with("`rows` is `float*` of 32 bits in the reports"), "{wider:?}");
    // Directives from elsewhere may unroll a loop: half the trips are not another version.
    assert_eq!(stale("COLUMNS 256", "COLUMNS 512"), Vec::<String>::new());
}
