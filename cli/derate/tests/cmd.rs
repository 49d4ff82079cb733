//! What commands print and how they exit: every page in `tests/cmd` shows commands and their output.
//!
//! A page `NAME.md` runs in the repository's folder, or in a folder `NAME.in` if there is one. `TRYCMD=overwrite` writes the
//! pages anew.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::path::Path;

#[test]
fn commands_print_what_the_pages_show() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::env::set_current_dir(&root).unwrap();
    let derate = env!("CARGO_BIN_EXE_derate");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .env("FIXTURES", root.join("fixtures").to_str().unwrap())
        .env("DERATE", derate)
        .register_bin("derate", Path::new(derate))
        .register_bin("edited", tests.join("edited.sh").as_path())
        .case(tests.join("*.md"));
}
