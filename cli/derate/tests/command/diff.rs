//! A diff that the command prints, made with the tool that takes it.

use std::fs;
use std::path::Path;

/// Makes the change of a diff in a folder with `git apply`.
pub(crate) fn apply_diff(folder: &Path, diff: &str) {
    fs::write(folder.join("best.diff"), diff).unwrap();
    let patch = std::process::Command::new("git")
        .args(["apply", "-p0", "best.diff"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(patch.status.success(), "{}\n{diff}", String::from_utf8_lossy(&patch.stderr));
}
