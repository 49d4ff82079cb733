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
    // Another name at the same place is the same argument; one more is not.
    assert_eq!(stale("result", "means"), Vec::<String>::new());
    assert_eq!(
        stale("const float rows", "int scale, const float rows"),
        ["the source has an argument `scale`, and the reports have none"]
    );
    let wider = stale("const float rows", "const double rows");
    assert!(wider[0].starts_with("`rows` is `float*` of 32 bits in the reports"), "{wider:?}");
    // Directives from elsewhere may unroll a loop: half the trips are not another version.
    assert_eq!(stale("COLUMNS 256", "COLUMNS 512"), Vec::<String>::new());
}

/// The simulated cycles of the synthesis of `mean`, where a co-simulation of a top of that name lies in `place`.
fn simulated(place: &str, status: &str) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let from = root().join("fixtures/synthesis/mean").join(REPORTS);
    let (reports, simulation) = (dir.path().join("a/solution1/syn/report"), dir.path().join(place));
    fs::create_dir_all(&reports).unwrap();
    fs::create_dir_all(&simulation).unwrap();
    for name in ["csynth.rpt", "mean_csynth.rpt"] {
        fs::copy(from.join(name), reports.join(name)).unwrap();
    }
    let text = format!(
        "Simulation tool: xsim\n\
         +----------+----------+-----------------------------------------------+-----------------------------------------------+\n\
         |          |          |                    Latency                    |                    Interval                   |\n\
         +   RTL    +  Status  +-----------------------------------------------+-----------------------------------------------+\n\
         |          |          |      min      |      avg      |      max      |      min      |      avg      |      max      |\n\
         +----------+----------+-----------------------------------------------+-----------------------------------------------+\n\
         |   Verilog|      {status}|         133371|         133371|         133371|             NA|             NA|             NA|\n\
         +----------+----------+-----------------------------------------------+-----------------------------------------------+\n"
    );
    fs::write(simulation.join("mean_cosim.rpt"), text).unwrap();
    let json = derate_in(dir.path(), &["hls", ".", "--format", "json"]).json();
    kernel(&json)["simulated"].clone()
}

#[test]
fn a_simulation_is_of_its_solution_and_has_passed() {
    assert_eq!(simulated("a/solution1/sim/report", "Pass"), 133_371);
    assert!(simulated("a/solution1/sim/report", "Fail").is_null());
    assert!(simulated("b/solution1/sim/report", "Pass").is_null());
}

#[test]
fn a_script_gives_part_clock_and_top() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mean.cpp"), mean()).unwrap();
    let script = |part: &str| {
        let text = format!(
            "open_project p\nset_top mean\nadd_files mean.cpp\nopen_solution s\nset_part {{{part}}}\ncreate_clock -period 10 -name default\n"
        );
        fs::write(dir.path().join("run.tcl"), text).unwrap();
        derate_in(dir.path(), &["kernel", "--directives", "run.tcl", "--format", "json"])
    };
    let run = script("xc7z020clg400-1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["top"], &json["clock_ns"]), (&"mean".into(), &10.0.into()));
    assert!(json["part"].as_str().unwrap().starts_with("xc7z020"), "{}", json["part"]);
    let run = script("xc7z999clg400-1");
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("with --part; those that begin most like it are xc7z")
            && run.stderr.lines().count() == 1,
        "{}",
        run.stderr
    );
}
