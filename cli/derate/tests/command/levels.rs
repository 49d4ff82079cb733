//! A report says what the user allowed; `cmd/levels.md` has the levels and comments.

use std::fs;

use crate::derate::{copy, derate_in};

#[test]
fn a_report_says_what_was_allowed() {
    let dir = copy("smolvla");
    let path = dir.path().join("derate.toml");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("batch = 1\n", "batch = 1 # derate: allow(latency/batch-1): in work\n");
    fs::write(&path, text).unwrap();
    let run = derate_in(dir.path(), &["report", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = fs::read_to_string(dir.path().join("out/report.md")).unwrap();
    assert!(page.contains("Allowed at derate.toml:18"), "{page}");
    assert!(page.contains("The reason given: in work"));
    assert!(run.stdout.contains("\n1 finding allowed in the source"), "{}", run.stdout);
}
