//! The script of the GitHub Action, on a repository of its own.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::derate::{git, root};

/// Annotations, SARIF, and what changed since the base.
#[test]
fn the_action_annotates_and_says_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("repository");
    fs::create_dir(&repository).unwrap();
    git(&repository, &["init", "--quiet"]);
    let copied = Command::new("cp")
        .arg("-r")
        .arg(root().join("fixtures/smolvla"))
        .arg(repository.join("accelerator"))
        .status();
    assert!(copied.unwrap().success());
    git(&repository, &["add", "-A"]);
    git(&repository, &["commit", "--quiet", "-m", "before"]);
    let project = repository.join("accelerator/derate.toml");
    let before = fs::read_to_string(&project).unwrap();
    let after = before.replace("300 MHz", "250 MHz");
    assert_ne!(before, after, "the claim that is changed");
    fs::write(&project, after).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_derate")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let ran = Command::new(root().join(".github/actions/audit/audit"))
        .current_dir(&repository)
        .env("PATH", path)
        .env("PROJECT", "accelerator")
        .env("BASE", "HEAD")
        .env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"))
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(1), "{out}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(out.contains("::error file=accelerator/"), "{out}");
    let sarif = fs::read_to_string(repository.join("derate.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let summary = fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(summary.contains("250"), "{summary}");
}
