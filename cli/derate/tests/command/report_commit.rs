//! Page one names the commit of the project.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::derate::{copy, derate_in, git, git_answer};

/// The line of page one that says what it was made from.
fn read_origin(project: &Path) -> String {
    let run = derate_in(project, &["report", "--format", "md", "--out", "out"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = fs::read_to_string(project.join("out/report.md")).unwrap();
    text.lines().find(|line| line.starts_with("Made by derate")).unwrap().to_owned()
}

#[test]
fn the_commit_is_that_of_the_projects_folder_and_a_change_after_it_is_said() {
    let project = copy("smolvla");
    let folder = project.path();
    assert!(!read_origin(folder).contains("commit"));

    git(folder, &["init", "--quiet"]);
    assert!(!read_origin(folder).contains("commit"), "nothing is committed");
    git(folder, &["add", "derate.toml", "kernels"]);
    git(folder, &["commit", "--quiet", "-m", "one"]);
    let commit = git_answer(folder, &["rev-parse", "--short=12", "HEAD"]);
    let clean = read_origin(folder);
    assert!(clean.contains(&format!("of commit {commit} with")), "{clean}");

    let file = folder.join("derate.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}\n# a note\n")).unwrap();
    let changed = read_origin(folder);
    assert!(changed.contains(&format!("of commit {commit}, changed since, with")), "{changed}");
}
