//! `derate explore`: what it writes, and what it does not replace.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod derate;

use std::fs;

use derate::{derate_in, root};

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
    let promised = found.json()["best"]["cycles"].as_f64().unwrap();
    let text = fs::read_to_string(folder.path().join("best.tcl")).unwrap();
    assert!(text.contains(BASE), "what was given stays: {text}");
    let kernel = ["kernel", "product.cpp", "--directives", "best.tcl", "--format", "json"];
    let again = derate_in(folder.path(), &kernel).json();
    assert_eq!(again["latency"]["expected"].as_f64().unwrap().to_bits(), promised.to_bits());
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
