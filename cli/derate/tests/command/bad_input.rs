//! Bad input gets one sentence and exit 2, or a finding; never a panic, and nothing half-written.

use std::fs;

use crate::derate::{copy, derate, derate_in};

#[test]
fn a_truncated_dump_is_read_with_a_problem() {
    let dir = copy("smolvla");
    let path = dir.path().join("model_shape.txt");
    let text = fs::read_to_string(&path).unwrap();
    let cut = text[..text.len() / 2].rfind("torch.Size([").unwrap() + "torch.Size([9".len();
    fs::write(&path, &text[..cut]).unwrap();
    let run = derate_in(dir.path(), &["shapes", "model_shape.txt", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(!run.json()["problems"].as_array().unwrap().is_empty());
}

#[test]
fn a_header_with_syntax_errors_is_a_finding() {
    let dir = copy("smolvla");
    let path = dir.path().join("kernels/gelu.cpp");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\nvoid broken(int {{ ]] = ;;; ) <<<\n")).unwrap();
    let json = derate_in(dir.path(), &["audit", "--format", "json"]).json();
    let found = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .any(|f| f["code"] == "source/unread" && f["file"] == "kernels/gelu.cpp");
    assert!(found, "{json}");
}

#[test]
fn a_file_that_is_not_a_project_is_named() {
    let dir = copy("smolvla");
    fs::write(dir.path().join("README.md"), "# An accelerator\n").unwrap();
    let run = derate_in(dir.path(), &["audit", "README.md"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("README.md is not a derate.toml"), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}

#[test]
fn a_part_is_answered_with_its_boards() {
    let run = derate(&["platform", "xc7z020clg400-1"]);
    assert_eq!(run.code, 2, "{}", run.stdout);
    assert!(run.stderr.contains("pynq-z2"), "{}", run.stderr);
}
