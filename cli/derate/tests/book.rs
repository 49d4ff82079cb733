//! The README, the book and the examples show what is printed, and their pictures are what derate draws.
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
use std::process::Command;

use console::{check_page, copy_folder};
use derate::{derate_in, root};
use harness::{run_tests, tests};
use tempfile::TempDir;
use xrt::missing_tool;

fn main() -> std::process::ExitCode {
    let plain = tests![
        the_readme_shows_what_is_printed,
        the_book_shows_what_is_printed,
        the_readme_shows_the_project_file_of_an_example,
        the_roofline_of_the_readme_is_what_is_drawn,
        the_finding_of_the_readme_is_what_is_printed,
        every_example_shows_what_is_printed,
    ];
    let with_xrt = tests![xrt_program_runs_on_the_emulated_card];
    run_tests(plain, vec![(missing_tool(), with_xrt)])
}

/// A copy of `examples`, beside it a folder of sources that has no project file yet.
fn copy_examples() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root().join("examples")).unwrap().map(Result::unwrap) {
        let copy = copy_folder(&entry.path());
        fs::rename(copy.keep(), dir.path().join(entry.file_name())).unwrap();
    }
    let bare = copy_folder(&root().join("examples/bfloat16-header")).keep();
    fs::remove_file(bare.join("derate.toml")).unwrap();
    fs::rename(bare, dir.path().join("my-accelerator")).unwrap();
    dir
}

fn the_readme_shows_what_is_printed() {
    check_page(&root().join("README.md"), "console", copy_examples().path());
}

fn the_book_shows_what_is_printed() {
    let book = root().join("docs/book/src");
    let project = copy_folder(&root().join("examples/bfloat16-header"));
    for page in ["getting-started.md", "gpus.md"] {
        check_page(&book.join(page), "console", project.path());
    }
    check_page(&book.join("measuring.md"), "console", &root());
}

fn the_readme_shows_the_project_file_of_an_example() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let file = fs::read_to_string(root().join("examples/bfloat16-header/derate.toml")).unwrap();
    assert!(readme.contains(&format!("```toml\n{file}```\n")));
}

/// Holds a picture of the book against what is drawn, or writes it anew with the snapshots.
fn check_picture(name: &str, drawn: &str) {
    let path = root().join("docs/book/src").join(name);
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&path, drawn).unwrap();
    }
    let shown = fs::read_to_string(&path).unwrap_or_default();
    assert!(shown == drawn, "{} is stale: run `make golden`", path.display());
}

fn the_roofline_of_the_readme_is_what_is_drawn() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let run =
        derate_in(&root(), &["report", "fixtures/smolvla", "--out", folder, "--format", "svg"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    check_picture("roofline.svg", &fs::read_to_string(out.path().join("roofline.svg")).unwrap());
}

/// The terminal's own colours and signs, in one file that needs nothing else.
fn the_finding_of_the_readme_is_what_is_printed() {
    let run = Command::new(env!("CARGO_BIN_EXE_derate"))
        .args(["audit", "fixtures/smolvla"])
        .current_dir(root())
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .env("COLUMNS", "100")
        .output()
        .unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    let finding = printed.split("\n\n").find(|block| block.contains("[precision/alias-width]"));
    let drawn =
        anstyle_svg::Term::new().palette(anstyle_svg::WIN10_CONSOLE).render_svg(finding.unwrap());
    check_picture("finding.svg", &drawn);
}

/// Runs the README of each example in a copy of its folder; "audit-in-five-lines" has a test of its own.
fn every_example_shows_what_is_printed() {
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let folder = entry.unwrap().path();
        // The first is a program in Rust; `make test-models` runs the others.
        if !["audit-in-five-lines", "notebooks", "search-in-parts"]
            .iter()
            .any(|name| folder.ends_with(name))
        {
            check_page(&folder.join("README.md"), "console", copy_folder(&folder).path());
        }
    }
}

/// The block of the same page that needs XRT.
fn xrt_program_runs_on_the_emulated_card() {
    let folder = root().join("examples/xrt-program");
    let copy = copy_folder(&folder);
    let make = ["emu", "xclbin", "-o", "vadd.xclbin", "vadd.cpp", "--config", "u280.cfg"];
    assert_eq!(derate_in(copy.path(), &make).code, 0);
    check_page(&folder.join("README.md"), "console xrt", copy.path());
}
