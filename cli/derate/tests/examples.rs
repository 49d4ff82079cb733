//! Every folder of `examples` does what its README shows, and so do the README and the book.
#![allow(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "a test that cannot be set up has failed"
)]

mod console;
mod derate;
#[path = "../../../reports/render/tests/page/harness.rs"]
mod harness;
mod xrt;

use std::fs;

use console::{check_page, copy_folder};
use derate::{derate_in, root};
use harness::{run_tests, tests};
use xrt::missing_tool;

fn main() -> std::process::ExitCode {
    let plain = tests![
        bfloat16_header_shows_what_is_printed,
        csynth_reports_shows_what_is_printed,
        measurement_shows_what_is_printed,
        xrt_program_shows_what_is_printed,
        language_model_shows_what_is_printed,
        own_platform_shows_what_is_printed,
        no_example_is_left_out,
    ];
    run_tests(plain, vec![(missing_tool(), tests![xrt_program_runs_on_the_emulated_card])])
}

/// Runs the README of an example in a copy of its folder.
fn check_example(name: &str) {
    let folder = root().join("examples").join(name);
    check_page(&folder.join("README.md"), "console", copy_folder(&folder).path());
}

fn bfloat16_header_shows_what_is_printed() {
    check_example("bfloat16-header");
}

fn csynth_reports_shows_what_is_printed() {
    check_example("csynth-reports");
}

fn measurement_shows_what_is_printed() {
    check_example("measurement");
}

fn xrt_program_shows_what_is_printed() {
    check_example("xrt-program");
}

/// The block of the same page that needs XRT.
fn xrt_program_runs_on_the_emulated_card() {
    let folder = root().join("examples/xrt-program");
    let copy = copy_folder(&folder);
    let make = ["emu", "xclbin", "-o", "vadd.xclbin", "vadd.cpp", "--config", "u280.cfg"];
    assert_eq!(derate_in(copy.path(), &make).code, 0);
    check_page(&folder.join("README.md"), "console xrt", copy.path());
}

fn language_model_shows_what_is_printed() {
    check_example("language-model");
}

fn own_platform_shows_what_is_printed() {
    check_example("own-platform");
}

/// A test above runs each folder, but for "audit-in-five-lines": that one has a test of its own.
fn no_example_is_left_out() {
    let here = include_str!("examples.rs");
    for entry in fs::read_dir(root().join("examples")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        assert!(here.contains(&format!("\"{name}\"")), "no test runs examples/{name}");
    }
}
