//! `derate explore` of a kernel with no option but the top.

use std::fs;
use std::path::Path;

use crate::derate::{derate_in, root};
use crate::diff::apply_diff;

const PART: [&str; 2] = ["--part", "xcu280-fsvh2892-2L-e"];

/// A product whose middle loop is pipelined; its arguments are memories.
const PRODUCT: &str = "#define N 8
void product(const int a[N][N], const int b[N][N], int c[N][N]) {
rows:
  for (int i = 0; i < N; i++) {
  columns:
    for (int j = 0; j < N; j++) {
#pragma HLS pipeline II=1
      int sum = 0;
    terms:
      for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}
";

/// A loop that a pragma unrolls.
const SCALE: &str = "void scale(const int x[64], int y[64]) {
each:
  for (int i = 0; i < 64; i++) {
#pragma HLS unroll factor=4
    y[i] = x[i] * 5;
  }
}
";

fn write(folder: &Path, text: &str) {
    fs::write(folder.join("kernel.cpp"), text).unwrap();
}

fn cycles(folder: &Path, directives: &[&str]) -> f64 {
    let kernel = ["kernel", "kernel.cpp", "--format", "json"];
    let again = derate_in(folder, &[&kernel[..], &PART, directives].concat()).json();
    again["latency"]["expected"].as_f64().unwrap()
}

#[test]
fn a_pipelined_product_gets_faster_and_what_it_changes_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), PRODUCT);
    let explore = |more: &[&str]| {
        derate_in(folder.path(), &[&["explore", "kernel.cpp"], &PART[..], more].concat())
    };
    let found = explore(&["--format", "json"]).json();
    let number = |at: &str| found[at]["objective"].as_f64().unwrap();
    assert!(4.0 * number("best") < number("start"), "{found}");
    let changed = found["best"]["changed_arguments"].to_string();
    assert!(changed.contains("\"argument\":\"a\"") && changed.contains("banks"), "{changed}");
    assert!(found["start"].get("changed_arguments").is_none(), "{found}");
    let text = explore(&[]).stdout;
    assert!(text.contains("among these") && text.contains("changes the interface"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    let diff = explore(&["--format", "diff"]).stdout;
    assert!(diff.starts_with("# It changes the interface of `product`: `a` is cut"), "{diff}");
    apply_diff(folder.path(), &diff);
    let built = cycles(folder.path(), &["--directives", "best.tcl"]);
    assert_eq!(built.to_bits(), number("best").to_bits(), "{diff}");
}

#[test]
fn where_nothing_is_better_the_diff_is_empty_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), PRODUCT);
    let words = ["explore", "kernel.cpp", "--vary", "unroll:product/columns=1", "--format"];
    let run = derate_in(folder.path(), &[&words[..], &["diff"], &PART].concat());
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.contains("beats the source as it is written"), "{}", run.stderr);
    let text = derate_in(folder.path(), &[&words[..], &["text"], &PART].concat()).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Change nothing") && text.contains("Not opened: "), "{text}");
    assert!(text.contains("--vary pipeline:product/rows=as-written,1"), "{text}");
}

#[test]
fn a_pragma_that_unrolls_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), SCALE);
    let words = ["explore", "kernel.cpp", "--vary", "unroll:scale/each=1", "--format"];
    let explore = |format: &str| derate_in(folder.path(), &[&words[..], &[format], &PART].concat());
    let promised = explore("json").json()["best"]["objective"].as_f64().unwrap();
    let diff = explore("diff").stdout;
    assert!(diff.contains("+#pragma HLS unroll factor=1\n"), "{diff}");
    assert!(!diff.contains("best.tcl"), "{diff}");
    write(folder.path(), &SCALE.replace("factor=4", "factor=1"));
    assert_eq!(cycles(folder.path(), &[]).to_bits(), promised.to_bits());
    write(folder.path(), SCALE);
    let open = derate_in(
        folder.path(),
        &[&["explore", "kernel.cpp", "--format", "json"], &PART[..]].concat(),
    );
    let axes = open.json()["axes"].to_string();
    assert!(axes.contains("[\"1\",\"2\",\"4\""), "{axes}");
}

#[test]
fn a_port_behind_a_bus_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(
        root().join("fixtures/codesign/as-built/kernels/attention.cpp"),
        folder.path().join("kernel.cpp"),
    )
    .unwrap();
    let words =
        ["explore", "kernel.cpp", "--top", "attention", "--vary", "partition:attention/q=1,4"];
    derate_in(folder.path(), &words)
        .assert_refused("is an m_axi port: the tool does not support that (UG1399)");
}

#[test]
fn the_written_value_of_a_macro_is_that_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let text = |lanes: u64| {
        format!("#define LANES {lanes}\n{}", SCALE.replace("factor=4", "factor=LANES"))
    };
    let explore = |vary: &str, format: &str| {
        let words = ["explore", "kernel.cpp", "--vary", vary, "--format", format];
        derate_in(folder.path(), &[&words[..], &PART].concat())
    };
    let words = |vary: &str| {
        let text = explore(vary, "text").stdout;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // The first value is another one than in the source, and it is applied.
    write(folder.path(), &text(1));
    let best = words("LANES=2,1");
    assert!(!best.contains("Change nothing") && best.contains("LANES 2 1 2, 1"), "{best}");
    let diff = explore("LANES=2,1", "diff").stdout;
    assert!(diff.contains("+#define LANES 2\n"), "{diff}");
    let json = explore("LANES=2,1", "json").json();
    assert_eq!(json["written"][0], "1", "{json}");
    // The near miss: the first value is that of the source.
    write(folder.path(), &text(2));
    let best = words("LANES=2,1");
    assert!(best.contains("Change nothing"), "{best}");
    assert_eq!(explore("LANES=2,1", "diff").stdout, "");
    // A placeholder has no value in the source.
    write(folder.path(), &SCALE.replace("factor=4", "factor=auto{LANES}"));
    let best = words("LANES=2,1");
    assert!(best.contains("LANES 2 unknown 2, 1") && !best.contains("Change nothing"), "{best}");
}

#[test]
fn an_empty_diff_of_a_better_design_says_where_the_changes_are() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &SCALE.replace("factor=4", "factor=LANES"));
    let explore = |more: &[&str]| {
        let words = ["explore", "kernel.cpp", "--format", "diff"];
        let run = derate_in(folder.path(), &[&words[..], &PART, more].concat());
        assert_eq!(run.stdout, "", "{}", run.stderr);
        run.stderr
    };
    let said = explore(&["-D", "LANES=1", "--vary", "LANES=1,2"]);
    assert!(said.contains("for -D, so the diff is empty"), "{said}");
    assert!(!said.contains("beats the source"), "{said}");
    let said = explore(&["-D", "LANES=2", "--vary", "LANES=1,2"]);
    assert!(said.contains("beats the source"), "{said}");
    let more = ["--vary", "unroll:scale/each=1,2", "--write", "best.tcl"];
    let said = explore(&[&["-D", "LANES=1"], &more[..]].concat());
    assert!(said.contains("the changes are in best.tcl"), "{said}");
}

#[test]
fn a_configuration_keeps_its_form_and_takes_what_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), PRODUCT);
    let config = "part=xcu280-fsvh2892-2L-e\n[hls]\nclock=300MHz\nflow_target=vitis\nsyn.top=product\n\
                  syn.file=kernel.cpp\n";
    fs::write(folder.path().join("hls_config.cfg"), config).unwrap();
    let explore = |more: &[&str]| {
        let given = ["explore", "--directives", "hls_config.cfg", "--format"];
        derate_in(folder.path(), &[&given[..], more].concat())
    };
    let built = |config: &str| {
        let again = ["kernel", "--directives", config, "--format", "json"];
        derate_in(folder.path(), &again).json()["latency"]["expected"].as_f64().unwrap()
    };
    let found = explore(&["json", "--write", "best.cfg"]).json();
    let promised = found["best"]["objective"].as_f64().unwrap();
    assert_eq!(built("best.cfg").to_bits(), promised.to_bits());
    let diff = explore(&["diff"]).stdout;
    assert!(diff.contains("+syn.directive.") && !diff.contains("set_directive"), "{diff}");
    apply_diff(folder.path(), &diff);
    assert_eq!(built("hls_config.cfg").to_bits(), promised.to_bits(), "{diff}");
    let refused = explore(&["json", "--write", "best.tcl"]);
    refused.assert_refused("name a .cfg file");
}
