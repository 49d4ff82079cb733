//! `derate explore --write`: the directives of the best design, and what is not replaced.

use std::fs;

use crate::derate::{derate_in, root};

const BASE: &str =
    "config_compile -pipeline_loops 0\nset_directive_pipeline -II 2 \"product/columns\"\n";

#[test]
fn the_written_directives_make_the_design_that_was_promised() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("fixtures/kernels/product.cpp");
    fs::copy(source, folder.path().join("product.cpp")).unwrap();
    fs::write(folder.path().join("base.tcl"), BASE).unwrap();
    let found = derate_in(
        folder.path(),
        &[
            "explore",
            "product.cpp",
            "--directives",
            "base.tcl",
            "--vary",
            "unroll:product/terms=1,8",
            "--limit",
            "dsp=500",
            "--write",
            "best.tcl",
            "--format",
            "json",
        ],
    );
    assert_eq!(found.code, 0, "{}", found.stderr);
    let promised = found.json()["best"]["objective"].as_f64().unwrap();
    let text = fs::read_to_string(folder.path().join("best.tcl")).unwrap();
    assert!(text.contains(BASE), "what was given stays: {text}");
    let kernel = ["kernel", "product.cpp", "--directives", "best.tcl", "--format", "json"];
    let again = derate_in(folder.path(), &kernel).json();
    assert_eq!(again["latency"]["expected"].as_f64().unwrap().to_bits(), promised.to_bits());
}

/// A last line that has no end stays a line of its own.
#[test]
fn several_files_of_directives_are_written_as_lines() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("fixtures/kernels/product.cpp");
    fs::copy(source, folder.path().join("product.cpp")).unwrap();
    fs::write(folder.path().join("base.tcl"), BASE.trim_end()).unwrap();
    let more = "set_directive_inline -off \"product\"";
    fs::write(folder.path().join("more.tcl"), more).unwrap();
    let words = ["explore", "product.cpp", "--directives", "base.tcl", "--directives", "more.tcl"];
    let vary = ["--vary", "unroll:product/terms=1,8", "--limit", "dsp=500", "--write", "best.tcl"];
    let found = derate_in(folder.path(), &[&words[..], &vary[..]].concat());
    assert_eq!(found.code, 0, "{}", found.stderr);
    let text = fs::read_to_string(folder.path().join("best.tcl")).unwrap();
    assert!(text.contains(&format!("{BASE}{more}\n")), "{text}");
}

#[test]
fn no_file_of_others_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("product.cpp");
    fs::copy(root().join("fixtures/kernels/product.cpp"), &source).unwrap();
    fs::write(folder.path().join("own.tcl"), BASE).unwrap();
    let before = fs::read(&source).unwrap();
    let explore = |to: &str| derate_in(folder.path(), &["explore", "product.cpp", "--write", to]);
    explore("product.cpp").assert_refused("is read, so it is not written");
    explore("own.tcl").assert_refused("it is not overwritten");
    assert_eq!(fs::read(&source).unwrap(), before);
    assert_eq!(fs::read_to_string(folder.path().join("own.tcl")).unwrap(), BASE);
}

/// A script of a project cannot be part of another one: the new directives are a file of their own.
#[test]
fn a_script_that_runs_the_tool_is_not_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("fixtures/kernels/product.cpp");
    fs::copy(source, folder.path().join("product.cpp")).unwrap();
    let script = format!("open_project p\nset_top product\n{BASE}csynth_design\nexit\n");
    fs::write(folder.path().join("run.tcl"), script).unwrap();
    let words = ["explore", "product.cpp", "--directives", "run.tcl", "--write", "best.tcl"];
    let vary = ["--vary", "unroll:product/terms=1,8", "--limit", "dsp=500", "--format", "json"];
    let found = derate_in(folder.path(), &[&words[..], &vary[..]].concat());
    assert_eq!(found.code, 0, "{}", found.stderr);
    let text = fs::read_to_string(folder.path().join("best.tcl")).unwrap();
    assert!(!text.contains("open_project") && !text.contains(BASE), "{text}");
    assert!(text.contains("# source this in run.tcl before csynth_design"), "{text}");
    let both = ["--directives", "run.tcl", "--directives", "best.tcl", "--format", "json"];
    let again = derate_in(folder.path(), &[&["kernel", "product.cpp"][..], &both].concat()).json();
    let promised = found.json()["best"]["objective"].as_f64().unwrap();
    assert_eq!(again["latency"]["expected"].as_f64().unwrap().to_bits(), promised.to_bits());
}

/// Vivado HLS has no names for loops without a label.
#[test]
fn vivado_needs_labels() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "void add(int a[64], int b[64]) {\n  for (int i = 0; i < 64; i++) b[i] = a[i] + 1;\n}\n";
    fs::write(folder.path().join("add.cpp"), text).unwrap();
    let written = |tool: &str| {
        let words = ["explore", "add.cpp", "--tool", tool, "--part", "xc7z020clg400-1"];
        let vary = ["--vary", "unroll:add/VITIS_LOOP_2_1=1,2", "--write", "best.tcl"];
        let found = derate_in(folder.path(), &[&words[..], &vary[..]].concat());
        assert_eq!(found.code, 0, "{}", found.stderr);
        fs::read_to_string(folder.path().join("best.tcl")).unwrap()
    };
    let says = "VITIS_LOOP_2_1: give this loop a label";
    assert!(written("2019.2").contains(says));
    assert!(!written("2023.2").contains(says));
}

#[test]
fn where_nothing_fits_nothing_is_written_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = root().join("fixtures/kernels/product.cpp");
    fs::copy(kernel, folder.path().join("product.cpp")).unwrap();
    let words = ["explore", "product.cpp", "--limit", "lut=0%", "--write", "best.tcl"];
    let run = derate_in(folder.path(), &words);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("best.tcl is not written"), "{}", run.stderr);
    assert!(!folder.path().join("best.tcl").exists());
}
